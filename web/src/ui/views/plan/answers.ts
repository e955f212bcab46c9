import { html, type TemplateResult } from 'lit';
import { stack } from '../../../charts/stack/stack.ts';
import { stepTime } from '../../../number/unit.ts';
import { shapes } from '../../parts/answers/bound.ts';
import { costRow } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { Row } from '../../parts/view.ts';
import type { Scope } from '../../kit/scope.ts';
import { boundOf } from './layouts.ts';

/** What one layout comes to. */
export function planRows(scope: Scope, results: Results): Row[] {
  const { planner } = scope.text;
  const say = (key: string): string => results.say(key);
  return [
    memoryRow(scope, results),
    stepRow(scope, results),
    {
      key: 'planBound',
      large: boundWord(results),
      means: scope.fill(planner.bound, { next: say('nextBound') }),
      by: planner.byBound,
      derive: ['planBound', 'nextBound'],
      related: transfers.map((part) => `time${part}`),
    },
    {
      key: 'mfu',
      means: scope.sentences([
        // By a rule that counts attention, they are one.
        results.number('mfu') === results.number('mfuExact')
          ? ''
          : scope.fill(planner.mfuExact, { exact: say('mfuExact') }),
        scope.fill(planner.mfu, {
          hfu: say('hfu'),
          speed: say('tokensPerSecondPerChip'),
          all: say('tokensPerSecond'),
        }),
      ]),
      related: [
        'mfuExact',
        'hfu',
        'tokensPerSecondPerChip',
        'tokensPerSecond',
        'trainingFlopsPerToken',
        'exactFlopsPerToken',
      ],
    },
    {
      key: 'trainingTime',
      means: scope.fill(planner.trainingTime, { steps: say('steps'), wall: say('wallTime') }),
      related: ['steps', 'wallTime'],
    },
    costRow(scope, results),
    {
      key: 'goodput',
      means: scope.fill(planner.goodput, {
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
        'wallTime',
        'wallCost',
      ],
    },
  ];
}

function boundWord(results: Results): TemplateResult {
  const which = boundOf(results.choice('planBound'));
  return html`<span class="bound ${which}"
    ><span class="shape" aria-hidden="true">${shapes[which]}</span>
    ${results.say('planBound')}</span
  >`;
}

const transfers = ['Tensor', 'Context', 'Expert', 'Data', 'Pipeline', 'Host'];
/** More than these are not told apart in a row. */
const mostParts = 6;

interface Piece {
  key: string;
  value: number;
  label: string;
}

/** The largest first; of many, the least together. */
function pieces(scope: Scope, results: Results, keys: string[], unit: string): Piece[] {
  const all = keys
    .map((key) => ({ key, value: results.number(key) ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const kept = all.length > mostParts ? all.slice(0, mostParts - 1) : all;
  const rest = all.slice(kept.length).reduce((sum, { value }) => sum + value, 0);
  const labelled = kept.map(({ key, value }) => ({
    key,
    value,
    label: `${scope.answer(key).label} ${results.say(key)}`,
  }));
  if (rest === 0) return labelled;
  const label = `${scope.text.planner.others} ${scope.format.say(rest, unit)}`;
  return [...labelled, { key: 'others', value: rest, label }];
}

const memoryKeys = [
  'memoryParameters',
  'memoryGradients',
  'memoryOptimizer',
  'memoryActivations',
  'memoryWorking',
  'memoryLogits',
  'memoryBuffers',
  'memoryOverhead',
];

function memoryRow(scope: Scope, results: Results): Row {
  const { planner } = scope.text;
  const limit = results.number('memoryLimit') ?? 0;
  const used = results.number('memoryUsed') ?? 0;
  const parts = {
    limit: results.say('memoryLimit'),
    room: scope.format.say(Math.abs(limit - used), 'B'),
    stage: results.say('fullestStage'),
    stages: scope.say('layout.pipeline', scope.value('layout.pipeline')),
  };
  const staged = Number(scope.value('layout.pipeline')) > 1;
  const says = scope.fill(used > limit ? planner.memoryOver : planner.memoryFits, parts);
  return {
    key: 'memoryUsed',
    figure: stack({
      title: says,
      tone: 'memory',
      parts: pieces(scope, results, memoryKeys, 'B'),
      room: { value: limit, label: parts.limit },
    }),
    means: says,
    parts: memoryKeys,
    by: staged ? scope.fill(planner.byStage, parts) : undefined,
    related: [
      'fits',
      'memoryLimit',
      'memoryRoom',
      ...memoryKeys,
      'layerActivations',
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

function stepRow(scope: Scope, results: Results): Row {
  const { planner } = scope.text;
  const exposed = transfers.map((part) => `exposed${part}`);
  const keys = [
    'timeForward',
    'timeBackward',
    'timeRecompute',
    ...exposed,
    'timeBubble',
    'timeOptimizer',
  ];
  const efficiency = (key: string): string =>
    scope.say(`assumptions.${key}Efficiency`, scope.value(`assumptions.${key}Efficiency`));
  const means = scope.fill(planner.step, {
    lower: results.say('stepLower'),
    upper: results.say('stepUpper'),
  });
  return {
    key: 'stepExpected',
    figure: stack({
      title: planner.stepParts,
      tone: 'ink',
      parts: pieces(scope, results, keys, stepTime),
    }),
    means,
    parts: keys,
    by: scope.fill(planner.byEfficiency, {
      compute: efficiency('compute'),
      memory: efficiency('memory'),
      network: efficiency('network'),
    }),
    related: ['stepLower', 'stepUpper', 'microForward', 'microBackward', ...keys],
  };
}
