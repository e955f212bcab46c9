// The choice of the basis of prices, and its place at the end of the page's sentence, beside how
// answers are counted.

import { kinds } from 'virtual:provider-kinds';
import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { latest, owned, providerNames } from '../../../model/presets.ts';
import { basisOf, isOwnPrice, withBasis } from '../../../model/price-basis.ts';
import { isOwned, listedPrice, type State } from '../../../model/state.ts';
import { views } from '../../../model/views.ts';
import { listed } from '../../../i18n/language.ts';
import { countingSwitch, isCounted, sayCounting } from './counting.ts';
import type { Features, RenderContext } from '../../kit/render-context.ts';

/** Bases for comparing prices: the latest of each chip, providers that list more than one, and what
 * the reader's own chips cost. */
export const bases: readonly string[] = [latest, ...Object.keys(providerNames), owned];

/** A price that the reader gave. */
const own = 'own';

function sayBasis(ctx: RenderContext, basis: string): string {
  const { provider, ...words } = ctx.text.ui.basis;
  return basis === own || basis === latest || basis === owned
    ? words[basis]
    : ctx.fill(provider, { provider: providerNames[basis]! });
}

/** Provider and date of the price of a state's chip, or the date alone; empty for the reader's own
 * price. */
export function sayListed({ format }: RenderContext, state: State, withProvider = true): string {
  const { provider = '', date } = listedPrice(state) ?? {};
  return listed([withProvider ? provider : '', date ? format.month(date) : ''].filter(Boolean));
}

/** The options of a choice: these first, then all others by kinds of providers. */
export function basisOptions(
  ctx: RenderContext,
  first: readonly string[],
  now: string,
): TemplateResult[] {
  const { kinds: labels, none } = ctx.text.ui.basis;
  const kindOf = (basis: string): string => (basis === owned ? owned : kinds[basis]!);
  const option = (basis: string): TemplateResult =>
    html`<option value=${basis} .selected=${live(basis === now)}>${sayBasis(ctx, basis)}</option>`;
  return [
    ...first.map(option),
    ...Object.entries(labels).map(([kind, label]) => {
      const these = bases.filter((basis) => basis !== latest && kindOf(basis) === kind);
      // A kind without a price that has a date and a source says so.
      return html`<optgroup label=${label}>
        ${these.length > 0 ? these.map(option) : html`<option disabled>${none}</option>`}
      </optgroup>`;
    }),
  ];
}

const nowOf = (state: State): string =>
  isOwned(state) ? owned : isOwnPrice(state) ? own : basisOf(state);

/** The provider and the date of the price of the state's chip. */
function sayWhose(ctx: RenderContext): string {
  const { state, text } = ctx;
  const now = nowOf(state);
  if (now === own || now === owned) return '';
  if (!listedPrice(state)) return text.ui.basis.unlisted;
  const whose = sayListed(ctx, state, now === latest);
  return whose && ctx.fill(text.ui.basis.dated, { whose });
}

/** Chooses a basis in place of the price, and of the kind of payment, that the reader has set. */
function choose({ state, actions }: RenderContext, chosen: string): void {
  if (chosen === own) return;
  const { price: _, payment: __, ...chip } = state.edits.chip;
  actions.go(withBasis({ ...state, edits: { ...state.edits, chip } }, chosen));
}

/** Ends the sentences of questions about costs with the basis of their prices. */
export const ending: Required<Features>['ending'] = {
  // A view that names no topics has all.
  sentence(ctx, withPrices = true) {
    const { basis, counting } = ctx.text.ui;
    const isPriced = (views[ctx.state.view].topics?.chip ?? ['price']).includes('price');
    return (isPriced && withPrices ? basis.lead : '') + (isCounted(ctx) ? counting.lead : '');
  },
  say: (ctx) => ({
    basis: sayBasis(ctx, nowOf(ctx.state)),
    whose: sayWhose(ctx),
    counting: sayCounting(ctx),
  }),
  controls(ctx) {
    const now = nowOf(ctx.state);
    const basis = html`<select
      data-prices
      aria-label=${ctx.text.ui.basis.label}
      @change=${(event: Event) => choose(ctx, (event.target as HTMLSelectElement).value)}
    >
      ${basisOptions(ctx, [...(now === own ? [own] : []), latest], now)}
    </select>`;
    return { basis, whose: sayWhose(ctx), counting: countingSwitch(ctx) };
  },
};
