import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../../dom/define.ts';
import { repeat } from 'lit/directives/repeat.js';
import type { AnswerInfo } from '../../../../engine/index.ts';
import type { Answer } from '../../../../model/evaluate.ts';
import { own as ownPreset } from '../../../../model/presets.ts';
import { countingOf, type State } from '../../../../model/state.ts';
import { disclosure } from '../../../kit/disclosure.ts';
import { LightElement } from '../../../kit/light-element.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { viewOf } from '../../../parts/view.ts';
import { Asking } from '../asking.ts';
import { renderPicker } from './column-picker.ts';
import { columnsOf, infosOf, sayAnswer, type Columns } from './columns.ts';
import { overviewFile } from './files.ts';
import { sayAbsence, sayNotes } from './notes.ts';
import { alikeOf, lackOf, orderOf } from './ranking.ts';
import { TablePrices } from './row-prices.ts';
import {
  answersOf,
  fitsFilter,
  makerColumn,
  nameColumn,
  readOrder,
  sorted,
  writeOrder,
  type Order,
  type Row,
} from './rows.ts';
import { basisChoice } from '../prices.ts';
import { stateFor, subjects, type Subject, type Which } from '../subjects.ts';
import { style } from '../style.ts';
import { saveCsv, saveMarkdown, type FileTable } from '../table-files.ts';
import type { Words } from '../words.ts';

