// The words of a side beside its answers.

import type { PartTexts } from '../../../../i18n/dictionary.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { chipsOf } from '../../../kit/title.ts';
import type { Asked } from '../asking.ts';
import { chipsIn, ownSides, qualifies } from './facts.ts';
import { limitsOf } from './limits.ts';
import { takesNeeded } from './rows.ts';
import { readSides, type Along } from './setting.ts';
import { sayAnnounced, slicesOf } from '../subjects.ts';
import type { Words } from '../words.ts';

/** Says why a side has no answers. */
export function sayReason(ctx: RenderContext, common: Words, { state, reply }: Asked): string {
  if (!reply) return common.table.unjoined;
  if (reply.ok) return '';
  const there = ctx.at(state);
  return reply.issues.map((issue) => there.issueMessage(issue)).join(' ');
}

/** The chips of a side, and their slices. */
export function sayChips(ctx: RenderContext, words: PartTexts<'sides'>, asked: Asked): string {
  const { state } = asked;
  const n = chipsIn(ctx, state);
  const slices = slicesOf(ctx.description, asked);
  const parts = { n: ctx.format.count(n), slices: ctx.format.count(slices) };
  const { along } = readSides(ctx.description, ctx.state.charts.sides ?? '') ?? {};
  const limits = limitsOf(ctx);
  const needs = along !== undefined && takesNeeded(ctx, along, limits) && qualifies(ctx, asked);
  const sentence = slices > 1 ? words.chipsInSlices : needs ? words.chipsNeeded : words.chips;
  const said = ctx.fill(sentence, parts, { n, slices });
  return [said, ...sayAnnounced(ctx, state.chip)].join(' · ');
}

/** Says on how many chips sides stand; where these follow, it stands in each column. */
export function sayOnChips(
  ctx: RenderContext,
  { onChips }: PartTexts<'sides'>,
  along: Along,
): string {
  if (!ownSides(ctx).keepsLimits || along === 'kept' || along === chipsOf(ctx.state)) return '';
  const { time, cost } = limitsOf(ctx);
  if (time !== undefined) return onChips.deadline;
  return cost === undefined ? '' : onChips.budget;
}
