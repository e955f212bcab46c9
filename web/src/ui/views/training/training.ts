import { nothing } from 'lit';
import { gauge } from '../../../charts/gauge/gauge.ts';
import { kindOf, looks, type Part } from '../../../charts/kit/looks.ts';
import { stack } from '../../../charts/stack/stack.ts';
import { aside } from '../../../i18n/language.ts';
import { sayShare } from '../../../number/share.ts';
import { boundRow, type Bound } from '../../parts/answers/bound.ts';
import { runAlong } from '../../parts/question/machines.ts';
import { withData, withUnusual } from '../../parts/question/question.ts';
import { costRow } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../kit/results.ts';
import { type Row, fieldsOf, type View } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The view of trainings: time, memory and cost. */
export const training: View = {
  sentence: (ctx) =>
    withUnusual(ctx, withData(ctx, ctx.text.sentence.training, ctx.text.sentence.tuning)),
  groups: ['run'],
  along: runAlong,
  panels(ctx) {
    return [
      { key: 'memory', group: 'run', fields: fieldsOf(ctx, 'run', 'formats', 'memory') },
      { key: 'tuning', group: 'run', fields: fieldsOf(ctx, 'run', 'tuning') },
      { key: 'run', group: 'run', fields: fieldsOf(ctx, 'run', 'main', 'efficiency') },
      { key: 'chip', group: 'chip', fields: fieldsOf(ctx, 'chip') },
      { key: 'model', group: 'model', fields: fieldsOf(ctx, 'model') },
    ];
  },
  rows,
  summary,
  best: { key: 'trainingTime' },
};

function summary(ctx: RenderContext, results: Results): string {
  const { text, format } = ctx;
  const hbm = Number(ctx.value('chip.memory'));
  const fits = (results.number('memoryPerChip') ?? 0) <= hbm;
  const parts = {
    time: results.say('trainingTime'),
    bound: results.say('bound'),
    memory: results.say('memoryPerChip'),
    hbm: format.say(hbm, 'B'),
    cost: results.say('cost'),
  };
  const sentences = [
    fits ? text.summary.training : text.summary.overflow,
    results.number('cost') === undefined ? '' : text.summary.cost,
  ];
  return sentences
    .filter(Boolean)
    .map((sentence) => ctx.fill(sentence, parts))
    .join(text.summary.between);
}

function rows(ctx: RenderContext, results: Results): Row[] {
  const { text } = ctx;
  const { says, by } = text;
  const say = (key: string): string => results.say(key);
  return [
    {
      key: 'trainingTime',
      means: ctx.sentences([
        ctx.fill(says.trainingTime, { flops: say('totalFlops'), oneChip: say('oneChipTime') }),
        ctx.value('run.flopsRule') === 'exact'
          ? ''
          : ctx.fill(says.mfuExact, {
              mfu: ctx.say('run.mfu', ctx.value('run.mfu')),
              exact: say('mfuExact'),
            }),
        results.choice('bound') === 'network'
          ? ctx.fill(says.mfuOutOfReach, { mfu: ctx.say('run.mfu', ctx.value('run.mfu')) })
          : '',
      ]),
      by: by.flopsRule[ctx.value('run.flopsRule') as keyof typeof by.flopsRule],
      related: [
        'totalFlops',
        'oneChipTime',
        'trainingFlopsPerToken',
        'mfuExact',
        'exactFlopsPerToken',
        'stepTime',
        'steps',
        'tokensPerSecond',
      ],
    },
    boundRow(ctx, results, says.trainingBound),
    memoryRow(ctx, results),
    costRow(ctx, results),
    networkRow(ctx, results),
    {
      key: 'minimumChips',
      means:
        results.number('minimumChips') === undefined
          ? says.minimumNever
          : ctx.fill(says.minimumChips, {
              memory: say('totalMemory'),
              time: say('timeOnMinimumChips'),
            }),
      related: ['timeOnMinimumChips', 'fractionalMinimumChips'],
    },
    modelRow(ctx, results),
  ];
}

const heldAs = {
  weightMemoryPerChip: 'parameters',
  gradientMemoryPerChip: 'gradients',
  optimizerMemoryPerChip: 'states',
  checkpointMemoryPerChip: 'activations',
} as const satisfies Record<string, Part>;

function memoryRow(ctx: RenderContext, results: Results): Row {
  const { text, format } = ctx;
  const { says } = text;
  const hbm = Number(ctx.value('chip.memory'));
  const held = results.number('memoryPerChip') ?? 0;
  const fraction = held / hbm;
  const parts = {
    hbm: format.say(hbm, 'B'),
    fraction: format.say(fraction, '%'),
    over: format.say(held - hbm, 'B'),
  };
  const sentence =
    fraction > 1 ? says.memoryOver : fraction < 0.25 ? says.memoryAmple : says.memoryFits;
  const pieces = (Object.keys(heldAs) as (keyof typeof heldAs)[]).filter(
    (key) => (results.number(key) ?? 0) > 0,
  );
  return {
    key: 'memoryPerChip',
    figure: stack({
      name: 'held',
      title: ctx.fill(sentence, parts),
      parts: pieces.map((key) => ({
        look: looks[heldAs[key]],
        value: results.number(key) ?? 0,
        label: `${ctx.answer(key).label} ${results.say(key)}`,
      })),
      room: { value: hbm, label: parts.hbm },
    }),
    means: ctx.fill(sentence, parts),
    by: ctx.fill(text.by.memory, {
      bytes: results.say('bytesPerParameter'),
      optimizer: ctx.optimizer(ctx.state.optimizer).name,
      checkpoints: checkpoints(ctx),
      sharding: ctx.say('run.stateSharding', ctx.value('run.stateSharding')),
    }),
    related: [
      'memoryFraction',
      'weightMemory',
      'gradientMemory',
      'optimizerMemory',
      'checkpointMemory',
      'totalMemory',
      'bytesPerParameter',
      ...pieces,
    ],
  };
}

