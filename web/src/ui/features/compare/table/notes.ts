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

/** The slices of its chips, or their number where it is another, and how these are divided. */
export function sayNotes(ctx: RenderContext, words: Words, { asked, subject }: Row): string[] {
  const announced = sayAnnounced(ctx, subject.id);
  if (!asked?.reply?.ok) return announced;
  const { state, reply } = asked;
  const { servers, slices } = words.table;
  const serves = viewOf(ctx).onFewestChips !== undefined;
  const chips = Number(ctx.at(state).value(chipsOf(state)));
  const say = (sentence: string, n: number): string =>
    ctx.fill(sentence, { n: ctx.format.count(n) }, { n });
  const inSlices = serves ? 0 : slicesOf(ctx.description, asked);
  return [
    ...announced,
    // The number is told where it is not the one that was asked for; some questions have none.
    serves || (chips > 0 && chips !== Number(ctx.value(chipsOf(ctx.state))))
      ? say(servers, chips)
      : '',
    inSlices > 1 ? say(slices, inSlices) : '',
    sayDivision(ctx, words, state, reply.answers),
  ].filter(Boolean);
}
