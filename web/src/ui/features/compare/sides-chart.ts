// The chart of time against cost: each side on fewer chips and on more.

import type { TradeData, TradePoint } from '../../../charts/trade.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Asked } from './asking.ts';
import { fits, numberOf, scaled, timeAndCost } from './sides-facts.ts';
import { chipsOf, type Sized } from './sides-rows.ts';
import type { Along } from './sides-setting.ts';

type SidesWords = PartTexts<'sides'>;

/** A point with what it is of. */
export interface Placed {
  sized: Sized;
  asked: Asked;
  time: number;
  cost: number;
}

/** The sides that fit, and have both a time and a price. */
export function placedOf(
  ctx: RenderContext,
  all: readonly Sized[],
  of: (id: string) => Asked | undefined,
): Placed[] {
  const [times, costs] = timeAndCost(ctx.state);
  return all.flatMap((sized) => {
    const asked = of(sized.id);
    if (!asked?.reply?.ok || !fits(asked.state, asked.reply.answers)) return [];
    const time = numberOf(asked.reply.answers, times);
    const cost = numberOf(asked.reply.answers, costs);
    return time === undefined || !cost ? [] : [{ sized, asked, time, cost }];
  });
}

/** The limits that readers may set, in the core's units. */
export interface Most {
  time?: number;
  cost?: number;
}

const least = (points: readonly Placed[], by: 'time' | 'cost'): Placed | undefined =>
  points.reduce<Placed | undefined>(
    (best, point) => (best && best[by] <= point[by] ? best : point),
    undefined,
  );

/** The cheapest that is in time, and the fastest that is not too dear. */
export const cheapest = (points: readonly Placed[], { time = Infinity }: Most) =>
  least(
    points.filter((point) => point.time <= time),
    'cost',
  );
export const fastest = (points: readonly Placed[], { cost = Infinity }: Most) =>
  least(
    points.filter((point) => point.cost <= cost),
    'time',
  );

export function sayPoint(ctx: RenderContext, words: SidesWords, { sized, asked }: Placed): string {
  const n = sized.chips;
  const called = ctx.at(asked.state).called('chip');
  const name = sized.side.name === called ? called : `${sized.side.name}, ${called}`;
  return ctx.fill(words.on, { name, n: ctx.format.count(n) }, { n });
}

export function tradeData(
  ctx: RenderContext,
  words: SidesWords,
  along: Along,
  points: readonly Placed[],
  most: Most,
): TradeData | undefined {
  if (points.length < 2) return undefined;
  const [times, costs] = timeAndCost(ctx.state);
  const infos = new Map(
    ctx.description.questions[ctx.state.view].answers.map((info) => [info.key, info]),
  );
  const one = along === chipsOf(ctx.state);
  const names = one
    ? [ctx.called('chip')]
    : [...new Set(points.map(({ sized }) => sized.side.name))];
  const lineOf = ({ sized }: Placed): number => (one ? 0 : names.indexOf(sized.side.name));
  const [cheap, fast] = [cheapest(points, most), fastest(points, most)];
  const best = (point: Placed): string =>
    [
      point === cheap && most.time !== undefined ? words.marks.cheapest : '',
      point === fast && most.cost !== undefined ? words.marks.fastest : '',
    ]
      .filter(Boolean)
      .join(words.comma);
  const drawn = points.map((point): TradePoint => {
    const { sized, asked, time, cost } = point;
    const answers = asked.reply?.ok ? asked.reply.answers : {};
    const [t, c] = [scaled(times)(answers), scaled(costs)(answers)];
    const mark = best(point);
    return {
      label: sayPoint(ctx, words, point),
      x: time,
      y: cost,
      line: lineOf(point),
      own: sized.own && !one,
      ...(t && c && { low: [t[0], c[0]] as const, high: [t[1], c[1]] as const }),
      ...(mark && { best: mark }),
    };
  });
  const axis = (key: string) => ({
    label: ctx.answer(key).label,
    unit: spokenUnit(key, infos.get(key)!.unit),
    scale: 'log' as const,
  });
  const ends = fastest(points, {});
  const low = cheapest(points, {});
  return {
    title: ctx.fill(words.finding[ctx.state.view === 'serving' ? 'serving' : 'plan'], {
      cheapest: sayPoint(ctx, words, low!),
      cost: ctx.format.say(low!.cost, axis(costs).unit),
      fastest: sayPoint(ctx, words, ends!),
      time: ctx.format.say(ends!.time, axis(times).unit),
    }),
    description: words.description,
    file: `${ctx.state.view}-time-cost`,
    x: axis(times),
    y: axis(costs),
    lines: names,
    points: drawn,
    most: {
      ...(most.time !== undefined && { x: { label: words.marks.deadline, value: most.time } }),
      ...(most.cost !== undefined && { y: { label: words.marks.budget, value: most.cost } }),
    },
  };
}
