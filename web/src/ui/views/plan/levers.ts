import { html, nothing, type TemplateResult } from 'lit';
import type { Lever, Plan, Planner } from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { Memo } from './finder.ts';
import { keyOf, type PlanInput } from './input.ts';
import { sayLayout } from './layouts.ts';
import type { Task } from './searching.ts';

/** The result of a lever: a plan; 'nothing' if none fits, 'none' if it cannot be pulled. */
export type Pulled = Plan | 'nothing' | 'none';

/** Training time with it, against that without. */
const ratioOf = (plan: Plan, best: Plan): number => plan.wallTime / best.wallTime;

/** Gains below are none. */
const worthSaying = 0.0005;

/** Its layouts are found as if there were memory enough. */
const takesMemory: Lever = 'lessRecompute';

/** The lever with the largest gain worth reporting, besides more chips, which help nearly always, and
 *  what takes more memory than the `limit` of a chip. */
export function bestLever(
  pulled: ReadonlyMap<Lever, Pulled>,
  best: Plan,
  limit: number,
): { lever: Lever; gain: number } | undefined {
  const gains = [...pulled].flatMap(([lever, plan]) =>
    typeof plan === 'object' &&
    lever !== 'moreChips' &&
    (lever !== takesMemory || plan.memory <= limit)
      ? [{ lever, gain: 1 - ratioOf(plan, best) }]
      : [],
  );
  const most = gains.sort((a, b) => b.gain - a.gain)[0];
  return most && most.gain >= 0.01 ? most : undefined;
}

const known = new Memo<Pulled>();

/** Searches for what each lever leads to; `told` is called with it. */
export const leverTasks = (
  planner: Planner,
  input: PlanInput,
  told: (lever: Lever, pulled: Pulled) => void,
): Task[] =>
  planner.levers.flatMap((lever): Task[] => {
    const key = keyOf(input, lever);
    const before = known.get(key);
    if (before) {
      told(lever, before);
      return [];
    }
    return [
      {
        start: () => {
          const reply = planner.pull(input, lever);
          return (reply.ok && reply.search) || undefined;
        },
        bestOnly: true,
        found: (search, _progress, over) => {
          if (!over) return;
          const pulled = search ? (search.chosen() ?? 'nothing') : 'none';
          known.set(key, pulled);
          told(lever, pulled);
        },
      },
    ];
  });

/** The gain of each lever, in descending order once all are known. */
export function leverTable(
  ctx: RenderContext,
  levers: readonly Lever[],
  pulled: ReadonlyMap<Lever, Pulled>,
  best: Plan,
): TemplateResult {
  const { format, text } = ctx;
  const { levers: words } = text.planner;
  const ratio = (lever: Lever): number => {
    const plan = pulled.get(lever);
    return typeof plan === 'object' ? ratioOf(plan, best) : Infinity;
  };
  const complete = levers.every((lever) => pulled.has(lever));
  const ordered = complete ? [...levers].sort((a, b) => ratio(a) - ratio(b)) : levers;
  const signed = (value: number, say: (size: number) => string): string =>
    `${value > 0 ? '+' : '−'}${say(Math.abs(value))}`;
  const row = (lever: Lever): TemplateResult => {
    const plan = pulled.get(lever);
    const known = typeof plan === 'object';
    const gain = known ? ratioOf(plan, best) - 1 : 0;
    const same = Math.abs(gain) < worthSaying;
    const layout = known ? sayLayout(ctx, plan) : plan ? words[plan] : words.waiting;
    const said =
      known && lever === takesMemory
        ? ctx.fill(words.needs, { layout, memory: format.say(plan.memory, 'B') })
        : layout;
    return html`<tr data-lever=${lever}>
      <th scope="row" class="words">
        ${words.names[lever]} <span class="note small-only">${said}</span>
      </th>
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
