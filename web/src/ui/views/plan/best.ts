import { html, nothing, type TemplateResult } from 'lit';
import type { Plan } from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Answers } from '../../../model/evaluate.ts';
import { shapes } from '../../parts/answers/bound.ts';
import type { Scope } from '../../kit/scope.ts';
import { boundOf, isOwn, ownPlan, sayLayout, sayPipeline, sayReasons } from './layouts.ts';

/** As many as help to choose. */
const most = 10;

/** Of layouts that are as fast, the first is the one that needs the least memory. */
function sayBest({ text: { planner } }: Scope, [first, ...others]: readonly Plan[]): string {
  const isFastest = others.every(({ expected }) => expected >= first!.expected);
  return isFastest ? planner.fastest : planner.leastMemory;
}

/** The best layouts and the reader's own, each with why it is slower than the first, and a button
 * that takes it over. */
export function bestTable(
  scope: Scope,
  plans: readonly Plan[],
  answers: Answers | undefined,
  use: (plan: Plan) => void,
): TemplateResult {
  const { text, format } = scope;
  const { planner } = text;
  const { columns } = planner;
  const best = plans[0]!;
  const listed = plans.slice(0, most);
  const own = answers && !listed.some((plan) => isOwn(scope, plan)) && ownPlan(scope, answers);
  const sparse = Number(scope.value('model.experts')) > 0;
  const column = (key: keyof typeof columns, kind: string): TemplateResult =>
    html`<th scope="col" class=${kind}>${columns[key]}</th>`;
  return html`<table class="best">
    <thead>
      <tr>
        ${column('layout', 'narrow words')} ${column('tensor', 'wide')} ${column('context', 'wide')}
        ${column('pipeline', 'wide')} ${sparse ? column('expert', 'wide') : nothing}
        ${column('data', 'wide')} ${column('microBatch', 'wide')}
        ${column('sharding', 'wide words')} ${column('recompute', 'wide words')}
        ${column('step', '')} ${column('memory', 'middle')} ${column('mfu', 'middle')}
        ${column('bound', 'wide words')} ${column('why', 'wide words')}
        <th class="action"><span class="hidden">${planner.use}</span></th>
      </tr>
    </thead>
    <tbody>
      ${[...listed, ...(own ? [own] : [])].map((plan, index) => {
        const { layout } = plan;
        const ofReader = plan === own || isOwn(scope, plan);
        const said = sayLayout(scope, plan);
        const reasons = [
          plan.fits ? '' : planner.tooLarge,
          index === 0 ? sayBest(scope, plans) : sayReasons(scope, plan, best),
        ]
          .filter(Boolean)
          .join(planner.comma);
        const which = boundOf(plan.bound);
        return html`<tr data-plan=${plan === own ? 'own' : index} ?data-own=${ofReader}>
          <td class="narrow words">
            ${said} <span class="note">${reasons}</span>
            <span class="note small-only"
              >${format.say(plan.memory, 'B')} · ${format.say(plan.mfu, '%')} ${columns.mfu}</span
            >
          </td>
          <td class="wide">${layout.tensor}</td>
          <td class="wide">${layout.context}</td>
          <td class="wide">${sayPipeline(layout)}</td>
          ${sparse ? html`<td class="wide">${layout.expert}</td>` : nothing}
          <td class="wide">${format.count(plan.dataWays)}</td>
          <td class="wide">${layout.microBatch}</td>
          <td class="wide words whole">${scope.choice('layout.sharding', layout.sharding)}</td>
          <td class="wide words">${scope.choice('layout.recompute', layout.recompute)}</td>
          <td><strong>${format.say(plan.expected, stepTime)}</strong></td>
          <td class="middle">${format.say(plan.memory, 'B')}</td>
          <td class="middle">
            ${format.say(plan.mfu, '%')}
            ${
              plan.mfu > 1
                ? html`<span class="note"
                    >${scope.fill(planner.mfuInFact, { exact: format.say(plan.mfuExact, '%') })}</span
                  >`
                : nothing
            }
          </td>
          <td class="wide words">
            <span class="bound ${which}"
              ><span class="shape" aria-hidden="true">${shapes[which]}</span>
              ${scope.choiceOfAnswer('nextBound', plan.bound)}</span
            >
          </td>
          <td class="wide words">${reasons}</td>
          <td class="action">
            ${
              ofReader
                ? html`<span class="used">${planner.used}</span>`
                : html`<button
                    type="button"
                    class="why"
                    aria-label=${scope.fill(planner.useLabel, { layout: said })}
                    @click=${() => use(plan)}
                  >
                    ${planner.use}
                  </button>`
            }
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
