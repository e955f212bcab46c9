// Suggests fixes for servers that do not hold their load, or cannot be divided as asked. Elements in
// posts suggest none.

import { evaluateNearby, type Reply } from '../../../model/evaluate.ts';
import { bought, fits, holdsLoadOf, keepsUp, onFewestChips } from './fewest-chips.ts';
import { hasFixedWays, inputOf, withOpenWays } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest } from '../../parts/question/suggested-fixes.ts';
import type { Fix, View } from '../../parts/view.ts';
import { isSparse } from '../../kit/model-parts.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { countsOf } from './answers.ts';

const narrower = ['fp8', 'int4'];

function fixes(ctx: RenderContext, reply: Reply): Fix[] {
  const { offers: says } = ctx.text;
  const open: Fix[] = hasFixedWays(ctx.description, ctx.state)
    ? [{ says: says.bestWays, state: withOpenWays(ctx.description, ctx.state) }]
    : [];
  if (!reply.ok) {
    const tooFew = ctx.issues.some(
      ({ code, field }) => code === 'aboveMaximum' && /^serving\.(tensor|prefill)/.test(field),
    );
    return tooFew ? [...open, ...moreChips(ctx)] : open;
  }
  const { chipsInBudget, meetsTargets, maxSequences, usersPlaced } = reply.answers;
  if (fits(reply)) {
    if (Number(ctx.value('serving.budget')) > 0 && typeof chipsInBudget === 'number')
      return onChips(ctx, bought(ctx.engine, ctx.state, chipsInBudget, true));
    if (meetsTargets === 'no') return [...open, ...onFewest(ctx, keepsUp)];
    if (!waits(reply)) return [];
  }
  const most = Number(waits(reply) ? usersPlaced : maxSequences);
  const fitting = [
    ...open,
    ...moreChips(ctx),
    ...narrower.flatMap((format) => other(ctx, says.weights, 'server.weights', format)),
    ...other(ctx, says.cacheFormat, 'server.cacheFormat', 'fp8'),
    ...onHost(ctx),
    ...(most >= 1 && ctx.applies('serving.users')
      ? other(ctx, says.users, 'serving.users', Math.floor(most))
      : []),
  ];
  if (!waits(reply)) return fitting;
  return fitting.filter(({ state }) => !waits(evaluateNearby(ctx.engine, state)));
}

/** Suggests a value, if it is another than the present one. */
const other = (ctx: RenderContext, says: string, id: FieldId, value: string | number): Fix[] =>
  ctx.value(id) === value ? [] : [suggest(ctx, says, [id, value])];

/** Offers once all fits: chips that keep to the targets, or that the budget pays for. */
function mends(ctx: RenderContext, reply: Reply): string | undefined {
  if (!fits(reply)) return undefined;
  const { budget, offer, waits: place } = ctx.text.served.targets;
  if (Number(ctx.value('serving.budget')) > 0) return budget;
  return waits(reply) && (reply.ok && reply.answers.meetsTargets) !== 'no' ? place : offer;
}

/** Whether some users wait until others are answered. */
const waits = (reply: Reply): boolean => reply.ok && Number(reply.answers.placeTime) > 0;

/** Suggests the fewest layers in host memory, or of models with experts the fewest whose experts lie
 * there: of one chip, or where the software is one that runs these, as it computes in blocks of
 * integers. */
function onHost(ctx: RenderContext): Fix[] {
  const runs = ctx.value('server.computeIn') === 'int8Blocks' || ctx.value('serving.chips') === 1;
  if (!runs) return [];
  const key = isSparse(ctx) ? 'hostExperts' : 'hostLayers';
  const says = ctx.text.offers[key];
  const replyOf = (layers: number): Reply =>
    evaluateNearby(ctx.engine, suggest(ctx, says, [`serving.${key}`, layers]).state);
  let [few, enough] = [0, Number(ctx.value('model.layers'))];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    const reply = replyOf(middle);
    // More than there are, or than the host holds, are refused.
    if (!reply.ok || fits(reply)) enough = middle;
    else few = middle;
  }
  return fits(replyOf(enough)) ? other(ctx, says, `serving.${key}`, enough) : [];
}

/** Suggests a number of chips, and says the servers and nodes that these are. */
function onChips(ctx: RenderContext, chips: number | undefined): Fix[] {
  const { offers } = ctx.text;
  if (chips === undefined) return [];
  return other(ctx, offers.chips, 'serving.chips', chips).map((fix) => {
    const reply = evaluateNearby(ctx.engine, fix.state);
    if (!reply.ok) return fix;
    const [words, numbers] = countsOf(ctx, {
      number: (key) => {
        const answer = reply.answers[key];
        return typeof answer === 'number' ? answer : undefined;
      },
    });
    const alike = numbers['servers']! * numbers['each']! === chips;
    const says = alike ? ctx.fill(offers.servers, words, numbers) : fix.says;
    return {
      ...fix,
      says: numbers['nodes']! > 0 ? ctx.fill(offers.inNodes, { ...words, says }, numbers) : says,
    };
  });
}

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
