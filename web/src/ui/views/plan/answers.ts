import { looks } from '../../../charts/kit/looks.ts';
import { stack } from '../../../charts/stack/stack.ts';
import { evaluate } from '../../../model/evaluate.ts';
import { countingsOf } from '../../../model/state.ts';
import { stepTime } from '../../../number/unit.ts';
import { boundWord, intensityGauge, sayIntensity } from '../../parts/answers/bound.ts';
import { costRow } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../kit/results.ts';
import type { Row } from '../../parts/view.ts';
import { isSparse } from '../../kit/model-parts.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { trains, trainsWeights } from '../../kit/trained.ts';
import { boundOf, ownPlan } from './layouts.ts';
import { calledShare, heldIn, spentOf } from './shares.ts';
import { answerOf, recomputedParts, saySettings, sayRecomputed } from './recomputed.ts';

/** The answers for one layout. */
export function planRows(ctx: RenderContext, results: Results): Row[] {
  const { planner } = ctx.text;
  const say = (key: string): string => results.say(key);
  const rule = String(ctx.value('run.flopsRule'));
  return [
    {
      // Worked questions ask for what was published, without failures.
      key: ctx.hides('trainingTime') ? 'trainingTime' : 'wallTime',
      means: ctx.sentences([
        sayLikely(ctx, results, 'wallTime'),
        ctx.fill(planner.trainingTime, { steps: say('steps'), time: say('trainingTime') }),
        sayAsBook(ctx),
      ]),
      related: ['trainingTime', 'steps', 'goodput'],
    },
    costRow(ctx, results, { cost: 'wallCost', hours: 'wallChipHours', without: 'cost' }),
    {
      // Worked questions ask for what was published, by its rule.
      key: ctx.hides('mfu') ? 'mfu' : 'mfuExact',
      means: ctx.sentences([
        sayLikely(ctx, results, 'mfuExact'),
        rule === 'exact'
          ? ''
          : ctx.fill(planner.mfuByRule, {
              rule: ctx.choice('run.flopsRule', rule),
              mfu: say('mfu'),
            }),
        ctx.fill(planner.mfu, {
          hfu: say('hfu'),
          speed: say('tokensPerSecondPerChip'),
          all: say('tokensPerSecond'),
        }),
      ]),
      related: [
        'mfu',
        'hfu',
        'tokensPerSecondPerChip',
        'tokensPerSecond',
        'trainingFlopsPerToken',
        'exactFlopsPerToken',
      ],
    },
    memoryRow(ctx, results),
    stepRow(ctx, results),
    {
      key: 'planBound',
      large: boundWord(boundOf(results.choice('planBound')), say('planBound')),
      figure: intensityGauge(ctx, results),
      means: ctx.sentences([
        ctx.fill(planner.bound, { next: say('nextBound') }),
        ctx.fill(planner.intensity, sayIntensity(ctx, results)),
      ]),
      by: planner.byBound,
      derive: ['planBound', 'nextBound', 'intensity', 'criticalIntensity'],
      related: transfers.map((part) => `time${part}`),
    },
    {
      key: 'goodput',
      means: ctx.fill(planner.goodput, {
        failures: say('failuresPerDay'),
        bytes: say('checkpointBytes'),
        interval: say('checkpointInterval'),
        time: say('checkpointTime'),
      }),
      by: planner.byGoodput,
      related: [
        'failuresPerDay',
        'jobMttf',
        'checkpointBytes',
        'checkpointTime',
        'checkpointInterval',
      ],
    },
  ];
}

/** The range of an answer; nothing where it is not known. */
function sayLikely(ctx: RenderContext, results: Results, key: string): string {
  const range = results.sayRange(key);
  return range && ctx.fill(ctx.text.planner.likely, { range });
}

/** The time that the book's closed forms give; nothing where a worked question asks for it. */
function sayAsBook(ctx: RenderContext): string {
  if (ctx.hides('trainingTime')) return '';
  const reply = evaluate(ctx.engine, countingsOf(ctx.state)!.book);
  const time = reply.ok ? reply.answers.trainingTime : undefined;
  if (typeof time !== 'number') return '';
  return ctx.fill(ctx.text.planner.asBook, {
    time: ctx.format.say(time, 's'),
    mfu: ctx.say('run.mfu', ctx.value('run.mfu')),
  });
}

/** Whether rates are those of kernels and trainings that were measured, not the reader's. */
export const isMeasured = (ctx: RenderContext): boolean =>
  ctx.value('assumptions.rates') === 'measured';

/** Whether the range is that of software which no measured training had. */
const isUnsure = (ctx: RenderContext): boolean =>
  ctx.value('stack.software') === 'other' && trainsWeights(ctx);

const transfers = ['Tensor', 'Context', 'Expert', 'Data', 'Pipeline', 'Host'];
const memoryKeys = [
  'memoryParameters',
  'memoryGradients',
  'memoryOptimizer',
  'memoryActivations',
  'memoryWorking',
  'memoryLogits',
  'memoryBuffers',
  'memoryOverhead',
  'memoryAllocator',
];

