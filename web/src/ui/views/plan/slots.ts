// The verdict on a plan: how long, for how much, whether it fits, and what binds, each with its range.

import { shapes } from '../../parts/answers/bound.ts';
import type { Slot } from '../../parts/picture/picture.ts';
import { signs } from '../../parts/picture/signs.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { boundOf, ownPlan } from './layouts.ts';

export function verdictOf(ctx: RenderContext, results: Results): Slot[] {
  const { verdict: words } = ctx.text.planner.drawn;
  const { drawn } = ctx.text;
  const own = ownPlan(ctx, results.all);
  const state = own.memoryState;
  const isGhost = state === 'over';
  const memory = ctx.fill(drawn.memory, {
    used: results.say('memoryUsed'),
    limit: results.say('memoryLimit'),
  });
  const cost = results.number('wallCost') !== undefined;
  const bound = boundOf(results.choice('planBound'));
  return [
    {
      key: 'wallTime',
      large: results.say('wallTime'),
      note: isGhost ? words.without : words.withFailures,
      range: isGhost ? '' : results.sayRange('wallTime'),
      isGhost,
    },
    {
      key: 'wallCost',
      large: cost ? results.say('wallCost') : '–',
      note: isGhost ? words.without : cost ? '' : drawn.price,
      range: isGhost ? '' : results.sayRange('wallCost'),
      isGhost,
    },
    {
      key: 'memoryUsed',
      large: drawn[state],
      sign: signs[state],
      bound: state === 'fits' ? undefined : 'memory',
      note: memory,
      range: results.sayRange('memoryUsed'),
    },
    {
      key: 'planBound',
      large: results.say('planBound'),
      sign: shapes[bound],
      bound,
      note: ctx.fill(words.mfu, { mfu: results.say('mfuExact') }),
      range: results.sayRange('mfuExact'),
      isGhost,
    },
  ];
}
