import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { AnswerInfo } from '../../../engine/index.ts';
import type { Answer, Answers } from '../../../model/evaluate.ts';
import { own as ownPreset, type Price } from '../../../model/presets.ts';
import { withPreset, type State } from '../../../model/state.ts';
import { sayDivision } from './division.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { isHidden } from '../../parts/answers/quiz.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { Asking } from './asking.ts';
import { columnsOf, infosOf, sayAnswer, type Columns } from './overview-columns.ts';
import {
  answersOf,
  dateColumn,
  fitsFilter,
  makerColumn,
  nameColumn,
  priceColumn,
  providerColumn,
  readOrder,
  sorted,
  writeOrder,
  type Order,
  type Row,
} from './overview-rows.ts';
import { basisChoice, basisOf, onBasis, priceIn, sayPrice, sourceOf } from './prices.ts';
import type { Words } from './words.ts';
import {
  slicesOf,
  stateFor,
  subjects,
  type Subject,
  type Which,
  sayAnnounced,
} from './subjects.ts';
import { style } from './style.ts';
import { asked, saveCsv, saveMarkdown, type FileCell, type FileTable } from './table-files.ts';
import { LightElement } from '../../kit/light-element.ts';

/** The answers that rest on the price of a chip. */
const costs: readonly string[] = ['cost', 'costOutput'];

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
    const all = subjects(ctx, which);
    const { charts: _, ...asked } = ctx.state;
    if (!this.asks || !isSame(this.asks, asked)) this.asks = asked;
    const kept = all.map(({ id, name }) => `${id} ${name}`).join();
    this.asking.begin(
      { state: this.asks as State, engine: ctx.engine },
      all,
      (subject) => this.stateOf(subject),
      kept,
    );
  }

  // ---- what stands in it

  /** Whether the question has a cost, so that chips' prices are compared. */
  private get priced(): boolean {
    const infos = infosOf(this.ctx);
    return this.which === 'chip' && costs.some((key) => infos.has(key));
  }

  /** The present state on another chip, its price on the common basis, or for another model. */
  private stateOf(subject: Subject): State {
    const { engine, state: present } = this.ctx;
    return this.onBasis(stateFor(engine, present, this.which, subject));
  }

  private onBasis(state: State): State {
    return this.priced ? onBasis(state, basisOf(this.ctx.state)) : state;
  }

  private priceOf(subject: Subject, answers?: Answers): Price | undefined {
    const { ctx, which } = this;
    if (!this.priced) return undefined;
    const there = subject.own
      ? ctx.state
      : (subject.kept ?? withPreset(ctx.state, which, subject.id));
    return priceIn(ctx.description, this.onBasis(there), answers);
  }

  /** Beside costs stand the prices that they come from. */
  private showsPrices(columns: readonly AnswerInfo[]): boolean {
    return this.priced && columns.some(({ key }) => costs.includes(key));
  }

  /** The columns that tell a price: what it is, whose, and of when. */
  private priceColumns(
    { table: { price, source, date } }: Words,
    columns: readonly AnswerInfo[],
  ): { column: string; label: string; number: boolean }[] {
    if (!this.showsPrices(columns)) return [];
    return [
      { column: priceColumn, label: price, number: true },
      { column: providerColumn, label: source, number: false },
      { column: dateColumn, label: date, number: false },
    ];
  }

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

  private get order(): Order | undefined {
    return readOrder(this.ctx.state.charts.sort);
  }

  private rows(): Row[] {
    const { ctx, which, filter, order } = this;
    const shown = subjects(ctx, which)
      .filter((subject) => fitsFilter(subject, filter.trim()))
      .map((subject) => {
        const asked = this.asking.of(subject.id);
        return { subject, asked, price: this.priceOf(subject, answersOf({ subject, asked })) };
      });
    return sorted(shown, order, infosOf(ctx), ctx.language);
  }

  private say(info: AnswerInfo, answer: Answer | undefined): string {
    return sayAnswer(this.ctx, info, answer);
  }

  /** Why a row has no answers. */
  private reason({ asked }: Row): string {
    if (!asked || asked.reply?.ok) return '';
    if (!asked.reply) return this.words.table.unjoined;
    const there = this.ctx.at(asked.state);
    return asked.reply.issues.map((issue) => there.issueMessage(issue)).join(' ');
  }

  /** The notes on a row: the slices of its chips, or the chips of servers, and how these
   * are divided. */
  private notes(words: Words, { asked, subject }: Row): string[] {
    const { ctx } = this;
    const announced = sayAnnounced(ctx, subject.id);
    if (!asked?.reply?.ok) return announced;
    const { state, reply } = asked;
    const { servers, slices } = words.table;
    const serves = state.view === 'serving';
    const n = serves
      ? Number(ctx.at(state).value('serving.chips'))
      : slicesOf(ctx.description, state);
    return [
      ...announced,
      serves || n > 1 ? ctx.fill(serves ? servers : slices, { n: ctx.format.count(n) }, { n }) : '',
      sayDivision(ctx, words, state, reply.answers),
    ].filter(Boolean);
  }

  // ---- what the reader does

  private take({ subject }: Row): void {
    const { actions, engine, state } = this.ctx;
    // With the slices that go with the chip.
    if (!subject.own) actions.go(stateFor(engine, state, this.which, subject));
  }

  private sortBy(column: string): void {
    const { order } = this;
    const again = order?.column === column;
    this.ctx.actions.chart({
      sort: writeOrder({ column, descending: again && !order.descending }),
    });
  }

  private pick(key: string, wanted: boolean): void {
    const chosen = new Set(this.columns().shown.map((info) => info.key));
    if (wanted) chosen.add(key);
    else chosen.delete(key);
    this.ctx.actions.chart({ columns: [...chosen].join(',') || 'none' });
  }

  private pickUsual(): void {
    this.ctx.actions.chart({ columns: undefined });
  }

  private files(words: Words): FileTable {
    const { ctx } = this;
    const { shown } = this.columns();
    const { question, answer } = words.table.groups;
    const group = words.table[this.which];
    const priced = this.showsPrices(shown);
    return {
      columns: [
        { group, label: words.table.name, alone: group },
        { group, label: words.table[this.which === 'chip' ? 'vendor' : 'organisation'] },
        { group: question, label: words.table.sentence, long: true },
        { group: question, label: words.table.link, long: true },
        ...this.priceColumns(words, shown).map(({ label, number }) => ({
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
      rows: this.rows().map((row): FileCell[] => [
        row.subject.name,
        row.subject.maker,
        ...asked(ctx, this.stateOf(row.subject)),
        ...(priced ? this.priceCells(words, row) : []),
        ...shown.map((info): FileCell => {
          const value = answersOf(row)?.[info.key];
          const said = this.say(info, value);
          return typeof value === 'number' ? { value, said } : said;
        }),
        [this.reason(row), ...this.notes(words, row)].filter(Boolean).join(words.between),
      ]),
    };
  }

  private priceCells(words: Words, { price }: Row): FileCell[] {
    const [said, provider, date] = sayPrice(this.ctx, words, price);
    return [{ value: price?.value, said }, provider, { value: price?.date ?? '', said: date }];
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { words, ctx, which } = this;
    const rows = this.rows();
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
        ${this.showsPrices(columns) ? basisChoice(ctx, words) : nothing}
        <button
          type="button"
          class="csv"
          aria-label=${words.table.csv}
          @click=${() => saveCsv(this.files(words), this.place)}
        >
          CSV
        </button>
        <button
          type="button"
          class="markdown"
          aria-label=${words.table.markdown}
          @click=${() => saveMarkdown(ctx, this.files(words), this.place)}
        >
          Markdown
        </button>
      </div>
      ${this.renderPicker(words, columns)}
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
                    ${this.priceColumns(words, columns).map(({ column, label, number }) =>
                      this.renderHead(column, label, number),
                    )}
                    ${columns.map(({ key, kind }) =>
                      this.renderHead(key, ctx.answer(key).label, kind === 'number'),
                    )}
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
      }`;
  }

  /** Says which of the reader's changes hold for all rows. */
  private sayEdits(words: Words): string {
    const { ctx, which } = this;
    const { state } = ctx;
    const edits = Object.keys(state.edits[which]).length;
    // A custom preset stays as it is.
    if (edits === 0 || state[which] === ownPreset) return words.table.rest[which];
    return ctx.fill(words.table.edits[which], {
      name: ctx.called(which),
      n: String(edits),
    });
  }

  private sayCommon(words: Words, common: ReadonlyMap<string, Answer>): string {
    const { ctx } = this;
    const infos = infosOf(ctx);
    const answers = [...common].map(([key, answer]) =>
      ctx.fill(words.colon, {
        name: ctx.answer(key).label,
        what: this.say(infos.get(key)!, answer),
      }),
    );
    return ctx.fill(words.table.common, { answers: answers.join(words.between) });
  }

  private renderPicker(words: Words, columns: readonly AnswerInfo[]): TemplateResult {
    const { ctx, which } = this;
    const chosen = new Set(columns.map(({ key }) => key));
    return disclosure(
      ctx,
      {
        part: `columns ${which}`,
        kind: 'other',
        summary: html`${words.table.columns}
          <span class="number"
            >${ctx.fill(words.table.columnsCount, { n: String(columns.length) })}</span
          >`,
      },
      () =>
        html`<fieldset class="columns">
            <legend class="hidden">${words.table.columns}</legend>
            ${[...infosOf(ctx).values()]
              .filter(({ key }) => !isHidden(ctx, key))
              .map(
                ({ key }) =>
                  html`<label
                    ><input
                      type="checkbox"
                      value=${key}
                      .checked=${chosen.has(key)}
                      @change=${(event: Event) =>
                        this.pick(key, (event.target as HTMLInputElement).checked)}
                    />
                    ${ctx.answer(key).label}</label
                  >`,
              )}
          </fieldset>
          <button type="button" class="usual" @click=${() => this.pickUsual()}>
            ${words.table.usual}
          </button>`,
    );
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
    const { id, name, maker, own } = row.subject;
    const notes = this.notes(words, row);
    return html`<tr data-row=${id} aria-current=${own ? 'true' : nothing}>
      <th scope="row">
        <button
          type="button"
          aria-disabled=${own ? 'true' : nothing}
          aria-label=${own ? nothing : ctx.fill(words.table.takeLabel, { name })}
          @click=${() => this.take(row)}
        >
          ${name}
        </button>
        ${own ? html`<span class="own">${words.table.own}</span>` : nothing}
        ${notes.map((note) => html`<span class="own">${note}</span> `)}
      </th>
      <td>${maker}</td>
      ${this.showsPrices(columns) ? this.renderPrice(words, row) : nothing}
      ${this.renderCells(row, columns)}
    </tr>`;
  }

  private renderPrice(words: Words, { price }: Row): TemplateResult {
    const [said, provider, date] = sayPrice(this.ctx, words, price);
    const source = sourceOf(price);
    return html`<td class="number" data-column=${priceColumn}>${said}</td>
      <td data-column=${providerColumn} title=${source?.title ?? nothing}>
        ${
          source?.url
            ? html`<a href=${source.url} rel="noreferrer" target="_blank">${provider}</a>`
            : provider
        }
      </td>
      <td data-column=${dateColumn}>${date}</td>`;
  }

  private renderCells(row: Row, columns: readonly AnswerInfo[]): TemplateResult | TemplateResult[] {
    const answers = answersOf(row);
    if (row.asked && !answers) {
      return html`<td class="invalid" colspan=${columns.length}>${this.reason(row)}</td>`;
    }
    return columns.map(
      (info) =>
        html`<td class=${info.kind === 'number' ? 'number' : ''} data-column=${info.key}>
          ${this.say(info, answers?.[info.key])}
        </td>`,
    );
  }
}

/** Whether two states ask the same: their parts are the same. */
function isSame(one: object, other: object): boolean {
  const [ones, others] = [Object.entries(one), new Map(Object.entries(other))];
  return ones.length === others.size && ones.every(([key, value]) => others.get(key) === value);
}

customElements.define('scaling-overview', Overview);