function checkpoints(ctx: RenderContext): string {
  const rule = String(ctx.value('run.checkpointRule'));
  if (rule !== 'copies') return ctx.choice('run.checkpointRule', rule);
  const n = Number(ctx.value('run.checkpointsPerLayer'));
  return ctx.fill(ctx.text.by.checkpointCopies, { n: ctx.format.count(n) }, { n });
}

/** A threshold that is lower by less is not worth a word of its own. */
const helpful = 0.95;

function networkRow(ctx: RenderContext, results: Results): Row {
  const { text, format } = ctx;
  const { says } = text;
  const tokens = results.number('tokensPerChip') ?? 0;
  const alone = results.number('fsdpThreshold');
  const both = results.number('mixedThreshold');
  // Across nodes, tensor parallelism may not help at all.
  const helps = both !== undefined && (alone === undefined || both < helpful * alone);
  const mixed = helps ? both : undefined;
  const thresholds = [
    { value: mixed, label: says.withTensor },
    { value: alone, label: says.fsdpAlone },
  ].filter(
    (threshold): threshold is { value: number; label: string } => threshold.value !== undefined,
  );
  const parts = {
    tokens: results.say('tokensPerChip'),
    alone: format.number(alone ?? 0),
    mixed: format.number(mixed ?? 0),
    best: results.say('optimalDataWays'),
    bestTensor: results.say('optimalTensorWays'),
    data: results.say('meshDataWays'),
    tensor: results.say('meshTensorWays'),
  };
  const sentence = ((): string => {
    if (results.absence('fsdpThreshold') === 'notApplicable') return says.networkSingle;
    if (alone === undefined) return says.networkUnknown;
    if (tokens >= alone) return says.networkFsdp;
    if (mixed === undefined) return says.networkBoundAlone;
    return tokens >= mixed ? says.networkMixed : says.networkBound;
  })();
  const mesh = ((): string => {
    const enough = alone !== undefined && tokens >= alone;
    if (enough || results.number('meshDataWays') === undefined) return '';
    return results.number('optimalDataWays') === undefined ? says.meshOnly : says.mesh;
  })();
  return {
    key: 'tokensPerChip',
    title: text.ui.networkLimit,
    figure:
      thresholds.length === 0
        ? nothing
        : gauge({
            title: ctx.fill(sentence, parts),
            value: tokens,
            valueLabel: parts.tokens,
            thresholds: thresholds.map(({ value }) => ({ value, label: format.number(value) })),
            zones: [
              { bound: 'network', label: text.bounds.network },
              ...thresholds.map(({ label }): { bound: Bound; label: string } => ({
                bound: 'compute',
                label,
              })),
            ],
          }),
    means: ctx.sentences([sentence, mesh].map((each) => ctx.fill(each, parts))),
    by: Number(ctx.value('model.experts')) > 0 ? text.by.networkExperts : text.by.network,
    derive: ['tokensPerChip', 'fsdpThreshold', 'mixedThreshold'],
    related: [
      'fsdpMaximumChips',
      'mixedMaximumChips',
      'tensorLimit',
      'optimalDataWays',
      'optimalTensorWays',
      'meshDataWays',
      'meshTensorWays',
      'sequences',
    ],
  };
}

function modelRow(ctx: RenderContext, results: Results): Row {
  const parts = [
    'parametersFeedForward',
    'parametersAttention',
    'parametersVocabulary',
    'parametersNorms',
    'parametersRouter',
    'parametersPositions',
  ].filter((key) => (results.number(key) ?? 0) > 0);
  const total = results.number('computedParameters') ?? 1;
  const { text, format } = ctx;
  const sparse = results.number('activeParameters') !== results.number('parameters');
  const stated = results.number('parameters') !== results.number('computedParameters');
  return {
    key: 'computedParameters',
    title: text.ui.parameters,
    figure: stack({
      name: 'counted',
      title: text.figures.parameters,
      parts: parts.map((key, index) => {
        const value = results.number(key) ?? 0;
        return {
          look: kindOf('memory', index),
          value,
          label: aside(
            `${ctx.answer(key).label} ${format.count(value)}`,
            sayShare(ctx.format, value / total),
          ),
        };
      }),
    }),
    means: sparse
      ? ctx.fill(text.says.activeParameters, {
          active: results.say('activeParameters'),
          flops: results.say('trainingFlopsPerToken'),
        })
      : ctx.fill(text.says.parameters, { flops: results.say('trainingFlopsPerToken') }),
    by: stated
      ? ctx.fill(text.by.statedParameters, {
          stated: results.say('parameters'),
          computed: results.say('computedParameters'),
        })
      : undefined,
    related: [
      'parameters',
      'computedActiveParameters',
      'activeParameters',
      'matmulParameters',
      'towerParameters',
      ...parts,
    ],
  };
}
