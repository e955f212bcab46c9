import { html, type TemplateResult } from 'lit';
import type { FieldId } from '../../../model/fields.ts';
import { isOwned, withField, withView, type State } from '../../../model/state.ts';
import type { Question } from '../../../model/views.ts';
import { costRow } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../kit/results.ts';
import { runAlong } from '../../parts/question/machines.ts';
import { withSlices } from '../../parts/question/question.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { fieldsOf, type Row, type View } from '../../parts/view.ts';
import { budgetChoices, optimal } from './choices.ts';

/** The training that a sum of money, or chips for some days, can pay for. */
export const budget: View = {
  sentence: (ctx) => withSlices(ctx, ctx.text.sentence.budget[isTime(ctx) ? 'time' : 'money']),
  groups: ['run', 'budget', 'chip'],
  along: runAlong,
  panels: (ctx) => [
    { key: 'budget', group: 'budget', fields: fieldsOf(ctx, 'budget'), gist: '' },
    { key: 'run', group: 'run', fields: asked(ctx) },
    { key: 'chip', group: 'chip', fields: fieldsOf(ctx, 'chip', 'main', 'price') },
    { key: 'model', group: 'model', fields: fieldsOf(ctx, 'model') },
  ],
  lead: budgetChoices,
  rows,
  summary,
};

const isTime = (ctx: RenderContext): boolean => ctx.value('budget.kind') === 'time';

/** Fields of a run that a budget rests on. */
const ofRun: readonly FieldId[] = [
  'run.slices',
  'run.computeFormat',
  'run.flopsRule',
  'run.pue',
  'run.mfu',
  'run.sequenceLength',
  'run.attentionMask',
  'run.countLmHead',
];
const exactOnly: readonly FieldId[] = [
  'run.sequenceLength',
  'run.attentionMask',
  'run.countLmHead',
];

/** Fields that change the answers: sequences do if their attention is counted. */
function asked(ctx: RenderContext): FieldId[] {
  const exact = ctx.value('run.flopsRule') === 'exact';
  return fieldsOf(ctx, 'run').filter(
    (id) => ofRun.includes(id) && (exact || !exactOnly.includes(id)),
  );
}

function rows(ctx: RenderContext, results: Results): Row[] {
  const { budgeted: words, by } = ctx.text;
  const say = (key: string): string => results.say(key);
  const ratio = results.number('budgetRatio');
  const known = ratio !== undefined;
  const unknown = results.absence('budgetTokens') === undefined ? '' : ctx.text.says.costUnknown;
  const parts = {
    hours: say('chipHours'),
    flops: say('totalFlops'),
    active: say('activeParameters'),
    ratio: say('budgetRatio'),
  };
  const rule = ctx.value('run.flopsRule') as keyof typeof by.flopsRule;
  return [
    {
      key: 'budgetTokens',
      means: known
        ? ctx.sentences([
            ctx.fill(words.tokens, parts),
            ratio > 2 * optimal ? words.above : words.below,
          ])
        : ctx.fill(unknown, parts),
      by: by.flopsRule[rule],
      ...(!known && { changes: isOwned(ctx.state) ? 'chip.purchase' : 'chip.price' }),
      related: [
        'budgetRatio',
        'totalFlops',
        'chipHours',
        'trainingFlopsPerToken',
        'parameters',
        'activeParameters',
      ],
    },
    {
      key: 'largestParameters',
      means: known
        ? ctx.sentences([
            ctx.fill(words.largest, {
              tokens: say('largestTokens'),
              ratio: ctx.say('budget.tokensPerParameter', ctx.value('budget.tokensPerParameter')),
            }),
            words.noLoss,
          ])
        : unknown && ctx.fill(unknown, parts),
      by: words.byLargest,
      related: ['largestTokens', 'totalFlops'],
    },
    {
      key: 'trainingTime',
      means: ctx.fill(
        known ? words.time : unknown,
        { ...parts, chips: ctx.say('run.chips', ctx.value('run.chips')) },
        { chips: Number(ctx.value('run.chips')) },
      ),
      related: ['chipHours'],
    },
    costRow(ctx, results),
  ];
}

/** Trainings of the tokens that the budget buys, in whole batches at least. */
export function onwards(ctx: RenderContext, results: Results): TemplateResult {
  const { format } = ctx;
  const { budgeted: words } = ctx.text;
  const least = Number(ctx.value('run.batchTokens'));
  const tokens = Math.min(1e18, Math.max(least, Math.floor(results.number('budgetTokens') ?? 0)));
  const there = (view: Question): State =>
    withField(ctx.description, withView(ctx.state, view), 'run.tokens', tokens);
  return html`<p class="onwards">
    <button type="button" @click=${() => ctx.actions.go(there('training'))}>
      ${ctx.fill(words.train, { tokens: format.say(tokens, 'tokens') })}
    </button>
    <button type="button" @click=${() => ctx.actions.go(there('plan'))}>${words.plan}</button>
  </p>`;
}

function summary(ctx: RenderContext, results: Results): string {
  const { summary: words } = ctx.text;
  if (results.number('budgetTokens') === undefined) return words.budgetUnknown;
  return ctx.fill(words.budget, {
    tokens: results.say('budgetTokens'),
    model: ctx.called('model'),
    parameters: results.say('largestParameters'),
  });
}
