// The verdict on an answer, each part a button that opens its reason, and below it the drawing.

import { html, nothing, type TemplateResult } from 'lit';
import type { Lazy } from '../../../engine/lazy.ts';
import { lazily } from '../../kit/lazily.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Bound } from '../answers/bound.ts';
import { noAnswer } from '../answers/row.ts';
import { relatedDerivations, why } from '../derivation/why.ts';
import type { Row } from '../view.ts';
import { withMissed } from './missed.ts';

/** A part of the verdict. */
export interface Slot {
  /** The answer that says why. */
  key: string;
  large: string;
  /** Stands before it. */
  sign?: string | undefined;
  bound?: Bound | undefined;
  note?: string;
  /** In which range it lies, where that is known. */
  range?: string;
  /** Says of what that is the range, where another answer stands large. */
  of?: ((range: string) => string) | undefined;
  /** Stands behind it. */
  also?: string;
  /** It would be so if the layout fit. */
  isGhost?: boolean;
  /** What a card says in their place. */
  onCard?: Partial<Pick<Slot, 'large' | 'note' | 'of' | 'also'>>;
}

/** An answer that is not known, or to a question that does not arise. */
export const noSlot = (key: string, note?: string): Slot => ({
  key,
  large: '–',
  isGhost: true,
  ...(note !== undefined && { note }),
});

/** The notes below what stands large. */
export const notesOf = ({ note, range, of, also }: Omit<Slot, 'large'>): string[] =>
  [note, range && of ? of(range) : range, also].flatMap((each) => each || []);

/** Says of the first range what all are. */
export function withInterval<Part extends Omit<Slot, 'large'>>(
  { fill, text }: RenderContext,
  slots: readonly Part[],
): Part[] {
  const first = slots.findIndex(({ range }) => range);
  return slots.map((slot, index) =>
    index === first ? { ...slot, range: fill(text.drawn.interval, { range: slot.range! }) } : slot,
  );
}

/** Heights of a drawing where the page is narrow and where it is wide [px]. */
type Heights = readonly [narrow: number, wide: number];

/** What draws the answers; it loads behind them. */
export interface Draws {
  /** `ask` is told of which part the reader wants to know more. */
  drawn(
    ctx: RenderContext,
    results: Results,
    opened: string | undefined,
    ask: (key: string) => void,
  ): TemplateResult;
  /** What stays of it where there is no answer. */
  missing(ctx: RenderContext, heights: Heights): unknown;
  /** The answers behind each part that a reader can point at; others are answers themselves. */
  readonly reasons: Readonly<Record<string, readonly string[]>>;
}

export interface Pictured {
  drawing: Lazy<Draws>;
  /** The places of the verdict while there are no answers yet. */
  keys: readonly string[];
  verdict(ctx: RenderContext, results: Results): readonly Slot[];
  /** Stands between the two. */
  between?(ctx: RenderContext): unknown;
  /** The height that is kept for the drawing [px], where the page is narrow and where it is wide;
   * `results` once there are any. */
  height(ctx: RenderContext, results: Results | undefined): Heights;
  /** How its verdict looks, where it is longer than others. */
  look?: 'served' | 'raced';
}

/** A part of a verdict that is not drawn on a card: its answer may be marked up. */
type Said = Omit<Slot, 'large'> & { large: unknown };

interface Parts {
  /** The places of the verdict while there are no answers yet. */
  keys: readonly string[];
  look?: string | undefined;
  slots(results: Results): readonly Said[];
  /** Below the verdict. */
  below(results: Results | undefined, opened: string | undefined): unknown;
  reason(results: Results, key: string): unknown;
}

const part = (key: string): string => `drawn ${key}`;

/** The part of the drawing whose reason is open. */
const openedOf = ({ open }: RenderContext): string | undefined =>
  [...open].find((each) => each.startsWith('drawn '))?.slice('drawn '.length);

/** Opens the reason of a part, and closes the one that was open. */
function ask(ctx: RenderContext, key: string): void {
  const opened = openedOf(ctx);
  if (opened && opened !== key) ctx.actions.toggle(part(opened));
  ctx.actions.toggle(part(key));
}

