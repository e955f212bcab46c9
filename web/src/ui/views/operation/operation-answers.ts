import { boundRow } from '../../parts/answers/bound.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { Row } from '../../parts/view.ts';
import type { Scope } from '../../kit/scope.ts';

/** What one operation costs on a chip, or on several. */
export function operationRows(scope: Scope, results: Results): Row[] {
  const { says, by } = scope.text;
  const say = (key: string): string => results.say(key);
  const known = results.number('lowerBound') !== undefined;
  const computes = results.number('flops') !== 0;
  return [
    boundRow(scope, results, says.operationBound),
    {
      key: 'lowerBound',
      means: scope.fill(known ? says.lowerBound : says.lowerBoundUnknown, {
        memory: say('memoryTime'),
        upper: say('upperBound'),
        math: say('mathTime'),
        comms: say('communicationTime'),
      }),
      by: by.overlap,
      related: ['upperBound', 'mathTime', 'communicationTime', 'memoryTime'],
    },
    ...(computes ? [fractionRow(scope, results)] : []),
    networkRow(scope, results),
    strategyRow(scope, results),
    criticalBatchRow(scope, results),
    {
      key: 'criticalContraction',
      means: says.criticalContraction,
      related: ['networkIntensity', 'criticalNetworkIntensity'],
    },
    tileRow(scope, results),
    attentionRow(scope, results),
    {
      key: 'flops',
      means: scope.fill(
        results.number('networkBytes') === undefined ? says.flops : says.flopsNetwork,
        {
          bytes: say('memoryBytes'),
          memory: scope.say('operation.operandsIn', scope.value('operation.operandsIn')),
          network: say('networkBytes'),
        },
      ),
      related: ['memoryBytes', 'networkBytes'],
    },
  ];
}

function fractionRow(scope: Scope, results: Results): Row {
  const { says } = scope.text;
  const known = results.number('lowerBound') !== undefined;
  return {
    key: 'fractionOfPeak',
    means: known
      ? scope.fill(says.fractionOfPeak, { achieved: results.say('achievedFlops') })
      : says.networkUnknown,
    related: ['achievedFlops', 'computeRate', 'memoryRate'],
  };
}

function criticalBatchRow(scope: Scope, results: Results): Row {
  const { says, by } = scope.text;
  const never = results.absence('exactCriticalBatch') === 'never';
  const sentences = [
    never ? says.criticalBatchNever : says.criticalBatch,
    results.number('hostCriticalBatch') === undefined ? '' : says.criticalBatchHost,
  ];
  const parts = {
    exact: results.say('exactCriticalBatch'),
    host: results.say('hostCriticalBatch'),
  };
  return {
    key: 'criticalBatch',
    means: scope.sentences(sentences.map((sentence) => scope.fill(sentence, parts))),
    by: by.criticalBatch,
    related: ['exactCriticalBatch', 'hostCriticalBatch'],
  };
}

/** The collective that puts the parts together, and what it takes. */
function networkRow(scope: Scope, results: Results): Row {
  const { says } = scope.text;
  const none = results.choice('networkCollective') === 'none';
  const unknown = results.number('networkTime') === undefined;
  return {
    key: none ? 'networkCollective' : 'networkTime',
    means: none
      ? says.networkNone
      : unknown
        ? says.networkUnknown
        : scope.fill(
            says.networkTime,
            {
              collective: results.say('networkCollective'),
              steps: results.say('networkSteps'),
              bytes: results.say('networkBytes'),
              bandwidth: results.say('networkBandwidthTime'),
              latency: results.say('networkLatencyTime'),
            },
            { steps: results.number('networkSteps') ?? 0 },
          ),
    related: ['networkBandwidthTime', 'networkLatencyTime', 'networkSteps', 'networkCollective'],
  };
}

/** Gather the weights, or reduce the result: strategies 1 and 2 of chapter 3. */
function strategyRow(scope: Scope, results: Results): Row {
  const { says, by } = scope.text;
  const ways = results.number('criticalWays');
  const parts = {
    gather: results.say('gatherTime'),
    reduce: results.say('reduceTime'),
    ways: ways === undefined ? '' : scope.format.count(Math.floor(ways)),
  };
  const sentences =
    results.number('reduceTime') === undefined
      ? [says.networkUnknown]
      : [says.strategy, ways === undefined || ways < 1 ? '' : says.criticalWays];
  return {
    key: 'betterStrategy',
    means: scope.sentences(sentences.map((sentence) => scope.fill(sentence, parts))),
    by: by.strategy,
    related: ['gatherTime', 'reduceTime', 'criticalWays'],
  };
}

/** Whether the blocks of a tiled matmul fit a core. */
function tileRow(scope: Scope, results: Results): Row {
  const { says, by } = scope.text;
  const memory = scope.value('chip.tileMemory');
  const fraction = (results.number('tileBytes') ?? 0) / Number(memory);
  const sentence =
    memory === null ? says.tileUnknown : fraction > 1 ? says.tileOver : says.tileFits;
  return {
    key: 'tileBytes',
    means: scope.fill(sentence, {
      memory: scope.format.say(Number(memory), 'B'),
      fraction: scope.format.say(fraction, '%'),
    }),
    by: by.tile,
    related: [],
  };
}

/** How often FlashAttention reads keys and values. */
function attentionRow(scope: Scope, results: Results): Row {
  const { says, by } = scope.text;
  const once = results.number('attentionPasses') === 1;
  return {
    key: 'attentionPasses',
    means: scope.fill(once ? says.attentionOnePass : says.attentionPasses, {
      rows: results.say('attentionBlockRows'),
    }),
    by: by.flash,
    related: ['attentionBlockRows'],
  };
}