/** The present question for all chips, or all models. Renders into its parent's tree. */
class Overview extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    which: { attribute: false },
    words: { attribute: false },
    filter: { state: true },
  };

  declare ctx: RenderContext;
  declare which: Which;
  declare words: Words;
  declare private filter: string;
  /** The present state but for what tables and charts show: what is asked hangs on nothing else. */
  private asks: Omit<State, 'charts'> | undefined;
  private prices!: TablePrices;
  /** The rows of which nobody can tell whether they are worse than the best. */
  private alike: ReadonlySet<Row> = new Set();
  private readonly asking = new Asking<Subject>(() => this.requestUpdate());

  constructor() {
    super();
    this.filter = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.asking.stop();
  }

  protected override willUpdate(): void {
    const { ctx, which } = this;
    this.prices = new TablePrices(ctx, which);
    const all = subjects(ctx, which);
    const { charts: _, ...asked } = ctx.state;
    if (!this.asks || !isSame(this.asks, asked)) this.asks = asked;
    const kept = all.map(({ id, name }) => `${id} ${name}`).join();
    this.asking.begin(
      { state: this.asks as State, engine: ctx.engine, views: ctx.features.views },
      all,
      (subject) => this.prices.stateOf(subject),
      kept,
    );
  }

  // ---- what stands in it

  private columns(): Columns {
    const { ctx, which, asking } = this;
    const answers = subjects(ctx, which).flatMap(({ id }) => {
      const reply = asking.of(id)?.reply;
      return reply?.ok ? [reply.answers] : [];
    });
    return columnsOf(ctx, answers, asking.left === 0);
  }

  /** Names the files of the table. */
  private get place(): string {
    return `${this.ctx.state.view}-${this.which}s`;
  }

  /** The reader's order; else the best comes first. */
  private get order(): Order | undefined {
    return readOrder(this.ctx.state.charts.sort) ?? orderOf(viewOf(this.ctx));
  }

  private rows(): Row[] {
    const { ctx, which, filter, order } = this;
    const shown = subjects(ctx, which)
      .filter((subject) => fitsFilter(subject, filter.trim()))
      .map((subject) => {
        const asked = this.asking.of(subject.id);
        return { subject, asked, price: this.prices.of({ subject, asked }) };
      });
    return sorted(shown, order, infosOf(ctx), ctx.language);
  }

  /** The rows with answers, and those without, each with its reason. */
  private parted(): [rows: Row[], without: Map<Row, string>] {
    const { ctx, words } = this;
    const rows: Row[] = [];
    const without = new Map<Row, string>();
    for (const row of this.rows()) {
      const reason = row.subject.own ? '' : lackOf(ctx, words, row);
      if (reason) without.set(row, reason);
      else rows.push(row);
    }
    return [rows, without];
  }

  // ---- what the reader does

  private take({ subject }: Row): void {
    const { actions } = this.ctx;
    // The slices go with the chip.
    if (!subject.own) actions.go(stateFor(this.ctx, this.which, subject));
  }

  private sortBy(column: string): void {
    const { order } = this;
    const again = order?.column === column;
    this.ctx.actions.chart({
      sort: writeOrder({ column, descending: again && !order.descending }),
    });
  }

  private file(words: Words, rows: readonly Row[], columns: readonly AnswerInfo[]): FileTable {
    return overviewFile(this.ctx, words, this.which, this.prices, rows, columns);
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { words, ctx, which } = this;
    const [rows, without] = this.parted();
    // How far models differ is no matter of how sure predictions are.
    this.alike = which === 'chip' ? alikeOf(ctx, rows) : new Set();
    const all = subjects(ctx, which).length;
    const { left } = this.asking;
    const { shown: columns, common } = this.columns();
    const caption = ctx.fill(
      words.table.caption[which],
      { n: String(rows.length) },
      { n: rows.length },
    );
    return html`<p class="means">${this.sayEdits(words)}</p>
      <div class="tools">
        <label
          ><span>${words.table.filter[which]}</span>
          <input
            type="search"
            autocomplete="off"
            spellcheck="false"
            .value=${this.filter}
            @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)}
        /></label>
        ${this.prices.areShown(columns) ? basisChoice(ctx, words) : nothing}
        <button
          type="button"
          class="csv"
          aria-label=${words.table.csv}
          @click=${() => saveCsv(this.file(words, [...rows, ...without.keys()], columns), this.place)}
        >
          CSV
        </button>
        <button
          type="button"
          class="markdown"
          aria-label=${words.table.markdown}
          @click=${() => saveMarkdown(ctx, this.file(words, [...rows, ...without.keys()], columns), this.place)}
        >
          Markdown
        </button>
      </div>
      ${renderPicker(ctx, words, which, columns)}
      <p class="note" role="status" data-progress=${left > 0 ? 'asking' : 'done'}>
        ${
          left > 0
            ? ctx.fill(words.table.progress, { done: String(all - left), all: String(all) })
            : rows.length > 0
              ? ctx.fill(words.table.shown, { n: String(rows.length), all: String(all) })
              : words.table.nothing
        }
      </p>
      ${common.size > 0 ? html`<p class="note common">${this.sayCommon(words, common)}</p>` : nothing}
      ${
        rows.length > 0
          ? html`<div class="scroll" role="region" tabindex="0" aria-label=${caption}>
              <table class="overview" aria-busy=${left > 0}>
                <caption class="hidden">
                  ${caption}
                </caption>
                <thead>
                  <tr>
                    ${this.renderHead(nameColumn, words.table[which], false)}
                    ${this.renderHead(
                      makerColumn,
                      words.table[which === 'chip' ? 'vendor' : 'organisation'],
                      false,
                    )}
                    ${columns.map(({ key, kind }) =>
                      this.renderHead(key, ctx.answer(key).label, kind === 'number'),
                    )}
                    ${this.prices
                      .columns(words, columns)
                      .map(({ column, label, number }) => this.renderHead(column, label, number))}
                  </tr>
                </thead>
                <tbody>
                  ${repeat(
                    rows,
                    ({ subject }) => subject.id,
                    (row) => this.renderRow(words, row, columns),
                  )}
                </tbody>
              </table>
            </div>`
          : nothing
      }
      ${without.size > 0 ? this.renderWithout(words, without) : nothing}`;
  }

  /** Lists the rows without an answer by their reasons. */
  private renderWithout(words: Words, without: ReadonlyMap<Row, string>): TemplateResult {
    const { ctx, which } = this;
    const n = without.size;
    const reasons = new Map<string, Row[]>();
    for (const [row, reason] of without) {
      reasons.set(reason, [...(reasons.get(reason) ?? []), row]);
    }
    return disclosure(
      ctx,
      {
        part: `without ${which}`,
        kind: 'other',
        summary: html`${ctx.fill(words.table.without, { n: String(n) }, { n })}`,
      },
      () =>
        html`<ul class="without">
          ${[...reasons].map(
            ([reason, all]) =>
              html`<li>
                <p>${reason}</p>
                ${all.map(
                  (row) =>
                    html`<span data-row=${row.subject.id}>${this.renderName(words, row)}</span> `,
                )}
              </li>`,
          )}
        </ul>`,
    );
  }

  private renderName(words: Words, row: Row): TemplateResult {
    const { name, own } = row.subject;
    return html`<button
      type="button"
      aria-disabled=${own ? 'true' : nothing}
      aria-label=${own ? nothing : this.ctx.fill(words.table.takeLabel, { name })}
      @click=${() => this.take(row)}
    >
      ${name}
    </button>`;
  }

  /** Says which of the reader's changes hold for all rows. */
  private sayEdits(words: Words): string {
    const { ctx, which } = this;
    const { state } = ctx;
    const edits = Object.keys(state.edits[which]).length;
    // A custom preset stays as it is.
    const isPreset = edits > 0 && state[which] !== ownPreset;
    const said = isPreset
      ? ctx.fill(words.table.edits[which], { name: ctx.called(which), n: String(edits) })
      : words.table.rest[which];
    if (countingOf(state) === 'predicted') return said;
    return ctx.sentences([
      ctx.fill(words.table.book, { mfu: ctx.say('run.mfu', ctx.value('run.mfu')) }),
      said,
    ]);
  }

  private sayCommon(words: Words, common: ReadonlyMap<string, Answer>): string {
    const { ctx } = this;
    const infos = infosOf(ctx);
    const answers = [...common].map(([key, answer]) =>
      ctx.fill(words.colon, {
        name: ctx.answer(key).label,
        what: sayAnswer(ctx, infos.get(key)!, answer),
      }),
    );
    return ctx.fill(words.table.common, { answers: answers.join(words.between) });
  }

  private renderHead(column: string, label: string, isNumber: boolean): TemplateResult {
    const { order } = this;
    const sorts = order?.column === column;
    const sign = sorts ? (order.descending ? '↓' : '↑') : '';
    const direction = html`<span class="direction" aria-hidden="true">${sign}</span>`;
    return html`<th
      scope="col"
      class=${isNumber ? 'number' : ''}
      aria-sort=${sorts ? (order.descending ? 'descending' : 'ascending') : nothing}
    >
      <button type="button" data-sort=${column} @click=${() => this.sortBy(column)}>
        ${isNumber ? html`${direction}${label}` : html`${label}${direction}`}
      </button>
    </th>`;
  }

  private renderRow(words: Words, row: Row, columns: readonly AnswerInfo[]): TemplateResult {
    const { ctx } = this;
    const { id, maker, own } = row.subject;
    const notes = [
      ...(own ? [words.table.own] : []),
      ...(this.alike.has(row) ? [words.table.alike] : []),
      ...sayNotes(ctx, words, row),
    ];
    return html`<tr data-row=${id} aria-current=${own ? 'true' : nothing}>
      <th scope="row">
        ${this.renderName(words, row)}
        ${notes.length ? html`<span class="own">${notes.join(words.between)}</span>` : nothing}
      </th>
      <td>${maker}</td>
      ${this.renderCells(words, row, columns)}
      ${this.prices.areShown(columns) ? this.prices.render(words, row) : nothing}
    </tr>`;
  }

  private renderCells(
    words: Words,
    row: Row,
    columns: readonly AnswerInfo[],
  ): TemplateResult | TemplateResult[] {
    const answers = answersOf(row);
    if (row.asked && !answers) {
      return html`<td class="invalid" colspan=${columns.length}>
        ${sayAbsence(this.ctx, words, row)}
      </td>`;
    }
    return columns.map(
      (info) =>
        html`<td class=${info.kind === 'number' ? 'number' : ''} data-column=${info.key}>
          ${sayAnswer(this.ctx, info, answers?.[info.key])}
        </td>`,
    );
  }
}

/** Whether two states ask the same: their parts are the same. */
function isSame(one: object, other: object): boolean {
  const [ones, others] = [Object.entries(one), new Map(Object.entries(other))];
  return ones.length === others.size && ones.every(([key, value]) => others.get(key) === value);
}

/** The table. */
export function overview(ctx: RenderContext, which: Which, words: Words): TemplateResult {
  define('scaling-overview', Overview);
  return html`<scaling-overview .ctx=${ctx} .which=${which} .words=${words}></scaling-overview>`;
}
