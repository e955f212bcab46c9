// The calculator inside an element: the parts of the page that it asks for, without a frame.

import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { assumptions } from '../ui/parts/question/assumptions.ts';
import { answers, rowsOf } from '../ui/parts/answers/answers.ts';
import { Calculator } from '../ui/shell/calculator.ts';
import { question } from '../ui/parts/question/question.ts';
import type { Results } from '../ui/kit/results.ts';
import { answerRow } from '../ui/parts/answers/row.ts';
import { foldPart, folds } from '../ui/parts/folds.ts';
import { progressOf } from '../ui/kit/lazily.ts';
import type { Drawn, RenderContext } from '../ui/kit/render-context.ts';
import { sheetOf } from '../dom/sheet.ts';
import { style } from '../ui/kit/style.ts';
import { besideAnswers } from '../ui/parts/question/field-beside.ts';
import { viewOf, type Row } from '../ui/parts/view.ts';
import { readAddress, writeAddress } from '../link/address.ts';
import { inputsOf, type Answers } from '../model/evaluate.ts';
import type { InputGroups, State } from '../model/state.ts';
import type { Settings } from './settings.ts';
import text from './embedded.css?inline';

const own = sheetOf(text);

/** The result of an element, for its host's use. */
export interface Result {
  /** The state, as a link holds it. */
  link: string;
  question: string;
  input: InputGroups;
  /** Answers in the units beside them. */
  answers: Answers;
  units: Readonly<Record<string, string>>;
}

/** The answers that the settings ask for; none where they ask for a drawing alone. */
function shownRows(ctx: RenderContext, results: Results, { shown }: Settings): readonly Row[] {
  if (shown.chart !== undefined || shown.section) return [];
  const { rows } = shown;
  return rows
    ? viewOf(ctx)
        .rows(ctx, results)
        .filter(({ key }) => rows.includes(key))
    : rowsOf(ctx, results);
}

export abstract class Embedded extends Calculator {
  static override styles = [style, own];
  static override properties: PropertyDeclarations = { settings: { attribute: false } };

  declare settings: Settings | undefined;
  /** `meant`: the key that has its place here. */
  warn: (key: string, value: string, meant?: string) => void = () => {};
  /** The answers that the host got last. */
  private told: Answers | undefined;
  private wrong: unknown;
  /** Whether the reader's focus was in here before the drawing changed. */
  private held = false;

  constructor() {
    super();
    this.settings = undefined;
    // There are no folds here: all that is asked for is shown.
    this.open = new Set(folds.map(foldPart));
  }

  get result(): Result | undefined {
    const { engine } = this;
    const found = this.evaluation.of(this.state);
    if (!engine || !found) return undefined;
    const description = engine.describe();
    const infos = description.questions[found.state.view].answers;
    return {
      link: writeAddress(description, found.state),
      question: found.state.view,
      input: inputsOf(engine, found.state),
      answers: found.answers,
      units: Object.fromEntries(infos.map(({ key, unit }) => [key, unit])),
    };
  }

  /** Whether the page around keeps templates from being drawn. */
  isUndrawn = false;

  /** Whether nothing can be shown here. */
  get hasFailed(): boolean {
    return this.failed || this.isUndrawn;
  }

  /** Shows what these settings ask for. */
  ask(settings: Settings): void {
    this.settings = settings;
  }

  protected linkOf(state: State): string {
    return writeAddress(this.engine!.describe(), state);
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('input, select, button, a')?.focus();
  }

  protected override wishes(): (string | null | undefined)[] {
    return [this.settings?.language];
  }

  protected override begin(): void {
    this.read();
  }

  protected override cannotDraw(): void {
    if (this.told || this.isUndrawn) return;
    this.isUndrawn = true;
    this.tell('calc-error', { issues: [{ code: 'notLoaded', field: '', arguments: {} }] });
  }

  protected override changed(_state: State): void {}

  /** The state that the attributes give. */
  private read(): void {
    if (!this.engine || !this.settings) return;
    const { link } = this.settings;
    if (this.mustWait(link)) return;
    const { state, problems: found } = readAddress(this.engine.describe(), link);
    this.drafts = new Map();
    this.state = state;
    for (const { key, value, meant } of found) this.warn(key, value, meant);
    if (found.length > 0) this.tell('calc-error', { problems: found });
  }

