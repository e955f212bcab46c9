import { html, nothing, type TemplateResult } from 'lit';
import type { FieldId } from '../../../model/fields.ts';
import { isOwned, isPlanned, withField, withView, type State } from '../../../model/state.ts';
import { views, type Question } from '../../../model/views.ts';
import { costRow, whyUnknown } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../kit/results.ts';
import { runAlong } from '../../parts/question/machines.ts';
import { withUnusual } from '../../parts/question/question.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { fieldsOf, type Row, type View } from '../../parts/view.ts';
import { budgetChoices, optimal } from './choices.ts';
import { best, mfuOf, planOf, tokensLikely } from './reached.ts';

/** The training that a sum of money, or chips for some days, can pay for. */
export const budget: View = {
  sentence,
  groups: ['run', 'budget', 'chip'],
  along: runAlong,
  panels: (ctx) => [
    { key: 'budget', group: 'budget', fields: fieldsOf(ctx, 'budget'), gist: '' },
    { key: 'run', group: 'run', fields: asked(ctx) },
    {
      key: 'chip',
      group: 'chip',
      fields: isPlanned(ctx.state) ? fieldsOf(ctx, 'chip') : fieldsOf(ctx, 'chip', 'main', 'price'),
    },
    { key: 'model', group: 'model', fields: fieldsOf(ctx, 'model') },
  ],
  lead: budgetChoices,
  rows,
  summary,
  best,
  // The cheaper plan is the one of which a sum buys more.
  asSides: (ctx, results) => there(ctx, results, 'plan'),
};

/** The question in words; of a prediction with the MFU that its layout reaches, once that is found. */
function sentence(ctx: RenderContext): string {
  const { sentence: words } = ctx.text;
  const kind = isTime(ctx) ? 'time' : 'money';
  if (!isPlanned(ctx.state)) return withUnusual(ctx, words.budget[kind]);
  const { found, layout } = ctx.state;
  const plan = found || layout === 'fixed' ? planOf(ctx) : undefined;
  const reached = plan
    ? ctx.fill(words.budgetReached[layout], {
        mfu: ctx.format.say(Number(plan['mfu']), '%'),
        goodput: ctx.format.say(Number(plan['goodput']), '%'),
      })
    : words.budgetSought;
  return withUnusual(ctx, words.budgetPredicted[kind]).replace('{atMfu}', reached);
}

const isTime = (ctx: RenderContext): boolean => ctx.value('budget.kind') === 'time';

