// Notes of a table's rows, beside their answers.

import type { RenderContext } from '../../../kit/render-context.ts';
import { chipsOf } from '../../../kit/title.ts';
import { viewOf } from '../../../parts/view.ts';
import { sayDivision } from '../division.ts';
import type { Row } from './rows.ts';
import { sayAnnounced, slicesOf } from '../subjects.ts';
import type { Words } from '../words.ts';

/** Says why a row has no answers; empty if it has. */
export function sayAbsence(ctx: RenderContext, words: Words, { asked }: Row): string {
  if (!asked || asked.reply?.ok) return '';
  if (!asked.reply) return words.table.unjoined;
  const there = ctx.at(asked.state);
  return asked.reply.issues.map((issue) => there.issueMessage(issue)).join(' ');
}

/** The slices of its chips, or the chips of servers, and how these are divided. */
export function sayNotes(ctx: RenderContext, words: Words, { asked, subject }: Row): string[] {
  const announced = sayAnnounced(ctx, subject.id);
  if (!asked?.reply?.ok) return announced;
  const { state, reply } = asked;
  const { servers, slices } = words.table;
  const serves = viewOf(ctx).onFewestChips !== undefined;
  const n = serves ? Number(ctx.at(state).value(chipsOf(state))) : slicesOf(ctx.description, asked);
  return [
    ...announced,
    serves || n > 1 ? ctx.fill(serves ? servers : slices, { n: ctx.format.count(n) }, { n }) : '',
    sayDivision(ctx, words, state, reply.answers),
  ].filter(Boolean);
}
