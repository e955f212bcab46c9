// The verdict on a plan: how long, for how much, whether it fits, and what binds, each with its range.
// Below it stands the drawing, and the reason of what the reader chose there.

import { html, nothing, type TemplateResult } from 'lit';
import { Lazy } from '../../../engine/lazy.ts';
import { inProportion } from '../../../model/bounds.ts';
import { lazily } from '../../kit/lazily.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { boundWord } from '../../parts/answers/bound.ts';
import { noAnswer } from '../../parts/answers/row.ts';
import { relatedDerivations, why } from '../../parts/derivation/why.ts';
import { boundOf, mfuToTell, ownPlan } from './layouts.ts';

const drawing = new Lazy(() => import('./drawn.ts'));

const signs = { fits: '✓', tight: '◐', over: '✕' } as const;

interface Slot {
  key: string;
  /** Absent while there is no answer. */
  large?: unknown;
  note?: string;
  /** In which range it lies, where that is known. */
  range?: string;
  look?: string;
}

const noSlots: readonly Slot[] = ['wallTime', 'wallCost', 'memoryUsed', 'planBound'].map((key) => ({
  key,
}));

const part = (key: string): string => `drawn ${key}`;

/** One chip has no cluster and no replica to be drawn. */
const isAlone = (ctx: RenderContext): boolean => ctx.value('run.chips') === 1;

/** The part of the drawing whose reason is open. */
const openedOf = ({ open }: RenderContext): string | undefined =>
  [...open].find((each) => each.startsWith('drawn '))?.slice('drawn '.length);

/** Opens the reason of a part, and closes the one that was open. */
function ask(ctx: RenderContext, key: string): void {
  const opened = openedOf(ctx);
  if (opened && opened !== key) ctx.actions.toggle(part(opened));
  ctx.actions.toggle(part(key));
}

/** The verdict and the drawing. */
export function picture(ctx: RenderContext, found: Results | undefined): TemplateResult {
  // A quiz hides what the reader is to guess.
  if (found && ctx.hides(...found.keys)) return html`<section class="picture" hidden></section>`;
  const { drawn: words } = ctx.text.planner;
  const opened = openedOf(ctx);
  const results = found?.stale ? undefined : found;
  return html`<section class="picture" aria-label=${words.verdict.label}>
    <div class="verdict">
      ${(results ? slots(ctx, results) : noSlots).map((slot) => renderSlot(ctx, slot, opened))}
    </div>
    <div class="drawing ${isAlone(ctx) ? 'alone' : ''}">
      ${
        // Its module loads beside the answers.
        lazily(ctx, drawing, ({ drawn }) =>
          results ? drawn(ctx, results, opened, (key) => ask(ctx, key)) : nothing,
        )
      }
    </div>
    <div class="derivation" ?hidden=${!opened}>
      ${opened && results ? reason(ctx, results, opened) : nothing}
    </div>
  </section>`;
}

function renderSlot(
  ctx: RenderContext,
  { key, large, note = '', range, look = '' }: Slot,
  opened: string | undefined,
): TemplateResult {
  const { verdict } = ctx.text.planner.drawn;
  return html`<div class="slot ${look}" data-verdict=${key}>
    ${
      large === undefined
        ? html`<p class="said">${noAnswer}</p>`
        : html`<button
            type="button"
            class="said"
            aria-expanded=${opened === key}
            title=${ctx.fill(verdict.why, { answer: ctx.answer(key).label })}
            @click=${() => ask(ctx, key)}
          >
            ${large}
          </button>`
    }
    <p class="note">${[note, range].filter(Boolean).map((each) => html`<span>${each}</span> `)}</p>
  </div>`;
}

function slots(ctx: RenderContext, results: Results): Slot[] {
  const { verdict: words } = ctx.text.planner.drawn;
  const own = ownPlan(ctx, results.all);
  const told = mfuToTell(own);
  const state = own.memoryState;
  const over = state === 'over';
  const question = ctx.description.questions.plan;
  const rangeOf = (key: string, unit: string, inverse = false): string => {
    const band = inProportion(key, 'stepExpected', inverse)(results.all, question);
    return band ? ctx.format.range(...band, unit) : '';
  };
  const ghost = over ? { look: 'ghost' } : {};
  const [low, high] = [results.bound('memoryUsed', 'low'), results.bound('memoryUsed', 'high')];
  const memory = ctx.fill(words.memory, {
    used: results.say('memoryUsed'),
    limit: results.say('memoryLimit'),
  });
  const cost = results.number('wallCost') !== undefined;
  return [
    {
      key: 'wallTime',
      large: results.say('wallTime'),
      note: over ? words.without : words.withFailures,
      range: over ? '' : rangeOf('wallTime', 's'),
      ...ghost,
    },
    {
      key: 'wallCost',
      large: cost ? results.say('wallCost') : '–',
      note: over ? words.without : cost ? '' : words.price,
      range: over ? '' : rangeOf('wallCost', 'USD'),
      ...ghost,
    },
    {
      key: 'memoryUsed',
      large: html`<span class=${state === 'fits' ? '' : 'bound memory'}
        ><span class="shape" aria-hidden="true">${signs[state]}</span> ${words[state]}</span
      >`,
      note: memory,
      range: low === undefined || high === undefined ? '' : ctx.format.range(low, high, 'B'),
    },
    {
      key: 'planBound',
      large: boundWord(boundOf(results.choice('planBound')), results.say('planBound')),
      note: ctx.fill(words.mfu, { mfu: results.say(told) }),
      range: rangeOf(told, '%', true),
      ...ghost,
    },
  ];
}

/** How a part of the drawing comes about. */
function reason(ctx: RenderContext, results: Results, key: string): unknown {
  const keys = (drawing.value?.reasons[key] ?? [key]).filter(
    (each) => results.absence(each) === undefined,
  );
  const [first, ...others] = keys;
  if (!first) return nothing;
  return html`<h3>${ctx.answer(first).label}: ${results.say(first)}</h3>
    ${why(ctx, results, [first], [])} ${relatedDerivations(ctx, results, others)}`;
}
