// Tables as files of comma-separated values.

import { isTime } from '../number/unit.ts';

export interface Column {
  label: string;
  /** The group of the column, which files write before the label. */
  group?: string;
  /** The unit of its numbers; columns of texts have none. */
  unit?: string;
}

/** Numbers in the columns' units, texts, or undefined where there is nothing. */
export type Cell = number | string | undefined;

export interface Table {
  columns: Column[];
  rows: Cell[][];
}

/**
 * Spreadsheets run texts that begin like a formula, be it by signs of another width or behind signs
 * that they skip; a quote in front keeps them texts. Source: OWASP, CSV Injection.
 */
const inert = (text: string): string =>
  /^[\p{C}\s]*[=+\-@]|^[\t\r\n]/u.test(text.normalize('NFKC')) ? `'${text}` : text;
/** Some programs separate cells by semicolons or tabs. */
const quoted = (text: string): string =>
  /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const digits = (value: number): string => (Number.isFinite(value) ? String(value) : '');

/** CSV by RFC 4180; numbers keep all digits, the head has groups and units. */
export function csv({ columns, rows }: Table): string {
  const unitOf = (unit: string | undefined): string =>
    unit ? ` (${isTime(unit) ? 's' : unit})` : '';
  const head = columns.map(
    ({ label, group, unit }) => (group ? `${group}: ` : '') + label + unitOf(unit),
  );
  const written = [head, ...rows].map((row) =>
    row
      .map((cell) => (typeof cell === 'number' ? digits(cell) : quoted(inert(cell ?? ''))))
      .join(','),
  );
  // The mark at the start tells spreadsheets that this is UTF-8.
  return `\ufeff${written.join('\r\n')}\r\n`;
}
