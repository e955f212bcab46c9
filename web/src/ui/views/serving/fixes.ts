// Suggests fixes for servers that do not hold their load, or cannot be divided as asked.

import type { Issue } from '../../../engine/index.ts';
import type { Reply } from '../../../model/evaluate.ts';
import { fewestChips } from '../../../model/fewest-chips.ts';
import { servingWays, withOpenWays, type State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

type Ask = (state: State) => Reply;

export const fits = (reply: Reply): boolean => reply.ok && reply.answers.servingFits === 'yes';

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
  if (fits(reply) && Number(ctx.value('serving.budget')) > 0) {
    const { chipsInBudget } = reply.answers;
    if (typeof chipsInBudget === 'number') return inBudget(ctx, chipsInBudget);
  }
  if (fits(reply)) return reply.answers.meetsTargets === 'no' ? [...open, ...enough(ctx, ask)] : [];
  const most = reply.answers.maxSequences;
  const users = typeof most === 'number' ? Math.floor(most) : 0;
  const has = (id: FieldId, value: string): boolean => ctx.value(id) === value;
  return [
    ...open,
    ...moreChips(ctx, ask),
    ...narrower
      .filter((format) => !has('server.weights', format))
      .map((format) => suggest(ctx, says.weights, ['server.weights', format])),
    ...(has('server.cacheFormat', 'fp8')
      ? []
      : [suggest(ctx, says.cacheFormat, ['server.cacheFormat', 'fp8'])]),
    ...(users >= 1 && ctx.applies('serving.users')
      ? [suggest(ctx, says.users, ['serving.users', users])]
      : []),
  ];
}

/** Offers once all fits: chips that keep to the targets, or that the budget pays for. */
export function mends(ctx: RenderContext, reply: Reply): string | undefined {
  if (!fits(reply)) return undefined;
  const { budget, offer } = ctx.text.served.targets;
  return Number(ctx.value('serving.budget')) > 0 ? budget : offer;
}

/** Chips beyond which none are offered. */
const mostChips = 4096;

/** Suggests the fewest chips of which `works` is true, if these are more than the present ones. */
function onFewest(ctx: RenderContext, ask: Ask, works: (reply: Reply) => boolean): Fix[] {
  const on = (chips: number): Fix => suggest(ctx, ctx.text.offers.chips, ['serving.chips', chips]);
  const fewest = fewestChips((chips) => works(ask(on(chips).state)), mostChips);
  return fewest === undefined || fewest === Number(ctx.value('serving.chips')) ? [] : [on(fewest)];
}

const moreChips = (ctx: RenderContext, ask: Ask): Fix[] => onFewest(ctx, ask, fits);

/** Suggests the fewest chips, and so the cheapest, that keep to the targets. */
const enough = (ctx: RenderContext, ask: Ask): Fix[] =>
  onFewest(ctx, ask, (reply) => fits(reply) && reply.ok && reply.answers.meetsTargets === 'yes');

/** The chips that the budget pays for, where these are others than the present ones. */
function inBudget(ctx: RenderContext, chips: number): Fix[] {
  const present = Number(ctx.value('serving.chips'));
  if (!(chips >= 1) || chips === present) return [];
  return [suggest(ctx, ctx.text.offers.chips, ['serving.chips', chips])];
}
