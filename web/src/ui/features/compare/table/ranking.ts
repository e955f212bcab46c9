// The ranking of an overview: the rows that come first, and those that have no place in it.

import { bandOf } from '../../../parts/band.ts';
import type { RenderContext, View } from '../../../kit/render-context.ts';
import { viewOf } from '../../../parts/view.ts';
import { contestOf } from '../../../../compare/contest.ts';
import type { Words } from '../words.ts';
import { sayAbsence } from './notes.ts';
import { answersOf, type Order, type Row } from './rows.ts';

/** The order in which the best comes first. */
export const orderOf = ({ best }: View): Order | undefined =>
  best && { column: best.key, descending: best.most === true };

/** The others of which the likely ranges reach into that of the best row. */
export function alikeOf(ctx: RenderContext, rows: readonly Row[]): ReadonlySet<Row> {
  const { best } = viewOf(ctx);
  if (!best) return new Set();
  const contest = contestOf(
    rows.flatMap((row) => {
      const answers = answersOf(row);
      const value = answers?.[best.key];
      if (typeof value !== 'number') return [];
      const band = best.band
        ? best.band(ctx, row.asked!.state, answers!)
        : bandOf(ctx, best.key, answers!);
      return [{ row, value, band }];
    }),
    best.most,
  );
  return new Set(contest?.alike.map(({ row }) => row));
}

/** Why a row has nothing to compare; empty where it has. The reader's own always stands there. */
export function lackOf(ctx: RenderContext, words: Words, row: Row): string {
  if (!row.asked) return '';
  const reply = row.asked.reply;
  if (!reply?.ok) return sayAbsence(ctx, words, row);
  const { best, fits = () => true } = viewOf(ctx);
  if (!fits(reply)) return words.table.doesNotFit;
  const [first] = ctx.description.questions[ctx.state.view].first;
  const answer = best && first === best.key ? reply.answers[first] : undefined;
  if (typeof answer !== 'object') return '';
  // Only prices are not listed.
  if (answer.absent === 'notListed') return words.table.noPrice;
  return (ctx.text.absences as Record<string, string>)[answer.absent] ?? '';
}
