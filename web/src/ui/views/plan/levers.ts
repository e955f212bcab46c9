import { html, nothing, type TemplateResult } from 'lit';
import type { Lever, Plan, Planner, PlanSearch } from '../../../engine/index.ts';
import { otherTuners, withStack } from '../../../model/stacks.ts';
import { stepTime } from '../../../number/unit.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { Memo } from './finder.ts';
import { keyOf, searchedInput, type PlanInput } from './input.ts';
import { sayLayout } from './layouts.ts';
import type { Task } from './searching.ts';

/** The result of a change: a plan; 'nothing' if none fits, 'none' if it cannot be made. */
export type Pulled = Plan | 'nothing' | 'none';

/** A change whose gain is worth knowing: a lever of the planner, or other software. */
export interface Change {
  /** The lever, or the software's id. */
  readonly id: string;
  readonly name: string;
  /** Its name within a sentence. */
  readonly short: string;
  readonly software: boolean;
  start(planner: Planner, input: PlanInput): PlanSearch | undefined;
}

/** Training time with it, against that without. */
const ratioOf = (plan: Plan, best: Plan): number => plan.wallTime / best.wallTime;

/** Gains below are none. */
const worthSaying = 0.0005;

/** Its layouts are found as if there were memory enough. */
const takesMemory: Lever = 'lessRecompute';

/** Levers that take other hardware. */
const hardware: readonly string[] = [
  'moreChips',
  'fasterNetwork',
  'moreMemory',
  'fasterMemory',
] satisfies Lever[];

/** The changes to a state: the planner's levers, and the software that would train its adapters too. */
export function changesOf(ctx: RenderContext, { levers }: Planner): Change[] {
  const { description, engine, state } = ctx;
  const { names, short, software } = ctx.text.planner.levers;
  return [
    ...levers.map((lever): Change => ({
      id: lever,
      name: names[lever],
      short: short[lever],
      software: false,
      start: (planner, input) => {
        const reply = planner.pull(input, lever);
        return reply.ok ? (reply.search ?? undefined) : undefined;
      },
    })),
    ...otherTuners(description, state).map((stack): Change => ({
      id: stack.id,
      name: ctx.fill(software.name, { software: stack.name }),
      short: ctx.fill(software.short, { software: stack.name }),
      software: true,
      start: (planner) => {
        const reply = planner.search(searchedInput(engine, withStack(description, state, stack)));
        return reply.ok ? reply.search : undefined;
      },
    })),
  ];
}

/** The change with the largest gain worth reporting, besides more chips, which help nearly always, and
 *  what takes more memory than the `limit` of a chip. Software that gains goes before other hardware,
 *  which has to be paid for. */
export function bestChange(
  changes: readonly Change[],
  pulled: ReadonlyMap<string, Pulled>,
  best: Plan,
  limit: number,
): { change: Change; gain: number } | undefined {
  const gains = changes.flatMap((change) => {
    const plan = pulled.get(change.id);
    return typeof plan === 'object' &&
      change.id !== 'moreChips' &&
      (change.id !== takesMemory || plan.memory <= limit)
      ? [{ change, gain: 1 - ratioOf(plan, best) }]
      : [];
  });
  const worth = gains.filter(({ gain }) => gain >= 0.01).sort((a, b) => b.gain - a.gain);
  const [most] = worth;
  if (!most || !hardware.includes(most.change.id)) return most;
  return worth.find(({ change }) => change.software) ?? most;
}

const known = new Memo<Pulled>();

/** Searches for what each change leads to; `told` is called with its id. */
export const changeTasks = (
  changes: readonly Change[],
  planner: Planner,
  input: PlanInput,
  told: (id: string, pulled: Pulled) => void,
): Task[] =>
  changes.flatMap(({ id, start }): Task[] => {
    const key = keyOf(input, id);
    const before = known.get(key);
    if (before) {
      told(id, before);
      return [];
    }
    return [
      {
        start: () => start(planner, input),
        bestOnly: true,
        found: (search, _progress, over) => {
          if (!over) return;
          const pulled = search ? (search.chosen() ?? 'nothing') : 'none';
          known.set(key, pulled);
          told(id, pulled);
        },
      },
    ];
  });

/** The gain of each change, in descending order once all are known. */
export function leverTable(
  ctx: RenderContext,
  changes: readonly Change[],
  pulled: ReadonlyMap<string, Pulled>,
  best: Plan,
): TemplateResult {
  const { format, text } = ctx;
  const { levers: words } = text.planner;
  const ratio = ({ id }: Change): number => {
    const plan = pulled.get(id);
    return typeof plan === 'object' ? ratioOf(plan, best) : Infinity;
  };
  const complete = changes.every(({ id }) => pulled.has(id));
  const ordered = complete ? [...changes].sort((a, b) => ratio(a) - ratio(b)) : changes;
  const signed = (value: number, say: (size: number) => string): string =>
    `${value > 0 ? '+' : '−'}${say(Math.abs(value))}`;
  const row = ({ id, name }: Change): TemplateResult => {
    const plan = pulled.get(id);
    const known = typeof plan === 'object';
    const gain = known ? ratioOf(plan, best) - 1 : 0;
    const same = Math.abs(gain) < worthSaying;
    const layout = known ? sayLayout(ctx, plan) : plan ? words[plan] : words.waiting;
    const said =
      known && id === takesMemory
        ? ctx.fill(words.needs, { layout, memory: format.say(plan.memory, 'B') })
        : layout;
    return html`<tr data-lever=${id}>
      <th scope="row" class="words">${name} <span class="note small-only">${said}</span></th>
      <td>
        ${known ? html`<strong>${same ? '0' : signed(gain, (size) => format.say(size, '%'))}</strong>` : nothing}
      </td>
      <td class="wider">
        ${known && !same ? signed(gain * best.expected, (size) => format.say(size, stepTime)) : nothing}
      </td>
      <td class="words wider">${said}</td>
    </tr>`;
  };
  return html`<p class="means">${words.lead}</p>
    <table class="levers">
      <thead>
        <tr>
          <th scope="col" class="words">${words.what}</th>
          <th scope="col">${words.gain}</th>
          <th scope="col" class="wider">${words.step}</th>
          <th scope="col" class="words wider">${words.layout}</th>
        </tr>
      </thead>
      <tbody>
        ${ordered.map(row)}
      </tbody>
    </table>`;
}
