// A table of chips or models as files.

import type { AnswerInfo } from '../../../../engine/index.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { sayAnswer } from './columns.ts';
import { sayAbsence, sayNotes } from './notes.ts';
import type { TablePrices } from './row-prices.ts';
import { answersOf, type Row } from './rows.ts';
import type { Which } from '../subjects.ts';
import { asked, type FileCell, type FileTable } from '../table-files.ts';
import type { Words } from '../words.ts';

/** The shown rows and columns, each row with its question and link. */
export function overviewFile(
  ctx: RenderContext,
  words: Words,
  which: Which,
  prices: TablePrices,
  rows: readonly Row[],
  shown: readonly AnswerInfo[],
): FileTable {
  const { question, answer } = words.table.groups;
  const group = words.table[which];
  const priced = prices.areShown(shown);
  return {
    columns: [
      { group, label: words.table.name, alone: group },
      { group, label: words.table[which === 'chip' ? 'vendor' : 'organisation'] },
      { group: question, label: words.table.sentence, long: true },
      { group: question, label: words.table.link, long: true },
      ...prices.columns(words, shown).map(({ label, number }) => ({
        group: question,
        label,
        number,
        ...(number && { unit: ctx.info('chip.price').unit }),
      })),
      ...shown.map(({ key, unit, kind }) => ({
        group: answer,
        label: ctx.answer(key).label,
        unit,
        number: kind === 'number',
      })),
      { group: answer, label: words.table.note },
    ],
    rows: rows.map((row): FileCell[] => [
      row.subject.name,
      row.subject.maker,
      ...asked(ctx, prices.stateOf(row.subject)),
      ...(priced ? prices.cells(words, row) : []),
      ...shown.map((info): FileCell => {
        const value = answersOf(row)?.[info.key];
        const said = sayAnswer(ctx, info, value);
        return typeof value === 'number' ? { value, said } : said;
      }),
      [sayAbsence(ctx, words, row), ...sayNotes(ctx, words, row)]
        .filter(Boolean)
        .join(words.between),
    ]),
  };
}
