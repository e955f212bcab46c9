// The verdict on an operation: how long, what binds, its intensity against the chip's, and its work.

import { shapes, type Bound } from '../../parts/answers/bound.ts';
import type { Slot } from '../../parts/picture/picture.ts';
import { timeSlot } from '../../parts/picture/race.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const verdictKeys = ['lowerBound', 'bound', 'intensity', 'flops'];

export const verdictOf = (ctx: RenderContext, results: Results): Slot[] => [
  timeSlot(ctx, results, 'lowerBound'),
  boundSlot(ctx, results),
  intensitySlot(ctx, results),
  workSlot(ctx, results),
];

function boundSlot(ctx: RenderContext, results: Results): Slot {
  const bound = results.choice('bound') as Bound;
  const known = results.number('lowerBound') !== undefined && results.number('flops') !== 0;
  const fraction = results.say('fractionOfPeak');
  return {
    key: 'bound',
    large: ctx.text.bounds[bound],
    sign: shapes[bound],
    bound,
    note: known ? ctx.fill(ctx.text.race.atMost, { fraction }) : '',
  };
}

/** An operation that waits for the network is measured against the network. */
function intensitySlot(ctx: RenderContext, results: Results): Slot {
  const { race: words } = ctx.text;
  const ofNetwork =
    results.choice('bound') === 'network' && results.number('networkIntensity') !== undefined;
  const [key, critical] = ofNetwork
    ? ['networkIntensity', 'criticalNetworkIntensity']
    : ['intensity', 'criticalIntensity'];
  const moves = results.number('flops') === 0;
  return {
    key: key!,
    large: results.say(key!),
    note: moves
      ? words.moves
      : ctx.fill(words.critical, { value: ctx.format.number(results.number(critical!) ?? 0) }),
  };
}

function workSlot(ctx: RenderContext, results: Results): Slot {
  const { race: words } = ctx.text;
  const memory = ctx.say('operation.operandsIn', ctx.value('operation.operandsIn'));
  return {
    key: 'flops',
    large: results.say('flops'),
    note: ctx.fill(words.through, { bytes: results.say('memoryBytes'), memory }),
    also:
      results.number('networkBytes') === undefined
        ? ''
        : ctx.fill(words.sent, { bytes: results.say('networkBytes') }),
  };
}
