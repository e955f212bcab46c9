import { LitElement, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { download } from '../../charts/export.ts';
import { csv, type Cell, type Column } from '../../charts/table.ts';
import type { AnswerInfo } from '../../engine/index.ts';
import { forMarkdown } from '../../share/escape.ts';
import { ask, type Answer, type Reply } from '../../state/ask.ts';
import { isPercent } from '../../state/presentation.ts';
import { own as ownPreset } from '../../state/presets.ts';
import { loadPart } from '../../text/dictionary.ts';
import type { Language } from '../../text/language.ts';
import { disclosure } from '../disclosure.ts';
import { hides } from '../guess.ts';
import { Results } from '../results.ts';
import type { Scope } from '../scope.ts';
import { viewOf } from '../view.ts';
import {
  Asking,
  fitsFilter,
  makerColumn,
  nameColumn,
  sorted,
  stateFor,
  subjects,
  type Order,
  type Row,
  type Which,
} from './overview-rows.ts';
import type { Words } from './reasons.ts';
import { adoptStyle } from './style.ts';

/** The columns that the reader picked, by table, for as long as the page is open. */
const picked = new Map<string, ReadonlySet<string>>();

/** The present question for all chips, or all models. Renders into its parent's tree. */
export class Overview extends LitElement {
  static override properties: PropertyDeclarations = {
    scope: { attribute: false },
    which: { attribute: false },
    words: { state: true },
    failed: { state: true },
    filter: { state: true },
    order: { state: true },
  };

  declare scope: Scope;
  declare which: Which;
  declare private words: Words | undefined;
  /** The words could not be had. */
  declare private failed: boolean;
  declare private filter: string;
  declare private order: Order | undefined;
  /** The language that `words` are of, or will be. */
  private language: Language | undefined;
  private readonly asking = new Asking(() => this.requestUpdate());

  constructor() {
    super();
    this.filter = '';
    this.failed = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyle(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.asking.stop();
  }

  protected override willUpdate(): void {
    const { scope, which } = this;
    this.asking.begin(scope, which, subjects(scope, which));
    if (this.language === scope.language) return;
    this.language = scope.language;
    loadPart(scope.language, 'compare').then(
      (words) => {
        if (this.language === scope.language) this.words = words;
      },
      () => (this.failed = true),
    );
  }

  // ---- what stands in it

  private get infos(): ReadonlyMap<string, AnswerInfo> {
    const { description, state } = this.scope;
    return new Map(description.questions[state.view].answers.map((info) => [info.key, info]));
  }

  /** The answers that stand large on the page. */
  private usual(): string[] {
    const { scope } = this;
    const reply = ask(scope.engine, scope.state);
    const answers = reply.ok ? reply.answers : this.anyAnswers();
    if (!answers) return [];
    const results = new Results(scope, answers, new Map(), false, false);
    return viewOf(scope)
      .rows(scope, results)
      .map(({ key }) => key)
      .filter((key) => results.absence(key) !== 'notApplicable');
  }

  /** Where the present state has none: those of a row that has. */
  private anyAnswers() {
    for (const { id } of subjects(this.scope, this.which)) {
      const reply = this.asking.of(id);
      if (reply?.ok) return reply.answers;
    }
    return undefined;
  }

  /** Of these, what is the same in every row that has answers. */
  private common(keys: readonly string[]): ReadonlyMap<string, Answer> {
    const { scope, which } = this;
    const replies = subjects(scope, which).flatMap(({ id }) => {
      const reply = this.asking.of(id);
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

  /** Those that the reader picked; else the usual ones, but for what is the same in all rows. */
  private columns(): { columns: AnswerInfo[]; common: ReadonlyMap<string, Answer> } {
    const { scope, infos } = this;
    const seen = (key: string): boolean => !hides(scope, key);
    const usual = this.usual().filter(seen);
    const chosen = picked.get(this.place);
    const common = chosen ? new Map<string, Answer>() : this.common(usual);
    const keys = chosen
      ? [...usual, ...infos.keys()].filter((key) => chosen.has(key) && seen(key))
      : usual.filter((key) => !common.has(key));
    return { columns: [...new Set(keys)].map((key) => infos.get(key)!), common };
  }

  /** Under which name the reader's columns are kept. */
  private get place(): string {
    return `${this.scope.state.view}-${this.which}s`;
  }

  private rows(): Row[] {
    const { scope, which, filter, order } = this;
    const shown = subjects(scope, which)
      .filter((subject) => fitsFilter(subject, filter.trim()))
      .map((subject) => ({ subject, reply: this.asking.of(subject.id) }));
    return sorted(shown, order, this.infos, scope.language);
  }

  private say({ key, unit }: AnswerInfo, answer: Answer | undefined): string {
    const { format, text } = this.scope;
    if (answer === undefined) return '';
    if (typeof answer === 'number') return format.say(answer, isPercent(key) ? '%' : unit);
    if (typeof answer === 'string') return this.scope.choiceOfAnswer(key, answer);
    const absences: Record<string, string> = text.absences;
    return absences[answer.absent] ?? text.absences.notApplicable;
  }

  /** Why a row has no answers. */
  private reason(row: Row): string {
    const { reply, subject } = row;
    if (!reply || reply.ok) return '';
    const there = this.scope.at(stateFor(this.scope.state, this.which, subject));
    return reply.issues.map((issue) => there.issueMessage(issue)).join(' ');
  }

  // ---- what the reader does

  private sortBy(column: string): void {
    const { order } = this;
    const again = order?.column === column;
    this.order = { column, descending: again && !order.descending };
  }

  private pick(key: string, wanted: boolean): void {
    const chosen = new Set(this.columns().columns.map((info) => info.key));
    if (wanted) chosen.add(key);
    else chosen.delete(key);
    picked.set(this.place, chosen);
    this.requestUpdate();
  }

  private pickUsual(): void {
    picked.delete(this.place);
    this.requestUpdate();
  }

  private saveCsv(words: Words): void {
    const { columns: infos } = this.columns();
    const columns: Column[] = [
      { label: words.table[this.which] },
      { label: words.table[this.which === 'chip' ? 'vendor' : 'organisation'] },
      ...infos.map(({ key, unit }) => ({ label: this.scope.answer(key).label, unit })),
      { label: words.table.note },
    ];
    const rows = this.rows().map((row): Cell[] => [
      row.subject.name,
      row.subject.maker,
      ...infos.map((info) => {
        const answer = row.reply?.ok ? row.reply.answers[info.key] : undefined;
        return typeof answer === 'number' ? answer : this.say(info, answer);
      }),
      this.reason(row),
    ]);
    download(new Blob([csv({ columns, rows })], { type: 'text/csv' }), `${this.place}.csv`);
  }

  private saveMarkdown(words: Words): void {
    const { columns: infos } = this.columns();
    const line = (cells: string[]): string => `| ${cells.map(forMarkdown).join(' | ')} |`;
    const text = [
      line([
        words.table[this.which],
        words.table[this.which === 'chip' ? 'vendor' : 'organisation'],
        ...infos.map(({ key }) => this.scope.answer(key).label),
        words.table.note,
      ]),
      `| --- | --- |${infos.map(({ kind }) => (kind === 'number' ? ' ---: |' : ' --- |')).join('')} --- |`,
      ...this.rows().map((row) =>
        line([
          row.subject.name,
          row.subject.maker,
          ...infos.map((info) =>
            this.say(info, row.reply?.ok ? row.reply.answers[info.key] : undefined),
          ),
          this.reason(row),
        ]),
      ),
      '',
    ].join('\n');
    download(new Blob([text], { type: 'text/markdown' }), `${this.place}.md`);
  }

  // ---- drawing

  protected override render(): TemplateResult | typeof nothing {
    const { words, scope, which } = this;
    if (!words) return this.failed ? html`<p>${scope.text.ui.notLoaded}</p>` : nothing;
    const rows = this.rows();
    const all = subjects(scope, which).length;
    const { left } = this.asking;
    const { columns, common } = this.columns();
    const caption = scope.fill(
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
            ? scope.fill(words.table.progress, { done: String(all - left), all: String(all) })
            : rows.length > 0
              ? scope.fill(words.table.shown, { n: String(rows.length), all: String(all) })
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
                      this.renderHead(key, scope.answer(key).label, kind === 'number'),
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

  /** What of the reader's changes goes for all rows, and what does not. */
  private sayEdits(words: Words): string {
    const { scope, which } = this;
    const { state } = scope;
    const edits = Object.keys(state.edits[which]).length;
    // What is the reader's own altogether is not changed.
    if (edits === 0 || state[which] === ownPreset) return words.table.rest[which];
    return scope.fill(words.table.edits[which], {
      name: scope.called(which),
      n: String(edits),
    });
  }

  private sayCommon(words: Words, common: ReadonlyMap<string, Answer>): string {
    const { scope } = this;
    const answers = [...common].map(([key, answer]) =>
      scope.fill(words.colon, {
        name: scope.answer(key).label,
        what: this.say(this.infos.get(key)!, answer),
      }),
    );
    return scope.fill(words.table.common, { answers: answers.join(words.between) });
  }

  private renderPicker(words: Words, columns: readonly AnswerInfo[]): TemplateResult {
    const { scope, which } = this;
    const chosen = new Set(columns.map(({ key }) => key));
    return disclosure(
      scope,
      {
        part: `columns ${which}`,
        kind: 'other',
        summary: html`${words.table.columns}
          <span class="number"
            >${scope.fill(words.table.columnsCount, { n: String(columns.length) })}</span
          >`,
      },
      () =>
        html`<fieldset class="columns">
            <legend class="hidden">${words.table.columns}</legend>
            ${[...this.infos.values()]
              .filter(({ key }) => !hides(scope, key))
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
                    ${scope.answer(key).label}</label
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
    const { scope, which } = this;
    const { subject, reply } = row;
    const { id, name, maker, own } = subject;
    return html`<tr data-row=${id} aria-current=${own ? 'true' : nothing}>
      <th scope="row">
        <button
          type="button"
          aria-disabled=${own ? 'true' : nothing}
          aria-label=${own ? nothing : scope.fill(words.table.takeLabel, { name })}
          @click=${() => own || scope.actions.choosePreset(which, id)}
        >
          ${name}
        </button>
        ${own ? html`<span class="own">${words.table.own}</span>` : nothing}
      </th>
      <td>${maker}</td>
      ${this.renderCells(row, reply, columns)}
    </tr>`;
  }

  private renderCells(
    row: Row,
    reply: Reply | undefined,
    columns: readonly AnswerInfo[],
  ): TemplateResult | TemplateResult[] {
    if (reply && !reply.ok) {
      return html`<td class="invalid" colspan=${columns.length}>${this.reason(row)}</td>`;
    }
    return columns.map(
      (info) =>
        html`<td class=${info.kind === 'number' ? 'number' : ''} data-column=${info.key}>
          ${this.say(info, reply?.answers[info.key])}
        </td>`,
    );
  }
}

customElements.define('scaling-overview', Overview);
