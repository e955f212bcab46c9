// The rows of an overview in their order.

import type { AnswerInfo } from '../../../../engine/index.ts';
import type { Answer, Answers } from '../../../../model/evaluate.ts';
import type { Price } from '../../../../model/presets.ts';
import type { Asked } from '../asking.ts';
import type { Subject } from '../subjects.ts';

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
