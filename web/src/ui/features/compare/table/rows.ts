// The rows of an overview in their order.

import type { AnswerInfo } from '../../../../engine/index.ts';
import type { Answer, Answers } from '../../../../model/evaluate.ts';
import type { Price } from '../../../../model/presets.ts';
import type { RenderContext, View } from '../../../kit/render-context.ts';
import { viewOf } from '../../../parts/view.ts';
import type { Asked } from '../asking.ts';
import { contestOf } from '../sides/contest.ts';
import type { Subject } from '../subjects.ts';
import type { Words } from '../words.ts';
import { sayAbsence } from './notes.ts';

/** The column that rows are sorted by. */
export interface Order {
  column: string;
  descending: boolean;
}

export const nameColumn = 'name';
export const makerColumn = 'maker';
export const priceColumn = 'chip price';
export const providerColumn = 'chip price provider';
export const dateColumn = 'chip price date';

export interface Row {
  subject: Subject;
  /** Once it has been asked. */
  asked: Asked | undefined;
  /** The price of the chip, if prices are compared. */
  price?: Price | undefined;
}

/** The answers of a row, if it has any. */
export const answersOf = ({ asked }: Row): Answers | undefined =>
  asked?.reply?.ok ? asked.reply.answers : undefined;

/** The order in which the best comes first. */
export const orderOf = ({ best }: View): Order | undefined =>
  best && { column: best.key, descending: best.most === true };

/** The others of which the likely ranges reach into that of the best row. */
export function alikeOf(ctx: RenderContext, rows: readonly Row[]): ReadonlySet<Row> {
  const { best } = viewOf(ctx);
  if (!best) return new Set();
  const sign = best.most ? -1 : 1;
  const contest = contestOf(
    rows.flatMap((row) => {
      const answers = answersOf(row);
      const value = answers?.[best.key];
      if (typeof value !== 'number') return [];
      const band = best.band?.(ctx, row.asked!.state, answers!);
      const [low, high] = band?.map((end) => sign * end) ?? [];
      const ends = low === undefined || high === undefined ? undefined : ([low, high] as const);
      return [
        {
          row,
          value: sign * value,
          band: ends && (sign > 0 ? ends : ([ends[1], ends[0]] as const)),
        },
      ];
    }),
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

/** Rows in order; those that have nothing in the column come last. */
export function sorted(
  rows: readonly Row[],
  order: Order | undefined,
  infos: ReadonlyMap<string, AnswerInfo>,
  language: string,
): Row[] {
  if (!order) return [...rows];
  const { column, descending } = order;
  const direction = descending ? -1 : 1;
  const words = new Intl.Collator(language, { numeric: true });
  const valueOf = (row: Row): number | string | undefined => {
    const { subject, price } = row;
    if (column === nameColumn) return subject.name;
    if (column === makerColumn) return subject.maker;
    if (column === priceColumn) return price?.value;
    if (column === providerColumn) return price?.provider;
    if (column === dateColumn) return price?.date;
    const answer: Answer | undefined = answersOf(row)?.[column];
    if (typeof answer === 'number') return answer;
    // Choices stand in the order in which they are declared.
    return typeof answer === 'string' ? infos.get(column)?.choices.indexOf(answer) : undefined;
  };
  return [...rows].sort((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === undefined || b === undefined)
      return Number(a === undefined) - Number(b === undefined);
    if (typeof a === 'string' && typeof b === 'string') return direction * words.compare(a, b);
    return direction * (Number(a) - Number(b));
  });
}

/** Whether the words that were typed are all in a row's name or its maker's. */
export function fitsFilter({ name, maker }: Subject, typed: string): boolean {
  const text = `${maker} ${name}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** An order as links have it: a column, with - before it where the greatest comes first. */
export function readOrder(text: string | undefined): Order | undefined {
  if (!text) return undefined;
  const descending = text.startsWith('-');
  return { column: descending ? text.slice(1) : text, descending };
}

export const writeOrder = ({ column, descending }: Order): string =>
  (descending ? '-' : '') + column;
