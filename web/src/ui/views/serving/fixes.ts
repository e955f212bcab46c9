// Suggests fixes for servers that do not hold their load, or cannot be divided as asked.

import type { Issue } from '../../../engine/index.ts';
import type { Reply } from '../../../model/evaluate.ts';
import { fewestChips, fits, holdsLoad, sequencesTogether } from '../../../model/fewest-chips.ts';
import { inputOf, servingWays, withField, withOpenWays, type State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

type Ask = (state: State) => Reply;

/** Whether the reader has fixed a way of the servers. */
export const hasFixedWays = ({ edits }: State): boolean =>
  servingWays.some((key) => key in edits.serving);

const narrower = ['fp8', 'int4'];

export function fixes(ctx: RenderContext, ask: Ask, issues: readonly Issue[], reply: Reply): Fix[] {
  const { offers: says } = ctx.text;
  const open: Fix[] = hasFixedWays(ctx.state)
    ? [{ says: says.bestWays, state: withOpenWays(ctx.state) }]
    : [];
  if (!reply.ok) {
    const tooFew = issues.some(
      ({ code, field }) => code === 'aboveMaximum' && /^serving\.(tensor|prefill)/.test(field),
    );
    return tooFew ? [...open, ...moreChips(ctx, ask)] : open;
  }
  const { chipsInBudget, meetsTargets, maxSequences: most } = reply.answers;
  if (fits(reply)) {
    if (Number(ctx.value('serving.budget')) > 0 && typeof chipsInBudget === 'number')
      return chipsInBudget >= 1 ? onChips(ctx, chipsInBudget) : [];
    return meetsTargets === 'no' ? [...open, ...enough(ctx, ask)] : [];
  }
  const users = typeof most === 'number' ? Math.floor(most) : 0;
  return [
    ...open,
    ...moreChips(ctx, ask),
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
export function mends(ctx: RenderContext, reply: Reply): string | undefined {
  if (!fits(reply)) return undefined;
  const { budget, offer } = ctx.text.served.targets;
  return Number(ctx.value('serving.budget')) > 0 ? budget : offer;
}

const onChips = (ctx: RenderContext, chips: number): Fix[] =>
  other(ctx, ctx.text.offers.chips, 'serving.chips', chips);

/** Suggests the fewest chips of which `works` is true. */
function onFewest(ctx: RenderContext, ask: Ask, works: (reply: Reply) => boolean): Fix[] {
  const fewest = fewestChips(ctx.value('chip.network') === 'torus', (chips) =>
    works(ask(withField(ctx.description, ctx.state, 'serving.chips', chips))),
  );
  return fewest === undefined ? [] : onChips(ctx, fewest);
}

/** Suggests chips that hold so many sequences at a time, and keep to the targets. */
const enough = (ctx: RenderContext, ask: Ask, sequences = 1): Fix[] =>
  onFewest(ctx, ask, (reply) => holdsLoad(reply, sequences));

/** Suggests chips that hold the whole load, or where none do, those that hold a part at a time. */
function moreChips(ctx: RenderContext, ask: Ask): Fix[] {
  const whole = enough(ctx, ask, sequencesTogether(inputOf(ctx.description, ctx.state, 'serving')));
  return whole.length ? whole : onFewest(ctx, ask, fits);
}