/** Fields of a run that a budget rests on. */
const ofRun: readonly FieldId[] = [
  'run.trained',
  'run.trainedLayers',
  'run.trainHead',
  'run.loraRank',
  'run.loraTargets',
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

/** Of a predicted training, what the budget says itself: its MFU and its data. */
const ofOthers: readonly FieldId[] = [
  'run.mfu',
  'run.corpus',
  'run.examples',
  'run.exampleTokens',
  'run.epochs',
];

/** Fields that change the answers: sequences do if their attention is counted, and all of a run if it
 * is planned, but for its MFU and what the book keeps in memory. */
function asked(ctx: RenderContext): FieldId[] {
  if (isPlanned(ctx.state)) {
    const topics = views[views[ctx.state.view].predictedBy!].topics?.run ?? [];
    return fieldsOf(ctx, 'run', ...topics).filter((id) => !ofOthers.includes(id));
  }
  const exact = ctx.value('run.flopsRule') === 'exact';
  return fieldsOf(ctx, 'run').filter(
    (id) => ofRun.includes(id) && (exact || !exactOnly.includes(id)),
  );
}

function rows(ctx: RenderContext, results: Results): Row[] {
  const { budgeted: words, by } = ctx.text;
  const say = (key: string): string => results.say(key);
  const ratio = results.number('budgetRatio');
  const tokens = results.number('budgetTokens') ?? 0;
  const known = ratio !== undefined;
  const unknown = known ? '' : whyUnknown(ctx, results, 'budgetTokens');
  const parts = {
    hours: say('chipHours'),
    flops: say('totalFlops'),
    active: say('activeParameters'),
    ratio: say('budgetRatio'),
  };
  const rule = ctx.value('run.flopsRule') as keyof typeof by.flopsRule;
  const plan = isPlanned(ctx.state) ? planOf(ctx) : undefined;
  const [low, high] = tokensLikely(ctx, ctx.state, results.all) ?? [];
  const unit = results.spoken('budgetTokens');
  return [
    {
      key: 'budgetTokens',
      means: known
        ? ctx.sentences([
            low === undefined || high === undefined
              ? ''
              : ctx.fill(words.likely, { range: ctx.format.range(low, high, unit) }),
            plan
              ? ctx.fill(words.reached, {
                  plan: ctx.format.say(Number(plan['mfu']), '%'),
                  goodput: ctx.format.say(Number(plan['goodput']), '%'),
                  mfu: mfuOf(ctx, plan),
                })
              : ctx.fill(words.assumed, { mfu: ctx.say('run.mfu', ctx.value('run.mfu')) }),
            plan && plan['mfu'] !== plan['mfuExact']
              ? ctx.fill(ctx.text.says.mfuExact, {
                  mfu: ctx.format.say(Number(plan['mfu']), '%'),
                  exact: ctx.format.say(Number(plan['mfuExact']), '%'),
                })
              : '',
            ctx.fill(words.tokens, parts),
            ratio > 2 * optimal ? words.above : words.below,
            tokens < Number(ctx.value('run.batchTokens')) ? words.lessThanStep : '',
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
            results.absence('loss') === 'notApplicable' ? words.noLaw : '',
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
    ...lossRows(ctx, results),
  ];
}

/** What a scaling law says of the budget, and of the model with its tokens; nothing of others than
 * dense models that are trained whole. */
function lossRows(ctx: RenderContext, results: Results): Row[] {
  if (results.number('loss') === undefined) return [];
  const { budgeted: words } = ctx.text;
  const say = (key: string): string => results.say(key);
  const served = Number(ctx.value('budget.servedTokens'));
  const by = ctx.say('budget.law', ctx.value('budget.law'));
  return [
    {
      key: 'loss',
      means: ctx.sentences([
        ctx.fill(words.loss, { least: say('optimalLoss') }),
        ctx.fill(words.over, { saving: say('overtraining') }),
        words.doubts,
      ]),
      by,
      related: ['excessLoss', 'overtraining', 'neededFlops', 'optimalLoss'],
    },
    {
      key: 'optimalParameters',
      means: ctx.sentences([
        ctx.fill(words.optimalSize, { tokens: say('optimalTokens'), loss: say('optimalLoss') }),
        ctx.fill(words.byRatio, {
          largest: say('largestParameters'),
          ratio: ctx.say('budget.tokensPerParameter', ctx.value('budget.tokensPerParameter')),
        }),
        served > 0
          ? ctx.fill(words.served, {
              served: ctx.format.say(served, 'tokens'),
              parameters: say('lifeParameters'),
              tokens: say('lifeTokens'),
              saving: say('lifeSaving'),
            })
          : '',
      ]),
      by,
      related: [
        'optimalTokens',
        ...(served > 0 ? ['lifeParameters', 'lifeTokens', 'lifeSaving'] : []),
      ],
    },
  ];
}

/** The question of a view for the tokens that the budget buys, in whole batches at least. */
function there(ctx: RenderContext, results: Results, view: Question): State {
  const least = Number(ctx.value('run.batchTokens'));
  const tokens = Math.min(1e18, Math.max(least, Math.floor(results.number('budgetTokens') ?? 0)));
  return withField(ctx.description, withView(ctx.state, view), 'run.tokens', tokens);
}

/** Leads to the training that the budget buys: as it is counted, or to its plan. */
export function onwards(ctx: RenderContext, results: Results): TemplateResult {
  const { format } = ctx;
  const { budgeted: words } = ctx.text;
  const training = there(ctx, results, 'training');
  const tokens = Number(training.edits.run['tokens'] ?? ctx.base('run.tokens'));
  return html`<p class="onwards">
    ${
      isPlanned(ctx.state)
        ? nothing
        : html`<button type="button" @click=${() => ctx.actions.go(training)}>
            ${ctx.fill(words.train, { tokens: format.say(tokens, 'tokens') })}
          </button>`
    }
    <button type="button" @click=${() => ctx.actions.go(there(ctx, results, 'plan'))}>
      ${words.plan}
    </button>
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