  protected override readLink(): void {
    this.read();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('settings') && changed.get('settings') && this.settings) {
      this.read();
      const { language } = this.settings;
      if (language) this.wanted = language;
    }
    super.willUpdate(changed);
    this.held ||= this.matches(':focus-within');
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.toggleAttribute('data-answer', this.settings?.answer !== undefined);
    if (this.failed) {
      if (this.told) return;
      this.told = {};
      this.tell('calc-error', {
        issues: [{ code: 'noWebAssembly', field: '', arguments: {} }],
      });
      return;
    }
    const { more } = this.features.presets;
    if (this.unread && more.state === 'failed' && this.wrong !== more) {
      this.wrong = more;
      this.tell('calc-error', { issues: [{ code: 'notLoaded', field: 'presets', arguments: {} }] });
    }
    const { reply } = this.evaluation;
    if (!reply || !this.dictionary || !this.ready) return;
    this.keepFocus();
    const { result } = this;
    if (!this.told) this.tell('calc-ready', result ? { input: result.input, result } : {});
    else if (result && result.answers !== this.told) {
      this.tell('calc-change', { input: result.input, result });
    }
    this.told = result?.answers ?? this.told ?? {};
    if (!reply.ok && reply !== this.wrong) this.tell('calc-error', { issues: reply.issues });
    this.wrong = reply;
  }

  /** What had the focus may be gone with what it led to. */
  private keepFocus(): void {
    const lost = document.activeElement === document.body;
    if (this.held && lost) this.focus();
    this.held = false;
  }

  protected tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  // ---- drawing

  protected override isSummedUp(ctx: RenderContext): boolean {
    return !this.settings?.answer && super.isSummedUp(ctx);
  }

  protected override shown(): Pick<Drawn, 'fixed' | 'besides'> {
    const controls = this.settings?.controls;
    return {
      ...(controls instanceof Set && { fixed: (name: string) => !controls.has(name) }),
      besides: controls !== 'sentence',
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    const { settings, dictionary } = this;
    if (this.failed) return html`<p class="failed">${dictionary?.ui.noEngine}</p>`;
    const ctx = this.contextOf(this.state);
    if (!ctx || !settings) return nothing;
    if (!this.ready || !(this.evaluation.reply || this.pending)) {
      return html`<div class="waiting" aria-live="polite">${progressOf(ctx, ...this.awaited)}</div>
        ${this.announcer}`;
    }
    const found = this.results(ctx);
    if (settings.answer) return this.renderNumber(settings.answer, found?.results);
    const { ui } = ctx.text;
    const beside = this.renderBeside(ctx);
    const rows = found && !beside ? shownRows(found.answered, found.results, settings) : [];
    return html`<div class="asks">
        ${progressOf(ctx, ...this.wished)} ${question(ctx)}
        ${settings.shown.section ? nothing : viewOf(ctx).lead?.(ctx, found?.results)}
      </div>
      ${
        beside
          ? beside
          : found
            ? this.renderFound(found.answered, found.results, rows, settings)
            : html`<p class="stale">${this.pending ? ui.seeking : ui.noAnswers}</p>`
      }
      ${beside ? nothing : this.renderPart(ctx, settings)}
      ${
        settings.controls === 'all'
          ? html`<div class="more" part="assumptions">
              ${assumptions(ctx, besideAnswers(found, rows))}
            </div>`
          : nothing
      }
      ${this.renderHome(ctx, settings)} ${this.announcer}`;
  }

  private renderNumber(key: string, results: Results | undefined): TemplateResult {
    if (!results?.keys.includes(key)) {
      if (results) this.warn('answer', key);
      return html`<span part="number" class="one">…</span>`;
    }
    if (results.stale) return html`<span part="number" class="one">–</span>`;
    // A choice is a word among others here; AllGather stays a name.
    const said = results.choice(key)
      ? results.say(key).replace(/^\p{Lu}(?=\P{Lu}*$)/u, (first) => first.toLocaleLowerCase())
      : results.say(key);
    return html`<span part="number" class="one" title=${results.exactly(key)}>${said}</span>`;
  }

  private renderFound(
    ctx: RenderContext,
    results: Results,
    rows: readonly Row[],
    { shown }: Settings,
  ): TemplateResult {
    const view = viewOf(ctx);
    const { stale } = results;
    const drawn = shown.chart !== undefined;
    const parts = drawn || shown.section || shown.rows;
    return html`${parts ? nothing : view.picture?.(ctx, results)}
      <p class="summary" part="summary" ?data-stale=${stale}>
        ${stale ? '–' : view.summary(ctx, results)}
      </p>
      <div class="found ${drawn ? 'drawn' : ''}" ?data-stale=${stale}>
        ${stale ? html`<p class="stale">${ctx.text.ui.noAnswers}</p>` : nothing}
        ${drawn || !shown.rows ? (view.figures?.(ctx, results, drawn) ?? nothing) : nothing}
        ${
          drawn || shown.section
            ? nothing
            : shown.rows
              ? html`<section class="answers">
                  ${rows.map((row) => answerRow(ctx, results, row))}
                </section>`
              : answers(ctx, results, rows)
        }
      </div>`;
  }

  /** Renders the content below the answers; for a plan, possibly one section alone. */
  protected renderPart(ctx: RenderContext, { shown }: Settings): TemplateResult | typeof nothing {
    if (!shown.section && (shown.rows || shown.chart)) return nothing;
    return viewOf(ctx).sections?.(ctx, ['tables', 'why', 'compare'], shown.section) ?? nothing;
  }

  /** Several answers in place of one, where the state asks for them. */
  protected renderBeside(_: RenderContext): unknown {
    return undefined;
  }

  private renderHome({ text: { embed }, state }: RenderContext, { page }: Settings) {
    if (!page) return nothing;
    const link = this.linkOf(state);
    return html`<p class="home" part="home">
      <a href="${page}${link && `#${link}`}" target="_blank" rel="noopener">${embed.open}</a>
    </p>`;
  }
}
