import { boundRow } from '../../parts/answers/bound.ts';
import { expectedRow } from '../../parts/answers/expected.ts';
import type { Results } from '../../kit/results.ts';
import type { Row } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The answers for one operation on one or several chips. */
export function operationRows(ctx: RenderContext, results: Results): Row[] {
  const { says, by } = ctx.text;
  const say = (key: string): string => results.say(key);
  const known = results.number('lowerBound') !== undefined;
  const computes = results.number('flops') !== 0;
  return [
    boundRow(ctx, results, says.operationBound),
    {
      key: 'lowerBound',
      means: ctx.fill(known ? says.lowerBound : says.lowerBoundUnknown, {
        memory: say('memoryTime'),
        upper: say('upperBound'),
        math: say('mathTime'),
        comms: say('communicationTime'),
      }),
      by: by.overlap,
      related: ['upperBound', 'mathTime', 'communicationTime', 'memoryTime'],
    },
    ...expectedRow(ctx, results, 'lowerBound', says.expectedTime),
    ...(computes ? [fractionRow(ctx, results)] : []),
    networkRow(ctx, results),
    strategyRow(ctx, results),
    criticalBatchRow(ctx, results),
    {
      key: 'criticalContraction',
      means: says.criticalContraction,
      related: ['networkIntensity', 'criticalNetworkIntensity'],
    },
    tileRow(ctx, results),
    attentionRow(ctx, results),
    {
      key: 'flops',
      means: ctx.fill(
        results.number('networkBytes') === undefined ? says.flops : says.flopsNetwork,
        {
          bytes: say('memoryBytes'),
          memory: ctx.say('operation.operandsIn', ctx.value('operation.operandsIn')),
          network: say('networkBytes'),
        },
      ),
      related: ['memoryBytes', 'networkBytes'],
    },
  ];
}

function fractionRow(ctx: RenderContext, results: Results): Row {
  const { says } = ctx.text;
  const known = results.number('lowerBound') !== undefined;
  return {
    key: 'fractionOfPeak',
    means: known
      ? ctx.fill(says.fractionOfPeak, { achieved: results.say('achievedFlops') })
      : says.networkUnknown,
    related: ['achievedFlops', 'computeRate', 'memoryRate'],
  };
}

function criticalBatchRow(ctx: RenderContext, results: Results): Row {
  const { says, by } = ctx.text;
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
    means: ctx.sentences(sentences.map((sentence) => ctx.fill(sentence, parts))),
    by: by.criticalBatch,
    related: ['exactCriticalBatch', 'hostCriticalBatch'],
  };
}

/** The collective that puts the parts together, and what it takes. */
function networkRow(ctx: RenderContext, results: Results): Row {
  const { says } = ctx.text;
  const none = results.choice('networkCollective') === 'none';
  const unknown = results.number('networkTime') === undefined;
  return {
    key: none ? 'networkCollective' : 'networkTime',
    means: none
      ? says.networkNone
      : unknown
        ? says.networkUnknown
        : ctx.fill(
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
function strategyRow(ctx: RenderContext, results: Results): Row {
  const { says, by } = ctx.text;
  const ways = results.number('criticalWays');
  const parts = {
    gather: results.say('gatherTime'),
    reduce: results.say('reduceTime'),
    ways: ways === undefined ? '' : ctx.format.count(Math.floor(ways)),
  };
  const sentences =
    results.number('reduceTime') === undefined
      ? [says.networkUnknown]
      : [says.strategy, ways === undefined || ways < 1 ? '' : says.criticalWays];
  return {
    key: 'betterStrategy',
    means: ctx.sentences(sentences.map((sentence) => ctx.fill(sentence, parts))),
    by: by.strategy,
    related: ['gatherTime', 'reduceTime', 'criticalWays'],
  };
}

/** Whether the blocks of a tiled matmul fit a core. */
function tileRow(ctx: RenderContext, results: Results): Row {
  const { says, by } = ctx.text;
  const memory = ctx.value('chip.tileMemory');
  const fraction = (results.number('tileBytes') ?? 0) / Number(memory);
  const sentence =
    memory === null ? says.tileUnknown : fraction > 1 ? says.tileOver : says.tileFits;
  return {
    key: 'tileBytes',
    means: ctx.fill(sentence, {
      memory: ctx.format.say(Number(memory), 'B'),
      fraction: ctx.format.say(fraction, '%'),
    }),
    by: by.tile,
    related: [],
  };
}

/** The number of times that FlashAttention reads keys and values. */
function attentionRow(ctx: RenderContext, results: Results): Row {
  const { says, by } = ctx.text;
  const once = results.number('attentionPasses') === 1;
  return {
    key: 'attentionPasses',
    means: ctx.fill(once ? says.attentionOnePass : says.attentionPasses, {
      rows: results.say('attentionBlockRows'),
    }),
    by: by.flash,
    related: ['attentionBlockRows'],
  };
}
