import type { Topic } from '../../../engine/index.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Results } from '../../kit/results.ts';
import { isSparse } from '../../kit/model-parts.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { trainsWeights } from '../../kit/trained.ts';
import { runAlong } from '../../parts/question/machines.ts';
import { withData, withUnusual } from '../../parts/question/question.ts';
import { fieldsOf, type Panel, type View } from '../../parts/view.ts';
import { isMeasured, planRows } from './answers.ts';
import { layoutSteps } from './along.ts';
import { makeFinder } from './finder.ts';
import { planForward } from './forward.ts';
import { best, sides } from './sides.ts';
import { sayStack, stackChoice } from './stacks.ts';
import { ownPlan, sayKept } from './layouts.ts';
import { planSections } from './search-section.ts';

/** The view of plans: the division of a training among chips. */
export const plan: View = {
  sentence: (ctx) => withLayout(ctx, false),
  words: (ctx) => withLayout(ctx, isKnown(ctx)),
  groups: ['run', 'layout'],
  along: (ctx, id) => runAlong(ctx, id) ?? layoutSteps(ctx, id),
  panels,
  rows: planRows,
  summary,
  sections: planSections,
  finder: makeFinder,
  forward: planForward,
  ways: 'layout',
  best,
  sides,
};

/** Whether there is a layout: the reader's, or one that was found. */
const isKnown = ({ state: { layout, found } }: RenderContext): boolean =>
  layout === 'fixed' || found !== undefined;

const ways = ['tensor', 'context', 'pipeline'] as const;
const waysOfSentence: readonly FieldId[] = ways.map((key): FieldId => `layout.${key}`);

/** A layout that the reader fixed stands in the sentence, unless it is being fixed in its panel; one
 * that was found stands in the drawing, where its ways can be changed. */
const isInSentence = ({ state: { layout }, focused }: RenderContext): boolean =>
  layout === 'fixed' &&
  !(focused?.place === undefined && waysOfSentence.includes(focused?.id as FieldId));

/** The sentence with its layout; `told` says also the ways of one that was found. */
function withLayout(ctx: RenderContext, told: boolean): string {
  const words = ctx.text.sentence;
  const sentence = withUnusual(ctx, withData(ctx, words.plan, words.planTuning));
  if (isInSentence(ctx) || (told && ctx.state.layout === 'fixed'))
    return sentence.replace('{layout}', waysOf(ctx));
  if (ctx.state.layout === 'fixed') return sentence.replace('{layout}', words.planFixed);
  const kept = sayKept(ctx);
  const best = kept ? words.planKept.replace('{kept}', kept) : words.planBest;
  const found = words.planFound.replace('{best}', best).replace('{layout}', waysOf(ctx));
  return sentence.replace('{layout}', told ? found : best);
}

/** The ways of the layout, with those that are left for data where they come out whole. */
function waysOf(ctx: RenderContext): string {
  const words = ctx.text.sentence;
  const chips = Number(ctx.value('run.chips'));
  const data = ways.reduce((left, key) => left / Number(ctx.value(`layout.${key}`)), chips);
  const whole = Number.isInteger(data) && data >= 1;
  return words.planLayout
    .replace('{rest}', whole ? words.planData : words.planRest)
    .replace('{data}', ctx.format.count(data))
    .replace('{experts}', isSparse(ctx) ? words.planExperts : '');
}

