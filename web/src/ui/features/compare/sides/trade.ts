// Time against cost: the chart, and what is best within limits.

import { html, nothing, type TemplateResult } from 'lit';
import { infosOf } from '../table/columns.ts';
import { Trade } from '../../../../charts/trade.ts';
import { define } from '../../../../dom/define.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import { priceIn } from '../prices.ts';
import { bestWithin, placedOf, sayPoint, tradeData, type Contender } from './chart.ts';
import type { Drawn } from './differences.ts';
import { timeAndCost } from './facts.ts';
import type { Most } from './limits.ts';
import type { Sized } from './rows.ts';

/** The cheapest in time and the fastest for the money, in words. */
export function within(
  { ctx, words, all }: Pick<Drawn, 'ctx' | 'words' | 'all'>,
  most: Most,
): TemplateResult | typeof nothing {
  if (all.pointsLeft > 0 || all.sizes.length === 0) return nothing;
  if (most.time === undefined && most.cost === undefined) return nothing;
  const points = placedOf(ctx, all.sizes, all.pointOf);
  const [times, costs] = timeAndCost(ctx);
  const infos = infosOf(ctx);
  const say = (key: string, value: number): string =>
    ctx.format.say(value, spokenUnit(infos.get(key)!));
  const tell = (
    kind: 'deadline' | 'budget',
    limit: string,
    contest: ReturnType<typeof bestWithin>,
  ): string => {
    if (!contest) return ctx.fill(words.within.none, { limit });
    const { best, alike } = contest;
    const name = ({ point }: Contender): string => sayPoint(ctx, words, point);
    const { time, cost } = best.point;
    const parts = { name: name(best), time: say(times, time), cost: say(costs, cost) };
    const sentence = alike.length > 0 ? words.within.alike[kind] : words.within[kind];
    const others = alike.map(name).join(words.comma);
    return ctx.fill(sentence, { limit, ...parts, others });
  };
  return html`<ul class="within">
    ${
      most.time === undefined
        ? nothing
        : html`<li>
            ${tell('deadline', say(times, most.time), bestWithin(ctx, points, most, 'cost'))}
          </li>`
    }
    ${
      most.cost === undefined
        ? nothing
        : html`<li>
            ${tell('budget', say(costs, most.cost), bestWithin(ctx, points, most, 'time'))}
          </li>`
    }
  </ul>`;
}

/** Time against cost of all sides on several numbers of chips. */
export function tradeChart(
  { ctx, words, all }: Pick<Drawn, 'ctx' | 'words' | 'all'>,
  most: Most,
  take: (sized: Sized) => void,
): TemplateResult | typeof nothing {
  const { setting } = all;
  if (!setting || all.sizes.length === 0) return nothing;
  const points = placedOf(ctx, all.sizes, all.pointOf);
  const data = tradeData(ctx, words, setting.along, points, most);
  const priced = all.sides.filter((side) => {
    const reply = all.of(side.id)?.reply;
    return priceIn(ctx.description, side.state(), reply?.ok ? reply.answers : {});
  });
  const without = all.sides.filter((side) => !priced.includes(side)).map(({ name }) => name);
  define('scaling-trade', Trade);
  return html`${
    data
      ? html`<scaling-trade
          class="charts"
          .data=${data}
          .format=${ctx.format}
          .words=${{ ...ctx.text.charts.words, bounds: ctx.text.bounds }}
          @move=${({ detail }: CustomEvent<{ index: number }>) => take(points[detail.index]!.sized)}
        ></scaling-trade>`
      : nothing
  }
  ${
    without.length > 0 && all.pointsLeft === 0
      ? html`<p class="note">
          ${ctx.fill(words.noPrice, { names: without.join(words.comma) }, { n: without.length })}
        </p>`
      : nothing
  }`;
}