/** The sentences that tell of the memory, by its state. */
const memorySentence = {
  over: 'memoryOver',
  tight: 'memoryTight',
  fits: 'memoryFits',
} as const;

function memoryRow(ctx: RenderContext, results: Results): Row {
  const { planner } = ctx.text;
  const limit = results.number('memoryLimit') ?? 0;
  const used = results.number('memoryUsed') ?? 0;
  const parts = {
    limit: results.say('memoryLimit'),
    room: ctx.format.say(Math.abs(limit - used), 'B'),
    stage: results.say('fullestStage'),
    stages: ctx.say('layout.pipeline', ctx.value('layout.pipeline')),
    range: results.sayRange('memoryUsed'),
  };
  const own = ownPlan(ctx, results.all);
  const staged = Number(ctx.value('layout.pipeline')) > 1;
  const state = memorySentence[own.memoryState];
  const says = ctx.fill(planner[state], parts);
  return {
    key: 'memoryUsed',
    figure: stack({
      name: 'held',
      title: says,
      parts: heldIn(results).flatMap(({ look, value }) =>
        value > 0
          ? [
              {
                value,
                look: looks[look],
                label: `${planner.drawn.memory[look]} ${ctx.format.say(value, 'B')}`,
              },
            ]
          : [],
      ),
      room: { value: limit, label: parts.limit },
    }),
    means: ctx.sentences([
      says,
      ctx.fill(planner.memoryBand, parts),
      ctx.fill(planner.again.says, { parts: sayRecomputed(ctx, own) }),
      saySettings(ctx, own),
    ]),
    parts: memoryKeys,
    by: staged ? ctx.fill(planner.byStage, parts) : undefined,
    related: [
      'fits',
      'memoryState',
      ...results.bounds('memoryUsed'),
      'memoryLimit',
      'memoryRoom',
      ...memoryKeys,
      'layerActivations',
      ...recomputedParts.map(answerOf),
      'fullestLayers',
      'inFlight',
      'layersPerStage',
      'shardWays',
      'domains',
      'domainUsed',
      'domainIdle',
      'optimizerBytesPerParameter',
    ],
  };
}

function stepRow(ctx: RenderContext, results: Results): Row {
  const { planner } = ctx.text;
  const exposed = transfers.map((part) => `exposed${part}`);
  const keys = [
    'timeForward',
    'timeBackward',
    'timeRecompute',
    ...exposed,
    'timeBubble',
    'timeOptimizer',
    'timeLaunch',
    'timeOverhead',
  ];
  const efficiency = (key: string): string =>
    ctx.say(`assumptions.${key}Efficiency`, ctx.value(`assumptions.${key}Efficiency`));
  const torus = ctx.value('chip.network') === 'torus';
  const [idle, slots] = [results.number('idleSlots') ?? 0, results.number('sequenceSlots') ?? 0];
  const means = ctx.sentences([
    !results.range('stepExpected')
      ? ''
      : ctx.fill(isUnsure(ctx) ? planner.bandOther : planner.band, {
          range: results.sayRange('stepExpected'),
          models: planner.models[torus ? 'torus' : isSparse(ctx) ? 'sparse' : 'dense'],
        }),
    ctx.fill(planner.step, {
      lower: results.sayBound('stepExpected', 'lower'),
      upper: results.sayBound('stepExpected', 'upper'),
    }),
    idle > 0
      ? ctx.fill(planner.padded, {
          idle: results.say('idleSlots'),
          slots: results.say('sequenceSlots'),
          percent: ctx.format.say(idle / slots, '%'),
        })
      : '',
    !(trains(ctx, 'last') && results.number('slowestStage'))
      ? ''
      : ctx.fill(planner.pace, {
          stage: results.say('slowestStage'),
          stages: ctx.say('layout.pipeline', ctx.value('layout.pipeline')),
        }),
  ]);
  const general = ctx.value('chip.generation') === 'general';
  return {
    key: 'stepExpected',
    figure: stack({
      name: 'spent',
      title: planner.stepParts,
      parts: spentOf(results).flatMap(({ look, key, value }) => {
        const label = `${calledShare(ctx, look, key)} ${ctx.format.say(value, stepTime)}`;
        return value > 0 ? [{ value, look: looks[look], label }] : [];
      }),
    }),
    means,
    parts: keys,
    by: isMeasured(ctx)
      ? planner[general ? 'byGeneral' : 'byMeasured']
      : ctx.fill(planner.byEfficiency, {
          compute: efficiency('compute'),
          memory: efficiency('memory'),
          network: efficiency('network'),
        }),
    related: [
      ...results.bounds('stepExpected'),
      'microForward',
      'microBackward',
      'slowestStage',
      'sequenceSlots',
      'idleSlots',
      ...keys,
    ],
  };
}
