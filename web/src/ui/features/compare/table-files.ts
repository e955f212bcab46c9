// A table as files: CSV, in which numbers and dates keep their types, and Markdown, in words.

import { has } from '../../../model/own-value.ts';
import { download } from '../../../charts/kit/export.ts';
import { addressOf, linkTo } from '../../../export/address.ts';
import { csv, type Cell, type Column } from '../../../export/csv.ts';
import { forMarkdown } from '../../../export/escape.ts';
import { writeAddress } from '../../../link/address.ts';
import { questionText } from '../../parts/question/question.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** A column, and whether it stands in Markdown too. */
export interface FileColumn extends Column {
  number?: boolean;
  /** Its name in Markdown, which has no groups. */
  alone?: string;
  /** The text is too long for a table to be read: only CSV has it. */
  long?: boolean;
}

/** A row: what goes into CSV, and the same in words where that differs. */
export type FileCell = Cell | { value: Cell; said: string };

export interface FileTable {
  columns: readonly FileColumn[];
  rows: readonly (readonly FileCell[])[];
}

const valueOf = (cell: FileCell): Cell =>
  typeof cell === 'object' && cell !== null && has(cell, 'said') ? cell.value : cell;
const saidOf = (cell: FileCell): string =>
  typeof cell === 'object' && cell !== null && has(cell, 'said') ? cell.said : String(cell ?? '');

/** The question of a state, in words and as a link, without what tables show of it. */
export function asked(ctx: RenderContext, state: State): [sentence: string, link: string] {
  const {
    sides: _,
    deadline: __,
    budget: ___,
    columns: ____,
    sort: _____,
    ...charts
  } = state.charts;
  const there = ctx.at({ ...state, charts });
  const link = writeAddress(there.description, there.state);
  return [questionText(there), linkTo(addressOf(location), link)];
}

export function saveCsv({ columns, rows }: FileTable, place: string): void {
  const table = { columns: [...columns], rows: rows.map((row) => row.map(valueOf)) };
  download(new Blob([csv(table)], { type: 'text/csv' }), `${place}.csv`);
}

/** The table below its question, which leads to where it was made. */
export function markdownOf(ctx: RenderContext, { columns, rows }: FileTable): string {
  const shown = columns.flatMap(({ long }, index) => (long ? [] : [index]));
  const line = (cells: readonly string[]): string => `| ${cells.map(forMarkdown).join(' | ')} |`;
  const [sentence] = asked(ctx, ctx.state);
  const link = linkTo(addressOf(location), writeAddress(ctx.description, ctx.state));
  return [
    `[${forMarkdown(sentence)}](${link})`,
    '',
    line(shown.map((index) => columns[index]!.alone ?? columns[index]!.label)),
    `|${shown.map((index) => (columns[index]!.number ? ' ---: ' : ' --- ')).join('|')}|`,
    ...rows.map((row) => line(shown.map((index) => saidOf(row[index])))),
    '',
  ].join('\n');
}

export function saveMarkdown(ctx: RenderContext, table: FileTable, place: string): void {
  const text = markdownOf(ctx, table);
  download(new Blob([text], { type: 'text/markdown' }), `${place}.md`);
}
