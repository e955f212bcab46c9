import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { download } from '../../../charts/kit/export.ts';
import { csv, type Cell, type Column } from '../../../export/csv.ts';
import type { AnswerInfo } from '../../../engine/index.ts';
import { addressOf, linkTo } from '../../../export/address.ts';
import { forMarkdown } from '../../../export/escape.ts';
import { writeAddress } from '../../../link/address.ts';
import { evaluate, type Answer } from '../../../model/evaluate.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import { chipSources, own as ownPreset, type Price } from '../../../model/presets.ts';
import { withPreset, type State } from '../../../model/state.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { isHidden } from '../../parts/answers/quiz.ts';
import { questionText } from '../../parts/question/question.ts';
import { Results } from '../../parts/answers/results.ts';
import type { Actions, RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';
import {
  answersOf,
  Asking,
  dateColumn,
  fitsFilter,
  makerColumn,
  nameColumn,
  priceColumn,
  providerColumn,
  sorted,
  stateFor,
  subjects,
  type Order,
  type Row,
  type Subject,
  type Which,
} from './overview-rows.ts';
import { bases, onBasis, priceIn, type Basis } from './prices.ts';
import type { Words } from './reasons.ts';
import { style } from './style.ts';
import { LightElement } from '../../kit/light-element.ts';

/** The answers that rest on the price of a chip. */
const costs: readonly string[] = ['cost', 'costOutput'];

/** The columns that the reader picked, by table, for as long as the calculator is there. */
const picked = new WeakMap<Actions, Map<string, ReadonlySet<string>>>();

/** The present question for all chips, or all models. Renders into its parent's tree. */
class Overview extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    which: { attribute: false },
    words: { attribute: false },
    filter: { state: true },
    basis: { state: true },
    order: { state: true },
  };

  declare ctx: RenderContext;
  declare which: Which;
  declare words: Words;
  declare private filter: string;
  /** The basis for comparing prices of chips. */
  declare private basis: Basis;
  declare private order: Order | undefined;
  private readonly asking = new Asking(() => this.requestUpdate());

  constructor() {
    super();
    this.filter = '';
    this.basis = 'latest';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.asking.stop();
  }

  protected override willUpdate(): void {
    const { ctx, which } = this;
    const all = subjects(ctx, which);
    this.asking.begin(ctx, all, (subject) => this.stateOf(subject), this.basis);
  }

  // ---- what stands in it

  /** Whether the question has a cost, so that chips' prices are compared. */
  private get priced(): boolean {
    return this.which === 'chip' && costs.some((key) => this.infos.has(key));
  }

  /** The present state on another chip, its price on the common basis, or for another model. */
  private stateOf(subject: Subject): State {
    const { engine, state: present } = this.ctx;
    const state = stateFor(engine, present, this.which, subject);
    return this.priced ? onBasis(this.ctx.description, state, this.basis) : state;
  }

  private priceOf(subject: Subject): Price | undefined {
    const { ctx, which, basis } = this;
    return this.priced
      ? priceIn(
          ctx.description,
          subject.own ? ctx.state : withPreset(ctx.state, which, subject.id),
          basis,
        )
      : undefined;
  }

  private sayBasis({ table }: Words, basis: Basis): string {
    if (basis === 'latest') return table.basis.latest;
    return this.ctx.fill(table.basis.provider, { provider: basis.provider });
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

  private sayPrice({ table }: Words, price: Price | undefined): [string, string, string] {
    const { format } = this.ctx;
    if (!price) return [table.unlisted, '', ''];
    const { value, provider = table.own, date } = price;
    return [format.say(value, 'USD'), provider, date ? format.month(date) : ''];
  }

  private get infos(): ReadonlyMap<string, AnswerInfo> {
    const { description, state } = this.ctx;
    return new Map(description.questions[state.view].answers.map((info) => [info.key, info]));
  }

  /** The answers that stand large on the page. */
  private usual(): string[] {
    const { ctx } = this;
    const reply = evaluate(ctx.engine, ctx.state);
    const answers = reply.ok ? reply.answers : this.anyAnswers();
    if (!answers) return [];
    const results = new Results(ctx, answers, new Map(), false, false);
    return viewOf(ctx)
      .rows(ctx, results)
      .map(({ key }) => key)
      .filter((key) => results.absence(key) !== 'notApplicable');
  }

  /** Where the present state has none: those of a row that has. */
  private anyAnswers() {
    for (const { id } of subjects(this.ctx, this.which)) {
      const reply = this.asking.of(id)?.reply;
      if (reply?.ok) return reply.answers;
    }
    return undefined;
  }

  /** The answers that are the same in every row that has any. */
  private common(keys: readonly string[]): ReadonlyMap<string, Answer> {
    const { ctx, which } = this;
    const replies = subjects(ctx, which).flatMap(({ id }) => {
      const reply = this.asking.of(id)?.reply;
      return reply?.ok ? [reply.answers] : [];
    });
    const [first, ...others] = replies;
    if (!first || others.length === 0 || this.asking.left > 0) return new Map();
    const said = (answer: Answer | undefined): unknown =>
      typeof answer === 'object' ? answer.absent : answer;
    return new Map(
      keys.flatMap((key) => {
        const same = others.every((answers) => said(answers[key]) === said(first[key]));
        return same ? [[key, first[key]!] as const] : [];
      }),
    );
  }

  /** The columns picked by the reader; else the default ones that differ between rows. */
  private columns(): { columns: AnswerInfo[]; common: ReadonlyMap<string, Answer> } {
    const { ctx, infos } = this;
    const seen = (key: string): boolean => !isHidden(ctx, key);
    const usual = this.usual().filter(seen);
    const chosen = this.picked.get(this.place);
    const common = chosen ? new Map<string, Answer>() : this.common(usual);
    const keys = chosen
      ? [...usual, ...infos.keys()].filter((key) => chosen.has(key) && seen(key))
      : usual.filter((key) => !common.has(key));
    return { columns: [...new Set(keys)].map((key) => infos.get(key)!), common };
  }

  private get picked(): Map<string, ReadonlySet<string>> {
    const { actions } = this.ctx;
    if (!picked.has(actions)) picked.set(actions, new Map());
    return picked.get(actions)!;
  }

  /** The key under which the picked columns are stored. */
  private get place(): string {
    return `${this.ctx.state.view}-${this.which}s`;
  }

  private rows(): Row[] {
    const { ctx, which, filter, order } = this;
    const shown = subjects(ctx, which)
      .filter((subject) => fitsFilter(subject, filter.trim()))
      .map((subject) => ({
        subject,
        asked: this.asking.of(subject.id),
        price: this.priceOf(subject),
      }));
    return sorted(shown, order, this.infos, ctx.language);
  }

  private say({ key, unit }: AnswerInfo, answer: Answer | undefined): string {
    const { format, text } = this.ctx;
    if (answer === undefined) return '';
    if (typeof answer === 'number') return format.say(answer, spokenUnit(key, unit));
    if (typeof answer === 'string') return this.ctx.choiceOfAnswer(key, answer);
    const absences: Record<string, string> = text.absences;
    return absences[answer.absent] ?? text.absences.notApplicable;
  }

  /** Why a row has no answers. */
  private reason({ asked }: Row): string {
    if (!asked || asked.reply?.ok) return '';
    if (!asked.reply) return this.words.table.unjoined;
    const there = this.ctx.at(asked.state);
    return asked.reply.issues.map((issue) => there.issueMessage(issue)).join(' ');
  }

  /** In how many slices the chips of a row lie, where that is more than one; of servers, on how many
   * chips. */
  private slices(words: Words, { asked }: Row): string {
    if (!asked?.reply?.ok) return '';
    const serves = asked.state.view === 'serving';
    if (!serves && !('slices' in asked.state.edits.run)) return '';
    const n = Number(this.ctx.at(asked.state).value(serves ? 'serving.chips' : 'run.slices'));
    const { servers, slices } = words.table;
    return serves || n > 1
      ? this.ctx.fill(serves ? servers : slices, { n: this.ctx.format.count(n) }, { n })
      : '';
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
    this.order = { column, descending: again && !order.descending };
  }

  private pick(key: string, wanted: boolean): void {
    const chosen = new Set(this.columns().columns.map((info) => info.key));
    if (wanted) chosen.add(key);
    else chosen.delete(key);
    this.picked.set(this.place, chosen);
    this.requestUpdate();
  }

  private pickUsual(): void {
    this.picked.delete(this.place);
    this.requestUpdate();
  }

  private saveCsv(words: Words): void {
    const { columns: infos } = this.columns();
    const { question, answer } = words.table.groups;
    const group = words.table[this.which];
    const columns: Column[] = [
      { group, label: words.table.name },
      { group, label: words.table[this.which === 'chip' ? 'vendor' : 'organisation'] },
      { group: question, label: words.table.sentence },
      { group: question, label: words.table.link },
      ...this.priceColumns(words, infos).map(({ label, number }) => ({
        group: question,
        label,
        ...(number && { unit: this.ctx.info('chip.price').unit }),
      })),
      ...infos.map(({ key, unit }) => ({
        group: answer,
        label: this.ctx.answer(key).label,
        unit,
      })),
      { group: answer, label: words.table.note },
    ];
    const rows = this.rows().map((row): Cell[] => [
      row.subject.name,
      row.subject.maker,
      ...this.asked(row),
      ...(this.showsPrices(infos) ? this.priceCells(words, row) : []),
      ...infos.map((info) => {
        const answer = answersOf(row)?.[info.key];
        return typeof answer === 'number' ? answer : this.say(info, answer);
      }),
      this.reason(row) || this.slices(words, row),
    ]);
    download(new Blob([csv({ columns, rows })], { type: 'text/csv' }), `${this.place}.csv`);
  }

  /** The question of a row, in words and as a link. */
  private asked({ subject }: Row): [sentence: string, link: string] {
    const there = this.ctx.at(this.stateOf(subject));
    const link = writeAddress(there.description, there.state);
    return [questionText(there), linkTo(addressOf(location), link)];
  }

  /** Cells for files, in which numbers and dates keep their types. */
  private priceCells(words: Words, { price }: Row): Cell[] {
    const [, provider] = this.sayPrice(words, price);
    return [price?.value, provider, price?.date ?? ''];
  }

  private saveMarkdown(words: Words): void {
    const { columns: infos } = this.columns();
    const line = (cells: string[]): string => `| ${cells.map(forMarkdown).join(' | ')} |`;
    const text = [
      line([
        words.table[this.which],
        words.table[this.which === 'chip' ? 'vendor' : 'organisation'],
        ...this.priceColumns(words, infos).map(({ label }) => label),
        ...infos.map(({ key }) => this.ctx.answer(key).label),
        words.table.note,
      ]),
      `| --- | --- |${this.showsPrices(infos) ? ' ---: | --- | --- |' : ''}${infos.map(({ kind }) => (kind === 'number' ? ' ---: |' : ' --- |')).join('')} --- |`,
      ...this.rows().map((row) =>
        line([
          row.subject.name,
          row.subject.maker,
          ...(this.showsPrices(infos) ? this.sayPrice(words, row.price) : []),
          ...infos.map((info) => this.say(info, answersOf(row)?.[info.key])),
          this.reason(row) || this.slices(words, row),
        ]),
      ),
      '',
    ].join('\n');
    download(new Blob([text], { type: 'text/markdown' }), `${this.place}.md`);
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { words, ctx, which } = this;
    const rows = this.rows();
    const all = subjects(ctx, which).length;
    const { left } = this.asking;
    const { columns, common } = this.columns();
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
        ${this.showsPrices(columns) ? this.renderBasis(words) : nothing}
        <button
          type="button"
          class="csv"
          aria-label=${words.table.csv}
          @click=${() => this.saveCsv(words)}
        >
          CSV
        </button>
        <button
          type="button"
          class="markdown"
          aria-label=${words.table.markdown}
          @click=${() => this.saveMarkdown(words)}
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

  private renderBasis(words: Words): TemplateResult {
    return html`<label
      ><span>${words.table.prices}</span>
      <select
        data-basis
        @change=${(event: Event) =>
          (this.basis = bases[(event.target as HTMLSelectElement).selectedIndex]!)}
      >
        ${bases.map(
          (basis) =>
            html`<option .selected=${basis === this.basis}>${this.sayBasis(words, basis)}</option>`,
        )}
      </select></label
    >`;
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
    const answers = [...common].map(([key, answer]) =>
      ctx.fill(words.colon, {
        name: ctx.answer(key).label,
        what: this.say(this.infos.get(key)!, answer),
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
            ${[...this.infos.values()]
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
    const slices = this.slices(words, row);
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
        ${slices ? html`<span class="own">${slices}</span>` : nothing}
      </th>
      <td>${maker}</td>
      ${this.showsPrices(columns) ? this.renderPrice(words, row) : nothing}
      ${this.renderCells(row, columns)}
    </tr>`;
  }

  private renderPrice(words: Words, { price }: Row): TemplateResult {
    const [said, provider, date] = this.sayPrice(words, price);
    const source = chipSources[price?.source ?? ''];
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

customElements.define('scaling-overview', Overview);
