import { html, nothing, type TemplateResult } from 'lit';
import type { Plan } from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Answers } from '../../../model/evaluate.ts';
import { shapes } from '../../parts/answers/bound.ts';
import { isSparse } from '../../kit/experts.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import {
  boundOf,
  isOwn,
  mfuToTell,
  ownPlan,
  sayLayout,
  sayPipeline,
  sayReasons,
} from './layouts.ts';
import { sayRecomputed } from './recomputed.ts';

/** The number of rows that help to choose. */
const most = 10;

/** Says why the first layout is first: others may be as fast, but larger or of more kinds of ways. */
function sayBest(
  { text: { planner } }: RenderContext,
  [first, ...others]: readonly Plan[],
): string {
  const isFastest = others.every(({ expected }) => expected >= first!.expected);
  return isFastest ? planner.fastest : planner.leastMemory;
}

/** The best layouts and the reader's own, each with why it is slower than the first, and a button
 * that takes it over. */
export function bestTable(
  ctx: RenderContext,
  plans: readonly Plan[],
  roomy: Plan | undefined,
  answers: Answers | undefined,
  use: (plan: Plan) => void,
): TemplateResult {
  const { text, format } = ctx;
  const { planner } = text;
  const { columns } = planner;
  const best = plans[0]!;
  const listed = plans.slice(0, most);
  const told = mfuToTell(best);
  const own = answers && !listed.some((plan) => isOwn(ctx, plan)) && ownPlan(ctx, answers);
  const sparse = isSparse(ctx);
  const column = (key: keyof typeof columns, kind: string): TemplateResult =>
    html`<th scope="col" class=${kind}>${columns[key]}</th>`;
  return html`<table class="best">
    <thead>
      <tr>
        ${column('layout', 'narrow words')} ${column('tensor', 'wide')} ${column('context', 'wide')}
        ${column('pipeline', 'wide')} ${sparse ? column('expert', 'wide') : nothing}
        ${column('data', 'wide')} ${column('microBatch', 'wide')}
        ${column('sharding', 'wide words')} ${column('recompute', 'wide words')}
        ${column('step', '')} ${column('memory', 'middle')}
        <th scope="col" class="middle">${told === 'mfu' ? columns.mfu : columns.mfuExact}</th>
        ${column('bound', 'wide words')} ${column('why', 'wide words')}
        <th class="action"><span class="hidden">${planner.use}</span></th>
      </tr>
    </thead>
    <tbody>
      ${[...listed, ...(roomy ? [roomy] : []), ...(own ? [own] : [])].map((plan, index) => {
        const { layout } = plan;
        // The roomy one may differ from another in what it computes again alone.
        const ofReader = plan === own || (plan !== roomy && isOwn(ctx, plan));
        const said = sayLayout(ctx, plan);
        const reasons = [
          { over: planner.tooLarge, tight: planner.tight, fits: '' }[plan.memoryState],
          plan === roomy ? planner.roomy : '',
          index === 0 ? sayBest(ctx, plans) : sayReasons(ctx, plan, best),
        ]
          .filter(Boolean)
          .join(planner.comma);
        const which = boundOf(plan.bound);
        return html`<tr
          data-plan=${plan === own ? 'own' : plan === roomy ? 'roomy' : index}
          ?data-own=${ofReader}
        >
          <td class="narrow words">
            ${said} <span class="note">${reasons}</span>
            <span class="note small-only"
              >${format.say(plan.memory, 'B')} · ${format.say(plan[told], '%')}
              ${told === 'mfu' ? columns.mfu : columns.mfuExact}</span
            >
            <span class="note small-only">${columns.recompute}: ${sayRecomputed(ctx, plan)}</span>
          </td>
          <td class="wide">${layout.tensor}</td>
          <td class="wide">${layout.context}</td>
          <td class="wide">${sayPipeline(layout)}</td>
          ${sparse ? html`<td class="wide">${layout.expert}</td>` : nothing}
          <td class="wide">${format.count(plan.dataWays)}</td>
          <td class="wide">${layout.microBatch}</td>
          <td class="wide words whole">${ctx.choice('layout.sharding', layout.sharding)}</td>
          <td class="wide words">${sayRecomputed(ctx, plan)}</td>
          <td><strong>${format.say(plan.expected, stepTime)}</strong></td>
          <td class="middle">${format.say(plan.memory, 'B')}</td>
          <td class="middle">
            ${format.say(plan[told], '%')}
            ${
              told === 'mfu' && plan.mfu > 1
                ? html`<span class="note"
                    >${ctx.fill(planner.mfuInFact, { exact: format.say(plan.mfuExact, '%') })}</span
                  >`
                : nothing
            }
          </td>
          <td class="wide words">
            <span class="bound ${which}"
              ><span class="shape" aria-hidden="true">${shapes[which]}</span>
              ${ctx.choiceOfAnswer('nextBound', plan.bound)}</span
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
                    aria-label=${ctx.fill(planner.useLabel, { layout: said })}
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
