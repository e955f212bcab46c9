import { bibtex, latex, markdown } from '../../../export/tables.ts';
import { csv, json } from '../../../export/data.ts';
import { element, frame, hugo, jekyll } from '../../../export/embeds.ts';
import { linkTo } from '../../../export/address.ts';
import type { Shared, Shown } from '../../../export/shared.ts';

export type FormatName =
  | 'link'
  | 'frame'
  | 'element'
  | 'hugo'
  | 'jekyll'
  | 'markdown'
  | 'latex'
  | 'bibtex'
  | 'svg'
  | 'png'
  | 'csv'
  | 'json';

interface Format {
  /** Of the file that is downloaded; a link is no file. */
  ending?: string;
  type: string;
  /** Pictures are drawn by what shows them. */
  write?: (shared: Shared, shown: Shown) => string;
  /** Shows the calculator itself, which can be told how: in these respects. */
  holds?: readonly (keyof Shown)[];
  /** Says what it says without the calculator's address, too. */
  alone?: true;
}

const whole = ['view', 'answer', 'controls', 'theme', 'reveal'] as const;

export const formats: Record<FormatName, Format> = {
  link: { type: 'text/plain', write: ({ address, link }) => linkTo(address, link) },
  frame: { ending: 'html', type: 'text/html', write: frame, holds: ['view', 'controls', 'theme'] },
  element: { ending: 'html', type: 'text/html', write: element, holds: whole },
  hugo: { ending: 'md', type: 'text/markdown', write: hugo, holds: whole },
  jekyll: { ending: 'md', type: 'text/markdown', write: jekyll, holds: whole },
  markdown: { ending: 'md', type: 'text/markdown', write: markdown },
  latex: { ending: 'tex', type: 'application/x-tex', write: latex },
  bibtex: { ending: 'bib', type: 'application/x-bibtex', write: bibtex },
  svg: { ending: 'svg', type: 'image/svg+xml', alone: true },
  png: { ending: 'png', type: 'image/png', alone: true },
  csv: { ending: 'csv', type: 'text/csv', write: csv, alone: true },
  json: { ending: 'json', type: 'application/json', write: json, alone: true },
};

export const groups: Record<'page' | 'text' | 'picture' | 'data', readonly FormatName[]> = {
  page: ['link', 'frame', 'element', 'hugo', 'jekyll'],
  text: ['markdown', 'latex', 'bibtex'],
  picture: ['svg', 'png'],
  data: ['csv', 'json'],
};
