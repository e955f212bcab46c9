import { html, nothing, type TemplateResult } from 'lit';
import { looks } from '../../../charts/kit/looks.ts';
import { strip } from '../../../charts/stack/stack.ts';
import type { Plan } from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Answers } from '../../../model/evaluate.ts';
import { shapes } from '../../parts/answers/bound.ts';
import { isSparse } from '../../kit/model-parts.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { boundOf, isOwn, ownPlan, sayLayout, sayPipeline, sayReasons } from './layouts.ts';
import { sayRecomputed } from './recomputed.ts';
import { spentBy } from './shares.ts';

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

type Content = TemplateResult | typeof nothing;

/** The parts of a layout's step as a bar, on a scale that all rows share. */
function spentStrip(ctx: RenderContext, plan: Plan, row: number, longest: number): TemplateResult {
  const { drawn, comma } = ctx.text.planner;
  const parts = spentBy(plan)
    .filter(({ value }) => value > 0)
    .map(({ look, value }) => ({
      look: looks[look],
      value,
      label: `${drawn.pieces[look]} ${ctx.format.say(value, stepTime)}`,
    }));
  const title = parts.map(({ label }) => label).join(comma);
  return strip({ name: `spent-${row}`, title, parts }, longest);
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
  const own = answers && !listed.some((plan) => isOwn(ctx, plan)) && ownPlan(ctx, answers);
  const rows = [...listed, ...(roomy ? [roomy] : []), ...(own ? [own] : [])];
  const longest = Math.max(...rows.map(({ expected }) => expected));
  // What is the same in all rows, and nothing, has no column.
  const divided = (key: 'tensor' | 'context' | 'pipeline' | 'expert'): boolean =>
    rows.some(({ layout }) => layout[key] > 1);
  const has = {
    tensor: divided('tensor'),
    context: divided('context'),
    pipeline: divided('pipeline'),
    expert: isSparse(ctx) && divided('expert'),
    data: rows.some(({ dataWays }) => dataWays > 1),
    sharding: rows.some(({ layout }) => layout.sharding !== 'none'),
    bound: new Set(rows.map(({ bound }) => bound)).size > 1,
  };
  const wide = (key: keyof typeof has, content: unknown, kind = ''): Content =>
    has[key] ? html`<td class="wide ${kind}">${content}</td>` : nothing;
  const head = (key: keyof typeof has, kind = ''): Content =>
    has[key] ? column(key, `wide ${kind}`) : nothing;
  const column = (key: keyof typeof columns, kind: string): TemplateResult =>
    html`<th scope="col" class=${kind}>${columns[key]}</th>`;
  return html`<table class="best">
    <thead>
      <tr>
        ${column('layout', 'narrow words')} ${head('tensor')} ${head('context')} ${head('pipeline')}
        ${head('expert')} ${head('data')} ${column('microBatch', 'wide')}
        ${head('sharding', 'words')} ${column('recompute', 'wide words')} ${column('step', '')}
        <th scope="col" class="wide"><span class="hidden">${planner.drawn.goes}</span></th>
        ${column('memory', 'middle')} ${column('mfu', 'middle')} ${head('bound', 'words')}
        ${column('why', 'wide words')}
        <th class="action"><span class="hidden">${planner.use}</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((plan, index) => {
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
              >${format.say(plan.memory, 'B')} · ${format.say(plan.mfuExact, '%')}
              ${columns.mfu}</span
            >
          </td>
          ${wide('tensor', layout.tensor)} ${wide('context', layout.context)}
          ${wide('pipeline', sayPipeline(ctx, layout))} ${wide('expert', layout.expert)}
          ${wide('data', format.count(plan.dataWays))}
          <td class="wide">${layout.microBatch}</td>
          ${wide('sharding', ctx.choice('layout.sharding', layout.sharding), 'words whole')}
          <td class="wide words">${sayRecomputed(ctx, plan)}</td>
          <td><strong>${format.say(plan.expected, stepTime)}</strong></td>
          <td class="wide words spent">${spentStrip(ctx, plan, index, longest)}</td>
          <td class="middle">${format.say(plan.memory, 'B')}</td>
          <td class="middle">${format.say(plan.mfuExact, '%')}</td>
          ${wide(
            'bound',
            html`<span class="bound ${which}"
              ><span class="shape" aria-hidden="true">${shapes[which]}</span>
              ${ctx.choiceOfAnswer('nextBound', plan.bound)}</span
            >`,
            'words',
          )}
          <td class="wide words">${reasons}</td>
          <td class="action">
            ${
              ofReader
                ? // What was pressed here is gone, and its focus stays.
                  html`<span class="used" tabindex="-1">${planner.used}</span>`
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
