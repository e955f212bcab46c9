// The sides as columns, with a cell for each fact.

import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { spokenUnit } from '../../../../model/presentation.ts';
import type { Asked } from '../asking.ts';
import { bandOf } from '../../../parts/band.ts';
import { sayDivision } from '../division.ts';
import { sayAnswer } from '../table/columns.ts';
import { priceIn, sayPrice, sourceOf } from '../prices.ts';
import { bestOf, difference, type Drawn } from './differences.ts';
import { factsOf, fallsShort, numberOf, qualifies, timeAndCost } from './facts.ts';
import type { Side } from './rows.ts';
import { sayChips, sayReason } from './words.ts';

/** Lines above the facts of a side: its name, chips, layout and price. */
export const headRows = 4;

interface Chosen {
  /** Goes to a side, alone. */
  take(side: Side): void;
  drop(side: Side): void;
}

/** A column for each side, and in it a cell for each fact. */
export function columns(drawn: Drawn, { take, drop }: Chosen): TemplateResult {
  const { ctx, words, all } = drawn;
  const facts = factsOf(ctx);
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${words.layout}>
    <ol class="columns">
      ${repeat(
        all.sides,
        ({ id }) => id,
        (side, index) => column(drawn, { take, drop }, side, index, facts),
      )}
    </ol>
  </div>`;
}

function column(
  drawn: Drawn,
  { take, drop }: Chosen,
  side: Side,
  index: number,
  facts: ReturnType<typeof factsOf>,
): TemplateResult {
  const { ctx, words, common, all } = drawn;
  const found = all.of(side.id);
  const answers = found?.reply?.ok ? found.reply.answers : undefined;
  return html`<li class="side" data-side=${index}>
    <h3>
      <button
        type="button"
        class="take"
        aria-label=${ctx.fill(words.take, { name: side.name })}
        @click=${() => take(side)}
      >
        ${side.name}
      </button>
      <button
        type="button"
        class="remove"
        aria-label=${ctx.fill(words.remove, { name: side.name })}
        @click=${() => drop(side)}
      >
        ×
      </button>
    </h3>
    ${
      !found
        ? html`<p class="waiting">…</p>`
        : !answers
          ? html`<p class="invalid">${sayReason(ctx, common, found)} ${words.giveAlone}</p>`
          : html`${head(drawn, found)}
              <dl>${facts.map((fact) => cell(drawn, found, index, fact))}</dl>`
    }
  </li>`;
}

/** Chips, layout and price of a side. */
function head({ ctx, words, common }: Drawn, found: Asked): TemplateResult {
  const answers = found.reply?.ok ? found.reply.answers : {};
  const { state } = found;
  const price = priceIn(ctx.description, state, answers);
  const [said, provider, date] = sayPrice(ctx, common, price);
  const source = sourceOf(price);
  return html`<p class="chips">${sayChips(ctx, words, found)}</p>
    <p class="division">
      ${sayDivision(ctx, common, state, answers) || words.undivided}
      ${qualifies(ctx, found) ? nothing : html`<strong class="too-large">${fallsShort(ctx, words, found)}</strong>`}
    </p>
    <p class="price" title=${source?.title ?? nothing}>
      ${
        price
          ? html`${ctx.fill(words.price, { price: said })}${source?.url ? html`<a href=${source.url} rel="noreferrer" target="_blank">${provider}</a>` : provider}${date ? ` · ${date}` : ''}`
          : common.table.unlisted
      }
    </p>`;
}

function cell(
  drawn: Drawn,
  found: Asked,
  index: number,
  { key, info }: ReturnType<typeof factsOf>[number],
): TemplateResult {
  const { ctx, words, all } = drawn;
  const answers = found.reply?.ok ? found.reply.answers : {};
  const [low, high] = bandOf(ctx, key, answers) ?? [];
  const unit = spokenUnit(info);
  const why = difference(drawn, index, info);
  const isBest = bestOf(ctx, all, key) === index;
  const leads = timeAndCost(ctx).includes(key);
  return html`<div class="fact" data-fact=${key} ?data-leads=${leads}>
    <dt>${ctx.answer(key).label}</dt>
    <dd>
      <span class="value" data-value=${numberOf(answers, key) ?? String(answers[key] ?? '')}
        >${sayAnswer(ctx, info, answers[key])}</span
      >
      ${isBest ? html`<span class="best">${words.best[timeAndCost(ctx)[0] === key ? 'time' : 'cost']}</span>` : nothing}
      ${
        low !== undefined && high !== undefined
          ? html`<span class="band"
              >${ctx.fill(ctx.text.drawn.interval, { range: ctx.format.range(low, high, unit) })}</span
            >`
          : nothing
      }
      ${why ? html`<span class="why-other">${why}</span>` : nothing}
    </dd>
  </div>`;
}
