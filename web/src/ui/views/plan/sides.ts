// Plans side by side: on chips that keep the deadline or the budget, if there is one.

import type { View } from '../../parts/view.ts';

export const sides: Required<View>['sides'] = {
  time: 'wallTime',
  cost: 'wallCost',
  timeUnit: 86400,
  keepsLimits: true,
  fields: ['run.sequenceLength', 'run.chips', 'run.computeFormat'],
  facts: ['wallTime', 'wallCost', 'stepExpected', 'mfuExact', 'memoryUsed', 'planBound', 'energy'],
  fits: ({ fits }) => fits === 'yes',
  parts: {
    computing: ['timeForward', 'timeBackward'],
    recompute: ['timeRecompute'],
    tensor: ['exposedTensor'],
    context: ['exposedContext'],
    expert: ['exposedExpert'],
    data: ['exposedData'],
    pipeline: ['exposedPipeline'],
    bubble: ['timeBubble'],
    optimizer: ['timeOptimizer'],
    host: ['exposedHost'],
    launch: ['timeLaunch'],
    overhead: ['timeOverhead'],
  },
  // Failures lengthen each step by as much.
  repeated: { step: 'stepExpected', count: 'steps', share: 'goodput' },
};

/** The sooner, the better. */
export const best: Required<View>['best'] = { key: sides.time };
