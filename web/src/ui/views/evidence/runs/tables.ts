// The tables of the evidence as files.

import { html, type TemplateResult } from 'lit';
import { download } from '../../../../charts/kit/export.ts';
import { addressOf, linkTo } from '../../../../export/address.ts';
import { csv, type Table } from '../../../../export/csv.ts';
import { forMarkdown } from '../../../../export/escape.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from './collection.ts';
import { sayChoice, type EvidenceWords } from './words.ts';
import { valueOf } from './filter.ts';
import type { Run } from './run.ts';
import type { RunGroup } from './settings.ts';
import type { Errors } from './statistics.ts';

/** The errors of runs that have one value of a group. */
export interface GroupErrors {
  value: string;
  said: string;
  errors: Errors;
}

export function errorTable(words: EvidenceWords, by: RunGroup, rows: GroupErrors[]): Table {
  const { columns } = words.errors;
  return {
    columns: [
      { label: words.labels[by] },
      { label: columns.count, unit: '' },
      { label: columns.median, unit: '%' },
      { label: columns.ninth, unit: '%' },
      { label: columns.covered, unit: '%' },
    ],
    rows: rows.map(({ said, errors: { count, median, ninth, covered } }) => [
      said,
      count,
      ...[median, ninth, covered].map((share) => Number((100 * share).toPrecision(4))),
    ]),
  };
}

export function runTable(
  ctx: RenderContext,
  words: EvidenceWords,
  { bounds, choices, unit: said }: Collection,
  runs: readonly Run[],
  linkOf: (run: Run) => string,
): Table {
  const { chart, details, labels } = words;
  const unit = said.replace('/step', '');
  const loads = choices.includes('load');
  return {
    columns: [
      ...[labels.model, labels.chip].map((label) => ({ label })),
      { label: labels.chips, unit: '' },
      ...[labels.format, labels.kind, ...(loads ? [labels.load] : []), labels.stack].map(
        (label) => ({ label }),
      ),
      { label: details.measured, unit },
      { label: details.expected, unit },
      ...['low', 'high', ...bounds].map((key) => ({ label: chart[key as 'low'], unit })),
      ...[labels.source, words.link].map((label) => ({ label })),
    ],
    rows: runs.map((run) => [
      run.model,
      sayChoice(ctx, words, 'chip', run.chip),
      run.chips,
      run.precision,
      words.kinds[run.kind],
      ...(loads ? [sayChoice(ctx, words, 'load', valueOf(run, 'load'))] : []),
      sayChoice(ctx, words, 'stack', valueOf(run, 'stack')),
      run.measured,
      run.expected,
      run.low,
      run.high,
      ...bounds.map((key) => run[key]),
      run.citation.text,
      linkTo(addressOf(location), linkOf(run)),
    ]),
  };
}

/** Buttons that download a table. */
export function tableTools(words: EvidenceWords, name: string, table: () => Table): TemplateResult {
  const markdown = (): string => {
    const { columns, rows } = table();
    const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
    return [
      line(columns.map(({ label }) => forMarkdown(label))),
      line(columns.map(({ unit }) => (unit === undefined ? '---' : '---:'))),
      ...rows.map((row) => line(row.map((cell) => forMarkdown(String(cell ?? ''))))),
    ].join('');
  };
  const save = (text: string, type: string, ending: string): void =>
    download(new Blob([text], { type }), `evidence-${name}.${ending}`);
  return html`<p class="tools">
    <button
      type="button"
      data-save="${name}-csv"
      aria-label=${words.saveCsv}
      @click=${() => save(csv(table()), 'text/csv', 'csv')}
    >
      CSV
    </button>
    <button
      type="button"
      data-save="${name}-markdown"
      aria-label=${words.saveMarkdown}
      @click=${() => save(markdown(), 'text/markdown', 'md')}
    >
      Markdown
    </button>
  </p>`;
}
