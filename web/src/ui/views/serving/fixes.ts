// Suggests fixes for servers that do not hold their load, or cannot be divided as asked.

import type { Issue } from '../../../engine/index.ts';
import type { Reply } from '../../../model/evaluate.ts';
import { servingWays, type State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

type Ask = (state: State) => Reply;

export const fits = (reply: Reply): boolean => reply.ok && reply.answers.servingFits === 'yes';

/** Whether the reader has fixed a way of the servers. */
export const hasFixedWays = ({ edits }: State): boolean =>
  servingWays.some((key) => key in edits.serving);

/** The state with all ways of its servers left open. */
export function withOpenWays(state: State): State {
  const { ways: _, ...others } = state;
  const left = Object.entries(state.edits.serving).filter(
    ([key]) => !(servingWays as readonly string[]).includes(key),
  );
  return { ...others, edits: { ...state.edits, serving: Object.fromEntries(left) } };
}

/** More chips than this many doublings are no help. */
const mostDoublings = 10;
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
  if (fits(reply)) return [];
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

/** The fewest chips that hold the load, by doubling. */
function moreChips(ctx: RenderContext, ask: Ask): Fix[] {
  let chips = Number(ctx.value('serving.chips'));
  for (let i = 0; i < mostDoublings; ++i) {
    chips = 2 ** (Math.floor(Math.log2(chips)) + 1);
    const fix = suggest(ctx, ctx.text.offers.chips, ['serving.chips', chips]);
    if (fits(ask(fix.state))) return [fix];
  }
  return [];
}
