// Plans side by side: on chips that keep the deadline or the budget, if there is one.

import { inProportion } from '../../../model/bounds.ts';
import type { View } from '../../parts/view.ts';

/** An answer in proportion to a step's time, with its range. */
const scaled = (key: string) => ({ key, band: inProportion(key, 'stepExpected') });

export const sides: Required<View>['sides'] = {
  time: 'wallTime',
  cost: 'wallCost',
  timeUnit: 86400,
  keepsLimits: true,
  fields: ['run.sequenceLength', 'run.chips', 'run.computeFormat'],
  facts: [
    scaled('wallTime'),
    scaled('wallCost'),
    { key: 'stepExpected' },
    { key: 'mfu' },
    { key: 'memoryUsed' },
    { key: 'planBound' },
    { key: 'energy' },
  ],
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
export const best: Required<View>['best'] = {
  key: sides.time,
  band: ({ description }, _, answers) =>
    scaled(sides.time).band(answers, description.questions.plan),
};
