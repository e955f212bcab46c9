// What the reader could do about a training that does not fit. Elements in posts do without.

import type { Reply } from '../../../model/evaluate.ts';
import type { Scope } from '../../kit/scope.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix, View } from '../../parts/view.ts';

function fits(reply: Reply): boolean {
  const fraction = reply.ok && reply.answers.memoryFraction;
  return typeof fraction === 'number' && fraction <= 1;
}

/** It can be computed but not held: more chips, or states divided instead of copied. */
function fixes(scope: Scope, _ask: unknown, _issues: unknown, reply: Reply): Fix[] {
  if (!reply.ok || fits(reply)) return [];
  const { offers: says } = scope.text;
  const minimum = reply.answers.minimumChips;
  const found: Fix[] = [];
  if (typeof minimum === 'number')
    found.push(suggest(scope, says.moreChips, ['run.chips', minimum]));
  if (scope.value('run.stateSharding') !== 'parameters') {
    found.push(suggest(scope, says.shard, ['run.stateSharding', 'parameters']));
  }
  if (
    scope.value('run.checkpointRule') !== 'copies' ||
    Number(scope.value('run.checkpointsPerLayer')) > 1
  ) {
    found.push(
      suggest(
        scope,
        says.checkpoint,
        ['run.checkpointRule', 'copies'],
        ['run.checkpointsPerLayer', 1],
      ),
    );
  }
  return found;
}

export const trainingFixes = { fixes: fixes, fits } satisfies Partial<View>;