/** The verdict and what stands below it; the places of both while there are no answers. */
function pictureWith(
  ctx: RenderContext,
  found: Results | undefined,
  { keys, look = '', slots, below, reason }: Parts,
): TemplateResult {
  // A quiz hides what the reader is to guess.
  if (found && ctx.hides(...found.keys)) return html`<section class="picture" hidden></section>`;
  const opened = openedOf(ctx);
  const results = found?.stale ? undefined : found;
  return html`<section class="picture ${look}" aria-label=${ctx.text.drawn.label}>
    <div class="verdict">
      ${
        results
          ? withInterval(ctx, slots(results)).map((slot) =>
              renderSlot(ctx, withMissed(ctx, results, slot), opened),
            )
          : keys.map((key) => renderPlace(key, noSaid))
      }
    </div>
    ${below(results, opened)}
    <div class="derivation" ?hidden=${!opened}>
      ${opened && results ? reason(results, opened) : nothing}
    </div>
  </section>`;
}

/** There is no answer, and none is on its way: the reason stands beside the question. */
const isMissing = (ctx: RenderContext, found: Results | undefined): boolean =>
  found ? found.stale : ctx.issues.length > 0;

/** The verdict and the drawing of a view. */
export const pictureOf =
  ({ drawing, keys, verdict, between, height, look }: Pictured) =>
  (ctx: RenderContext, found: Results | undefined): TemplateResult =>
    pictureWith(ctx, found, {
      keys,
      look,
      slots: (results) => verdict(ctx, results),
      below(results, opened) {
        const heights = height(ctx, results);
        const [narrow, wide] = heights;
        return html`${between?.(ctx) ?? nothing}
          <div class="drawing" .style=${`--narrow: ${narrow}px; --wide: ${wide}px`}>
            ${
              // Its module loads beside the answers.
              lazily(ctx, drawing, ({ drawn, missing }) =>
                results
                  ? drawn(ctx, results, opened, (key) => ask(ctx, key))
                  : isMissing(ctx, found)
                    ? missing(ctx.present, heights)
                    : html`<p class="seeking">${ctx.text.ui.seeking}</p>`,
              )
            }
          </div>`;
      },
      reason: (results, key) => reasonOf(ctx, results, drawing.value, key),
    });

/** The answers that a verdict has room for. */
const most = 4;

/** The first answers as a verdict, of a view that has none of its own, and what stands below. */
export function verdictOfRows(
  ctx: RenderContext,
  found: Results | undefined,
  rows: readonly Row[],
  below: unknown,
): TemplateResult {
  const first = rows.slice(0, most);
  return pictureWith(ctx, found, {
    keys: ctx.description.questions[ctx.state.view].first.slice(0, most),
    slots: (results) =>
      first.map(({ key, title, large }) => ({
        key,
        large: large ?? results.say(key),
        note: title ?? ctx.answer(key).label,
      })),
    below: () => below,
    reason(results, key) {
      const row = first.find((each) => each.key === key);
      return row ? why(ctx, results, row.derive ?? [key], row.related) : nothing;
    },
  });
}

/** Stands where there is no answer yet. */
const noSaid = html`<p class="said">${noAnswer}</p>`;

const renderPlace = (
  key: string,
  said: TemplateResult,
  notes: readonly string[] = [],
  look = '',
): TemplateResult =>
  html`<div class="slot ${look}" data-verdict=${key}>
    ${said}
    <p class="note">${notes.map((each) => html`<span>${each}</span> `)}</p>
  </div>`;

function renderSlot(ctx: RenderContext, slot: Said, opened: string | undefined): TemplateResult {
  const { key, large, sign, bound, isGhost } = slot;
  // One word stays one: `Compute-bound` would break at its hyphen.
  const isWord = typeof large === 'string' && !/\s/.test(large);
  const said = html`<button
    type="button"
    class="said ${isWord ? 'word' : ''}"
    aria-expanded=${opened === key}
    title=${ctx.fill(ctx.text.drawn.why, { answer: ctx.answer(key).label })}
    @click=${() => ask(ctx, key)}
  >
    ${
      sign
        ? html`<span class=${bound ? `bound ${bound}` : ''}
            ><span class="shape" aria-hidden="true">${sign}</span> ${large}</span
          >`
        : large
    }
  </button>`;
  return renderPlace(key, said, notesOf(slot), isGhost ? 'ghost' : '');
}

/** How a part of the drawing comes about. */
function reasonOf(
  ctx: RenderContext,
  results: Results,
  draws: Draws | undefined,
  key: string,
): unknown {
  const keys = (draws?.reasons[key] ?? [key]).filter((each) => results.absence(each) === undefined);
  const [first, ...others] = keys;
  if (!first) return nothing;
  return html`<h3>${ctx.answer(first).label}: ${results.say(first)}</h3>
    ${why(ctx, results, [first], [])} ${relatedDerivations(ctx, results, others)}`;
}
