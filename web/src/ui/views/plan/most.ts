// What would still fit: the longest sequence, also with other software, the largest micro-batch, and
// the smallest chip that would do. Each is found by searches for the best layout, which recompute as
// much as it takes.

import { html, nothing, type TemplateResult } from 'lit';
import type { Description, FieldValue, Plan, Planner } from '../../../engine/index.ts';
import { fieldInfo, type FieldId } from '../../../model/fields.ts';
import { chipEntries, chipOf, chosen } from '../../../model/presets.ts';
import { haveSameSoftware, otherTuners, withStack, type Stack } from '../../../model/stacks.ts';
import { withField, withPreset, type State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { Memo } from './finder.ts';
import { keyOf, searchedInput, withValues, type PlanInput } from './input.ts';
import { changesTo, sayLayout, type Changes } from './layouts.ts';
import { Largest } from './largest.ts';
import type { Task } from './searching.ts';

const questions = ['sequence', 'software', 'microBatch', 'chip'] as const;
export type MostOf = (typeof questions)[number];

/** The questions that the state has: other software is named to those who train adapters. */
const questionsOf = ({ description, state }: RenderContext): readonly MostOf[] =>
  otherTuners(description, state).length > 0
    ? questions
    : questions.filter((what) => what !== 'software');

/** The most that fits, or the chip that would do, with its best layout; 'nothing' where none does. */
export type Most =
  { value: number | string; plan: Plan; changes: Changes; stack?: Stack | undefined } | 'nothing';

/** Sequences are looked at in steps of so many tokens. */
const tokenStep = 256;

/** The changes to a sequence or micro-batch of `size`: the batch is a whole number of them, and no
 *  smaller than the reader's. */
function changesOf(what: 'sequence' | 'microBatch', input: PlanInput, size: number): Changes {
  const { batchTokens, sequenceLength, tokens } = input.run;
  const sequence = what === 'sequence' ? size : Number(sequenceLength);
  const together = what === 'sequence' ? size : size * sequence;
  const batch = together * Math.max(1, Math.ceil(Number(batchTokens) / together));
  return [
    ...(what === 'sequence' ? [['run.sequenceLength', size] as const] : []),
    ...(batch === batchTokens ? [] : [['run.batchTokens', batch] as const]),
    ...(Number(tokens) < batch ? [['run.tokens', batch] as const] : []),
  ];
}

const held = (size: number): readonly (readonly [FieldId, FieldValue])[] => [
  ['layout.microBatch', size],
  ['search.microBatch', false],
];

const known = new Memo<Most>();

/** The input of a search: of a size that is tried, with other software if any, or of a chip. */
type Tried = {
  value: number | string;
  input: PlanInput;
  changes: Changes;
  stack?: Stack | undefined;
};

/** Tries one after the other, until `next` has none left; `tell` takes what was found. */
interface Trial {
  next(): Tried | undefined;
  tell(plan: Plan | undefined): void;
}

function trialOfSizes(
  what: 'sequence' | 'microBatch',
  input: PlanInput,
  ctx: RenderContext,
): Trial {
  const { max } = fieldInfo(
    ctx.description,
    what === 'sequence' ? 'run.sequenceLength' : 'layout.microBatch',
  )!;
  const largest = new Largest(what === 'sequence' ? tokenStep : 1, max);
  return {
    next() {
      const value = largest.asks;
      if (value === undefined) return undefined;
      const changes = changesOf(what, input, value);
      const fixed = what === 'sequence' ? [] : held(value);
      return { value, input: withValues(input, [...changes, ...fixed]), changes };
    },
    tell: (plan) => largest.tell(plan !== undefined),
  };
}

/** Chips that are sold and on which the plan's software runs, by their memory, then by what an hour
 *  costs: with other software, a smaller chip may hold more than the plan's own. */
export function chipsBySize(description: Description, state: State): string[] {
  const figure = (id: string, key: string): number => {
    const found = chipOf(id).figures[key];
    return found ? Number(chosen(found, state.figures)) : Infinity;
  };
  return chipEntries
    .filter(({ announced }) => !announced)
    .map(({ id }) => id)
    .filter((id) => haveSameSoftware(description, state, withPreset(state, 'chip', id)))
    .sort(
      (one, other) =>
        figure(one, 'memory') - figure(other, 'memory') ||
        figure(one, 'price') - figure(other, 'price'),
    );
}

function trialOfChips(ctx: RenderContext): Trial {
  const left = chipsBySize(ctx.description, ctx.state);
  let done = false;
  return {
    next() {
      const value = done ? undefined : left.shift();
      if (value === undefined) return undefined;
      const state = withPreset(ctx.state, 'chip', value);
      return { value, input: searchedInput(ctx.engine, state), changes: [] };
    },
    tell: (plan) => {
      done = plan !== undefined;
    },
  };
}

/** The longest sequence with each other software, one after the other. */
function trialOfSoftware(ctx: RenderContext): Trial {
  const { description, engine, state } = ctx;
  const left = otherTuners(description, state).map((stack) => {
    const input = searchedInput(engine, withStack(description, state, stack));
    return { stack, trial: trialOfSizes('sequence', input, ctx) };
  });
  return {
    next() {
      for (let first = left[0]; first; left.shift(), first = left[0]) {
        const tried = first.trial.next();
        if (tried) return { ...tried, stack: first.stack };
      }
      return undefined;
    },
    tell: (plan) => left[0]!.trial.tell(plan),
  };
}

function trialOf(what: MostOf, input: PlanInput, ctx: RenderContext): Trial {
  if (what === 'chip') return trialOfChips(ctx);
  return what === 'software' ? trialOfSoftware(ctx) : trialOfSizes(what, input, ctx);
}

/** Searches for each; `told` is called with what was found, and `more` takes a further search. */
export function mostTasks(
  ctx: RenderContext,
  planner: Planner,
  input: PlanInput,
  told: (what: MostOf, most: Most) => void,
  more: (task: Task) => void,
): Task[] {
  return questionsOf(ctx).flatMap((what): Task[] => {
    const key = keyOf(input, what);
    const before = known.get(key);
    if (before) {
      told(what, before);
      return [];
    }
    const trial = trialOf(what, input, ctx);
    let most: Most = 'nothing';
    const taskOf = (tried: Tried): Task => ({
      start: () => {
        const reply = planner.search(tried.input);
        return reply.ok ? reply.search : undefined;
      },
      bestOnly: true,
      found: (search, _progress, over) => {
        if (!over) return;
        const plan = search?.chosen();
        const { value, changes, stack } = tried;
        // Sizes of one software grow, but those of another begin anew.
        const isMost = most === 'nothing' || value > most.value;
        if (plan && isMost) most = { value, plan, changes, stack };
        trial.tell(plan);
        go(more);
      },
    });
    const go = (next: (task: Task) => void): void => {
      const tried = trial.next();
      if (tried) return next(taskOf(tried));
      known.set(key, most);
      told(what, most);
    };
    const first: Task[] = [];
    go((task) => first.push(task));
    return first;
  });
}

/** The values found so far, each with a button that takes it over. */
export function mostTable(ctx: RenderContext, found: ReadonlyMap<MostOf, Most>): TemplateResult {
  const { format, text, actions } = ctx;
  const { most: words } = text.planner;
  const say = (what: MostOf, { value, stack }: Exclude<Most, 'nothing'>): string => {
    if (what === 'chip') return chipOf(String(value)).name;
    const tokens = format.say(Number(value), 'tokens');
    if (what === 'sequence') return tokens;
    if (stack) return ctx.fill(words.with, { tokens, software: stack.name });
    return ctx.fill(words.sequences, { n: format.count(Number(value)) }, { n: Number(value) });
  };
  const take = (what: MostOf, { value, plan, changes, stack }: Exclude<Most, 'nothing'>): void => {
    if (what === 'chip') actions.choosePreset('chip', String(value));
    else if (stack) {
      const { description } = ctx;
      const set = (state: State, [id, to]: Changes[number]): State =>
        withField(description, state, id, to);
      actions.go(changes.reduce(set, withStack(description, ctx.state, stack)));
    } else if (what === 'sequence') actions.move(changes, true);
    else actions.move([...changes, ...changesTo(plan.layout)], true);
  };
  const row = (what: MostOf): TemplateResult => {
    const most = found.get(what);
    const name = ctx.fill(words.names[what], {
      tokens: format.say(Number(ctx.value('run.sequenceLength')), 'tokens'),
    });
    const known = typeof most === 'object';
    const layout = known ? sayLayout(ctx, most.plan) : nothing;
    return html`<tr data-most=${what}>
      <th scope="row" class="words">${name} <span class="note small-only">${layout}</span></th>
      <td class="words">
        ${known ? html`<strong>${say(what, most)}</strong>` : most ? words[most] : words.waiting}
      </td>
      <td class="words wider">${layout}</td>
      <td class="action">
        ${
          known
            ? html`<button
                type="button"
                class="why"
                aria-label=${ctx.fill(words.take, { what: name, value: say(what, most) })}
                @click=${() => take(what, most)}
              >
                ${text.planner.use}
              </button>`
            : nothing
        }
      </td>
    </tr>`;
  };
  return html`<p class="means">${words.lead}</p>
    <table class="most">
      <thead>
        <tr>
          <th scope="col" class="words">${words.what}</th>
          <th scope="col" class="words">${words.value}</th>
          <th scope="col" class="words wider">${text.planner.levers.layout}</th>
          <th class="action"><span class="hidden">${text.planner.use}</span></th>
        </tr>
      </thead>
      <tbody>
        ${questionsOf(ctx).map(row)}
      </tbody>
    </table>`;
}
