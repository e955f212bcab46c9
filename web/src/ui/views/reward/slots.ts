// The verdict on a training by reward: how long a step takes, for how much, whether it fits, and what
// takes longest.

import type { Slot } from '../../parts/picture/picture.ts';
import { signs } from '../../parts/picture/signs.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const verdictKeys = ['stepExpected', 'cost', 'rewardFits', 'rewardBound'];

export function verdictOf(ctx: RenderContext, results: Results): Slot[] {
  const { drawn } = ctx.text;
  const { drawn: words } = ctx.text.rewarded;
  const fits = results.choice('rewardFits') === 'yes';
  const priced = results.number('cost') !== undefined;
  const steps = Number(ctx.value('reward.steps'));
  return [
    {
      key: 'stepExpected',
      large: results.say('stepExpected'),
      note: words.perStep,
      range: results.sayRange('stepExpected'),
      isGhost: !fits,
    },
    {
      key: 'cost',
      large: priced ? results.say('cost') : '–',
      note: priced
        ? ctx.fill(
            words.whole,
            { time: results.say('trainingTime'), steps: ctx.format.count(steps) },
            { steps },
          )
        : drawn.price,
      isGhost: !fits,
    },
    {
      key: 'rewardFits',
      large: fits ? drawn.fits : drawn.over,
      sign: fits ? signs.fits : signs.over,
      bound: fits ? undefined : 'memory',
      note: ctx.fill(drawn.memory, {
        used: results.say('memoryTraining'),
        limit: results.say('memoryLimit'),
      }),
    },
    {
      key: 'rewardBound',
      large: results.say('rewardBound'),
      note: words.longest,
      isGhost: !fits,
    },
  ];
}
