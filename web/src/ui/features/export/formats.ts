// The formats in which the present state can be handed out.

import hugoFile from '../../../../hosts/hugo/layouts/shortcodes/scaling-calculator.html?raw';
import jekyllFile from '../../../../hosts/jekyll/_includes/scaling-calculator.html?raw';
import { linkTo } from '../../../export/address.ts';
import { csv, json } from '../../../export/data.ts';
import { element, frame, hugo, jekyll } from '../../../export/embeds.ts';
import type { Shared, Shown } from '../../../export/shared.ts';
import { bibtex, latex, markdown } from '../../../export/tables.ts';

interface Format {
  /** The heading that it stands under. */
  group: 'launch' | 'page' | 'text' | 'picture' | 'data';
  /** The ending of the downloaded file; a link has none. */
  ending?: string;
  type: string;
  /** The question of which it is a launch; those are written by a module of their own. */
  launches?: 'plan' | 'serving';
  /** Pictures are drawn by what shows them. */
  write?: (shared: Shared, shown: Shown) => string;
  /** Made of pixels. */
  raster?: true;
  /** Shows the calculator itself, which can be told how: in these respects. */
  holds?: readonly (keyof Shown)[];
  /** Says what it says without the calculator's address, too. */
  alone?: true;
  /** The template that a site needs once, before it understands the format. */
  siteFile?: string;
}

const whole = ['view', 'answer', 'controls', 'theme', 'reveal'] as const;

const script = { group: 'launch', ending: 'sh', type: 'text/x-shellscript', alone: true } as const;
const training = { ...script, launches: 'plan' } as const;
const server = { ...script, launches: 'serving' } as const;

const table = {
  link: { group: 'page', type: 'text/plain', write: ({ address, link }) => linkTo(address, link) },
  frame: {
    group: 'page',
    ending: 'html',
    type: 'text/html',
    write: frame,
    holds: ['view', 'controls', 'theme'],
  },
  element: { group: 'page', ending: 'html', type: 'text/html', write: element, holds: whole },
  hugo: {
    group: 'page',
    ending: 'md',
    type: 'text/markdown',
    write: hugo,
    holds: whole,
    siteFile: hugoFile,
  },
  jekyll: {
    group: 'page',
    ending: 'md',
    type: 'text/markdown',
    write: jekyll,
    holds: whole,
    siteFile: jekyllFile,
  },
  megatron: training,
  torchtitan: training,
  maxtext: training,
  deepspeed: training,
  vllm: server,
  sglang: server,
  tensorrt: server,
  markdown: { group: 'text', ending: 'md', type: 'text/markdown', write: markdown },
  latex: { group: 'text', ending: 'tex', type: 'application/x-tex', write: latex },
  bibtex: { group: 'text', ending: 'bib', type: 'application/x-bibtex', write: bibtex },
  svg: { group: 'picture', ending: 'svg', type: 'image/svg+xml', alone: true },
  png: { group: 'picture', ending: 'png', type: 'image/png', raster: true, alone: true },
  csv: { group: 'data', ending: 'csv', type: 'text/csv', write: csv, alone: true },
  json: { group: 'data', ending: 'json', type: 'application/json', write: json, alone: true },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof table;
type Group = Format['group'];

export const formats: Readonly<Record<FormatName, Format>> = table;

const names = Object.keys(table) as FormatName[];

/** What tells of all questions that stand side by side; texts and data tell of one. */
const ofSeveral: readonly Group[] = ['page', 'picture'];

/** What is on the page: a question, several side by side, or what asks none, which is a link alone. */
export interface Present {
  view: string;
  isPage: boolean;
  isBeside: boolean;
}

/** Whether a format tells of what is on the page. */
export const tellsOf = (name: FormatName, { view, isPage, isBeside }: Present): boolean => {
  if (isPage) return name === 'link';
  return isBeside
    ? ofSeveral.includes(formats[name].group)
    : (formats[name].launches ?? view) === view;
};

/** The headings, each with what stands under it. */
export function groupsFor(present: Present): readonly (readonly [Group, readonly FormatName[]])[] {
  const fitting = names.filter((name) => tellsOf(name, present));
  return [...new Set(fitting.map((name) => formats[name].group))].map((group) => [
    group,
    fitting.filter((name) => formats[name].group === group),
  ]);
}
