import { html, type TemplateResult } from 'lit';
import type { Lever, Plan } from '../../engine/index.ts';
import type { Scope } from '../scope.ts';
import { sayLayout } from './layouts.ts';

/** What a lever leads to: a plan; nothing where none fits, or where it can't be pulled. */
export type Pulled = Plan | 'nothing' | 'none';

/** Of the same tokens, the batch of this lever takes fewer steps. */
const stepsSaved = (lever: Lever): number => (lever === 'largerBatch' ? 2 : 1);

/** Training time with it, against that without. */
const ratioOf = (lever: Lever, plan: Plan, best: Plan): number =>
  plan.expected / stepsSaved(lever) / best.expected;

/** What each change would gain, the greatest gain first once all are known. */
export function leverTable(
  scope: Scope,
  levers: readonly Lever[],
  pulled: ReadonlyMap<Lever, Pulled>,
  best: Plan,
): TemplateResult {
  const { format, text } = scope;
  const { levers: words } = text.planner;
  const ratio = (lever: Lever): number => {
    const plan = pulled.get(lever);
    return typeof plan === 'object' ? ratioOf(lever, plan, best) : Infinity;
  };
  const complete = levers.every((lever) => pulled.has(lever));
  const ordered = complete ? [...levers].sort((a, b) => ratio(a) - ratio(b)) : levers;
  const signed = (value: number, say: (size: number) => string): string =>
    `${value > 0 ? '+' : '−'}${say(Math.abs(value))}`;
  const cells = (lever: Lever): TemplateResult => {
    const plan = pulled.get(lever);
    if (typeof plan !== 'object') {
      const said = plan ? words[plan] : words.waiting;
      return html`<td></td>
        <td></td>
        <td class="words note">${said}</td>`;
    }
    const gain = ratio(lever) - 1;
    const saved = gain * best.expected;
    const same = Math.abs(gain) < 0.0005;
    return html`<td>
        <strong>${same ? '0' : signed(gain, (size) => format.say(size, '%'))}</strong>
      </td>
      <td>${same ? '' : signed(saved, (size) => format.say(size, 's'))}</td>
      <td class="words">${sayLayout(scope, plan)}</td>`;
  };
  return html`<p class="means">${words.lead}</p>
    <table class="levers">
      <thead>
        <tr>
          <th scope="col" class="words">${words.what}</th>
          <th scope="col">${words.gain}</th>
          <th scope="col">${words.step}</th>
          <th scope="col" class="words">${words.layout}</th>
        </tr>
      </thead>
      <tbody>
        ${ordered.map(
          (lever) =>
            html`<tr data-lever=${lever}>
              <th scope="row" class="words">${words.names[lever]}</th>
              ${cells(lever)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}