function panels(ctx: RenderContext): Panel[] {
  const { text } = ctx;
  const say = (id: FieldId): string => ctx.say(id, ctx.value(id));
  const layout = (topic: Topic): FieldId[] =>
    fieldsOf(ctx, 'layout', topic).filter((id) => !isIdle(ctx, id));
  const searched = fieldsOf(ctx, 'search');
  const pinned = searched
    .filter((id) => ctx.value(id) === false && ctx.differs(id))
    .map((id) => ctx.label(id.replace('search.', 'layout.') as FieldId));
  return [
    {
      key: 'layout',
      group: 'layout',
      // The sentence has the ways of a layout that is fixed.
      fields: layout('main').filter((id) => !(isInSentence(ctx) && waysOfSentence.includes(id))),
      // The sharding is unknown while the search runs.
      gist: isKnown(ctx) ? say('layout.sharding') : '',
    },
    {
      key: 'states',
      group: 'layout',
      fields: layout('states'),
      gist: `${say('layout.recompute')} · ${say('layout.optimizer')}`,
    },
    {
      key: 'stack',
      group: 'stack',
      fields: fieldsOf(ctx, 'stack').filter((id) => !isIdle(ctx, id)),
      gist: sayStack(ctx),
      lead: () => stackChoice(ctx),
    },
    {
      key: 'search',
      group: 'search',
      fields: searched,
      gist:
        pinned.length > 0
          ? ctx.fill(text.panels.search.gist, { pinned: pinned.join(text.planner.comma) })
          : '',
    },
    {
      key: 'efficiency',
      group: 'assumptions',
      fields: fieldsOf(ctx, 'assumptions', 'main'),
      gist: isMeasured(ctx)
        ? say('assumptions.rates')
        : (['compute', 'memory', 'network'] as const)
            .map((key) => say(`assumptions.${key}Efficiency`))
            .join(' · '),
    },
    {
      key: 'tuning',
      group: 'run',
      fields: fieldsOf(ctx, 'run', 'tuning'),
      gist: say('run.trained'),
    },
    {
      key: 'run',
      group: 'run',
      fields: [...fieldsOf(ctx, 'run', 'main', 'formats'), ...layout('formats')],
    },
    {
      key: 'reliability',
      group: 'assumptions',
      fields: fieldsOf(ctx, 'assumptions', 'reliability'),
      gist: ctx.fill(text.panels.reliability.gist, { hours: say('assumptions.chipMttf') }),
    },
    {
      key: 'chip',
      group: 'chip',
      fields: fieldsOf(ctx, 'chip'),
    },
    { key: 'model', group: 'model', fields: fieldsOf(ctx, 'model') },
  ];
}

/** Fields that matter only with other ways than one. */
const needs: Partial<Record<FieldId, (typeof ways)[number]>> = {
  'layout.sequenceParallel': 'tensor',
  'layout.contextKind': 'context',
  'layout.schedule': 'pipeline',
  'layout.virtualStages': 'pipeline',
  'layout.stageLayers': 'pipeline',
};

function isIdle(ctx: RenderContext, id: FieldId): boolean {
  if (ctx.invalid(id)) return false;
  const other = needs[id];
  if (id.startsWith('stack.')) return isIdleOfStack(ctx, id);
  if (id === 'layout.shardGroup') return ctx.value('layout.sharding') === 'none';
  return other !== undefined && ctx.value(`layout.${other}`) === 1;
}

/** Host and kernels only affect measured rates. */
function isIdleOfStack(ctx: RenderContext, id: FieldId): boolean {
  const matters: Partial<Record<FieldId, boolean>> = {
    'stack.software': isMeasured(ctx) && trainsWeights(ctx),
    'stack.flash': isMeasured(ctx) && ctx.value('layout.attentionKernel') === 'flash',
    'stack.graphs': isMeasured(ctx),
    'stack.kernels': isMeasured(ctx) && ctx.value('stack.graphs') !== 'full',
    'stack.timer': isMeasured(ctx) && ctx.value('stack.graphs') !== 'full',
    'stack.tensorOverlap': isMeasured(ctx),
    'stack.dataOverlap': isMeasured(ctx),
    'stack.fp8Gather': ctx.value('layout.fp8Matmuls') === true,
    'stack.rowwiseScales': isMeasured(ctx) && ctx.value('layout.fp8Matmuls') === true,
  };
  return !(matters[id] ?? true);
}

function summary(ctx: RenderContext, results: Results): string {
  const { summary: words } = ctx.text;
  const own = ownPlan(ctx, results.all);
  const sentences = { over: words.planOver, tight: words.planTight, fits: words.plan };
  const parts = {
    time: results.say('stepExpected'),
    bound: results.say('planBound'),
    memory: results.say('memoryUsed'),
    limit: results.say('memoryLimit'),
    mfu: results.say('mfuExact'),
    days: results.say('wallTime'),
    cost: results.say('wallCost'),
  };
  return [sentences[own.memoryState], results.number('wallCost') === undefined ? '' : words.cost]
    .filter(Boolean)
    .map((each) => ctx.fill(each, parts))
    .join(words.between);
}
