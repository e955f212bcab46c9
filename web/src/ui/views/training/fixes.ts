// Fixes for a training that does not fit in memory. The script of the element suggests none.

import type { Reply } from '../../../model/evaluate.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix, View } from '../../parts/view.ts';

function fits(reply: Reply): boolean {
  const fraction = reply.ok && reply.answers.memoryFraction;
  return typeof fraction === 'number' && fraction <= 1;
}

/** Suggests how to fit in memory: more chips, or sharded instead of copied states. */
function fixes(ctx: RenderContext, reply: Reply): Fix[] {
  if (!reply.ok || fits(reply)) return [];
  const { offers: says } = ctx.text;
  const minimum = reply.answers.minimumChips;
  const found: Fix[] = [];
  if (typeof minimum === 'number') found.push(suggest(ctx, says.chips, ['run.chips', minimum]));
  if (ctx.value('run.stateSharding') !== 'parameters') {
    found.push(suggest(ctx, says.shard, ['run.stateSharding', 'parameters']));
  }
  if (
    ctx.value('run.checkpointRule') !== 'copies' ||
    Number(ctx.value('run.checkpointsPerLayer')) > 1
  ) {
    found.push(
      suggest(
        ctx,
        says.checkpoint,
        ['run.checkpointRule', 'copies'],
        ['run.checkpointsPerLayer', 1],
      ),
    );
  }
  return found;
}

export const trainingFixes = { fixes, fits } satisfies Partial<View>;
