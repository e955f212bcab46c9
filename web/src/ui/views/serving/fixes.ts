// Suggests fixes for servers that do not hold their load, or cannot be divided as asked. Elements in
// posts suggest none.

import type { Reply } from '../../../model/evaluate.ts';
import { fits, holdsLoadOf, keepsUp, onFewestChips } from '../../../model/fewest-chips.ts';
import { hasFixedWays, inputOf, withOpenWays } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix, View } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const narrower = ['fp8', 'int4'];

function fixes(ctx: RenderContext, reply: Reply): Fix[] {
  const { offers: says } = ctx.text;
  const open: Fix[] = hasFixedWays(ctx.state)
    ? [{ says: says.bestWays, state: withOpenWays(ctx.state) }]
    : [];
  if (!reply.ok) {
    const tooFew = ctx.issues.some(
      ({ code, field }) => code === 'aboveMaximum' && /^serving\.(tensor|prefill)/.test(field),
    );
    return tooFew ? [...open, ...moreChips(ctx)] : open;
  }
  const { chipsInBudget, meetsTargets, maxSequences: most } = reply.answers;
  if (fits(reply)) {
    if (Number(ctx.value('serving.budget')) > 0 && typeof chipsInBudget === 'number')
      return chipsInBudget >= 1 ? onChips(ctx, chipsInBudget) : [];
    return meetsTargets === 'no' ? [...open, ...onFewest(ctx, keepsUp)] : [];
  }
  const users = typeof most === 'number' ? Math.floor(most) : 0;
  return [
    ...open,
    ...moreChips(ctx),
    ...narrower.flatMap((format) => other(ctx, says.weights, 'server.weights', format)),
    ...other(ctx, says.cacheFormat, 'server.cacheFormat', 'fp8'),
    ...(users >= 1 && ctx.applies('serving.users')
      ? other(ctx, says.users, 'serving.users', users)
      : []),
  ];
}

/** Suggests a value, if it is another than the present one. */
const other = (ctx: RenderContext, says: string, id: FieldId, value: string | number): Fix[] =>
  ctx.value(id) === value ? [] : [suggest(ctx, says, [id, value])];

/** Offers once all fits: chips that keep to the targets, or that the budget pays for. */
function mends(ctx: RenderContext, reply: Reply): string | undefined {
  if (!fits(reply)) return undefined;
  const { budget, offer } = ctx.text.served.targets;
  return Number(ctx.value('serving.budget')) > 0 ? budget : offer;
}

const onChips = (ctx: RenderContext, chips: number): Fix[] =>
  other(ctx, ctx.text.offers.chips, 'serving.chips', chips);

/** Suggests the fewest chips of which `holds` is true. */
function onFewest(ctx: RenderContext, holds: (reply: Reply) => boolean): Fix[] {
  const found = onFewestChips(ctx.engine, ctx.state, holds);
  return found ? onChips(ctx, Number(inputOf(ctx.description, found, 'serving').chips)) : [];
}

/** Suggests chips that hold the whole load, or where none do, those that hold a part at a time. */
function moreChips(ctx: RenderContext): Fix[] {
  const whole = onFewest(ctx, holdsLoadOf(ctx.description, ctx.state));
  return whole.length ? whole : onFewest(ctx, fits);
}

export const servingFixes = { fixes, mends, fits } satisfies Partial<View>;
