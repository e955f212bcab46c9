import {
  LitElement,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import {
  createEngine,
  type Engine,
  type Explanation,
  type FieldValue,
  type Issue,
} from '../engine/index.ts';
import { Formatter } from '../number/format.ts';
import { readAddress, writeAddress, type Problem } from '../state/address.ts';
import { ask, canAsk, explain } from '../state/ask.ts';
import type { ChartSettings } from '../state/charts.ts';
import { Findings } from '../state/findings.ts';
import { History } from '../state/history.ts';
import { recall, remember } from '../state/memory.ts';
import {
  baseOf,
  initialState,
  inputOf,
  splitId,
  withField,
  withPreset,
  type FieldId,
  type State,
} from '../state/state.ts';
import { loadDictionary, type Dictionary } from '../text/dictionary.ts';
import { chooseLanguage, languages, tagOf, type Language } from '../text/language.ts';
import { answers } from './answers.ts';
import { assumptions } from './assumptions.ts';
import { examplesPanel, hides } from './examples.ts';
import { footer, header, problems, themes, type Theme } from './frame.ts';
import { NumberControl, type Edit } from './number-control.ts';
import { offers } from './offers.ts';
import { PresetControl } from './preset-control.ts';
import { question } from './question.ts';
import { Results } from './results.ts';
import { Scope, type Actions } from './scope.ts';
import { style } from './style.ts';
import { bringPlans, hasView, viewOf } from './view.ts';

/** Long enough after the last change that one edit is announced once. */
const announceAfter = 700;

/**
 * The calculator. With the attribute `linked` its state is in the address bar, and the document
 * takes on its language and theme.
 */
export class ScalingCalculator extends LitElement implements Actions {
  static override styles = style;
  static override properties: PropertyDeclarations = {
    linked: { type: Boolean },
    state: { state: true },
    dictionary: { state: true },
    engine: { state: true },
    theme: { state: true },
    drafts: { state: true },
    open: { state: true },
    problems: { state: true },
    failed: { state: true },
    plans: { state: true },
  };

  declare linked: boolean;
  declare private state: State;
  declare private engine: Engine | undefined;
  declare private dictionary: Dictionary | undefined;
  declare private theme: Theme;
  /** What was typed and could not be read, by field. */
  declare private drafts: ReadonlyMap<FieldId, string>;
  declare private open: ReadonlySet<string>;
  declare private problems: readonly Problem[];

  /** The engine did not start. */
  declare private failed: boolean;
  /** Whether what plans need besides is there. */
  declare private plans: 'no' | 'coming' | 'yes' | 'failed';

  private language: Language = 'en';
  /** The language that the link asks for, and goes on asking for until the reader chooses. */
  private linkLanguage: Language | undefined;
  private formatter: Formatter | undefined;
  private readonly findings = new Findings();
  /** The state that was last looked at. */
  private asked: State | undefined;
  private said: string | undefined;
  private announcing: ReturnType<typeof setTimeout> | undefined;
  private readonly travel = new History(() => this.readLocation());

  constructor() {
    super();
    this.linked = false;
    this.state = initialState;
    this.theme = 'auto';
    this.drafts = new Map();
    this.open = new Set();
    this.problems = [];
    this.failed = false;
    this.plans = 'no';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.theme = themes.find((theme) => theme === recall('theme')) ?? 'auto';
    if (this.linked) this.travel.connect();
    void this.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.announcing);
    if (this.linked) this.travel.disconnect();
  }

  private async start(): Promise<void> {
    const wished = this.linked
      ? new URLSearchParams(location.hash.slice(1)).get('lang')
      : this.closest('[lang]')?.getAttribute('lang');
    const language = chooseLanguage(wished, recall('language'), ...navigator.languages);
    const starting = createEngine();
    await this.speak(language);
    const engine = await starting.catch(() => undefined);
    if (!engine) {
      this.failed = true;
      return;
    }
    this.engine = engine;
    this.readLocation();
  }

  private readLocation(): void {
    if (!this.engine || !this.linked) return;
    // Hosts and tools strip one or the other, and put marks of their own into the second.
    const hash = location.hash.slice(1);
    const { state, problems, language } = readAddress(
      this.engine.describe(),
      hash || location.search.slice(1),
    );
    this.drafts = new Map();
    this.state = state;
    this.problems = hash ? problems : problems.filter(({ reason }) => reason === 'badValue');
    this.linkLanguage = languages.find((each) => each === language);
    if (this.linkLanguage && this.linkLanguage !== this.language)
      void this.speak(this.linkLanguage);
  }

  private async speak(language: Language): Promise<void> {
    const dictionary = await loadDictionary(language, this.plans === 'yes');
    this.language = language;
    this.formatter = new Formatter(language, dictionary.units);
    this.dictionary = dictionary;
  }

  /** A view and its texts, which come when it is first asked for. */
  private async bring(engine: Engine): Promise<void> {
    if (this.plans === 'coming') return;
    this.plans = 'coming';
    try {
      await bringPlans(engine);
      this.plans = 'yes';
      await this.speak(this.language);
    } catch {
      this.plans = 'failed';
    }
  }

  /** Whether all is there that the present question needs. */
  private get ready(): boolean {
    const { view } = this.state;
    return hasView(view) && (view !== 'plan' || this.dictionary?.fields.layout !== undefined);
  }

  private changeTo(state: State, edit?: string): void {
    if (!this.engine || state === this.state) return;
    this.state = state;
    if (this.linked) this.travel.write(this.linkOf(state), edit);
  }

  private linkOf(state: State): string {
    const link = writeAddress(this.engine!.describe(), state);
    const language = this.linkLanguage && `lang=${this.linkLanguage}`;
    return [link, language].filter(Boolean).join('&');
  }

  private chooseLanguage(language: Language): void {
    remember('language', language);
    if (this.linkLanguage) {
      this.linkLanguage = undefined;
      this.travel.replace(this.linkOf(this.state));
    }
    void this.speak(language);
  }

  // ---- what the reader does

  edit(id: FieldId, { value, draft, done }: Edit): void {
    this.setDraft(id, draft);
    if (this.engine && value !== undefined) {
      const [group, key] = splitId(id);
      const description = this.engine.describe();
      const before = inputOf(description, this.state, group)[key];
      if (value !== before) this.changeTo(withField(description, this.state, id, value), id);
    }
    if (done) this.travel.settle();
  }

  private setDraft(id: FieldId, draft: string | undefined): void {
    if (this.drafts.get(id) === draft) return;
    const drafts = new Map(this.drafts);
    if (draft === undefined) drafts.delete(id);
    else drafts.set(id, draft);
    this.drafts = drafts;
  }

  set(id: FieldId, value: FieldValue): void {
    if (this.engine) this.changeTo(withField(this.engine.describe(), this.state, id, value));
  }

  reset(id: FieldId): void {
    this.setDraft(id, undefined);
    if (!this.engine) return;
    const [group, key] = splitId(id);
    this.set(id, baseOf(this.engine.describe(), this.state, group)[key] ?? null);
  }

  choosePreset(preset: 'chip' | 'model' | 'optimizer' | 'figures', id: string): void {
    this.drafts = new Map();
    this.changeTo(withPreset(this.state, preset, id));
  }

  go(state: State): void {
    this.drafts = new Map();
    this.problems = [];
    this.changeTo(state);
  }

  toggle(part: string): void {
    const open = new Set(this.open);
    if (!open.delete(part)) open.add(part);
    this.open = open;
  }

  chart(settings: ChartSettings, edit?: { name: string; done: boolean }): void {
    this.changeTo({ ...this.state, charts: { ...this.state.charts, ...settings } }, edit?.name);
    if (edit?.done) this.travel.settle();
  }

  move(places: readonly (readonly [FieldId, FieldValue])[], done: boolean): void {
    const description = this.engine!.describe();
    for (const [id] of places) this.setDraft(id, undefined);
    const state = places.reduce(
      (before, [id, value]) => withField(description, before, id, value),
      this.state,
    );
    this.changeTo(state, 'chart');
    if (done) this.travel.settle();
  }

  refresh(): void {
    this.requestUpdate();
  }

  explain(answer: string): Explanation {
    return explain(this.engine!, this.findings.of(this.state)?.state ?? this.state, answer);
  }

  // ---- from state to answers

  protected override willUpdate(changed: PropertyValues): void {
    const { engine, state } = this;
    if (!engine) return;
    const asks = changed.has('state') || changed.has('engine');
    if (asks && !this.ready) void this.bring(engine);
    if ((asks || changed.has('dictionary')) && canAsk(state) && state !== this.asked) {
      this.asked = state;
      this.findings.look(engine, state);
    }
  }

  /** Tells those who cannot see it what came out, or what is wrong, when it is a new thing. */
  private announce(): void {
    const mistaken = this.drafts.size > 0 || this.findings.reply?.ok === false;
    const news = mistaken ? '.message:not([data-notice])' : '.summary:not(.place)';
    const said = [...this.renderRoot.querySelectorAll(news)]
      .map((element) => element.textContent?.trim() ?? '')
      .join(' ');
    if (this.said === undefined || this.said === said) {
      this.said ??= said || undefined;
      return;
    }
    this.said = said;
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      const region = this.renderRoot.querySelector('[aria-live]');
      if (region) region.textContent = said;
    }, announceAfter);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('state') || changed.has('drafts') || changed.has('engine')) this.announce();
    if (this.theme === 'auto') this.removeAttribute('theme');
    else this.setAttribute('theme', this.theme);
    const tag = tagOf(this.language);
    if (this.lang !== tag) this.lang = tag;
    if (!this.linked || !this.dictionary) return;
    const root = document.documentElement;
    root.lang = tag;
    root.dataset['theme'] = this.theme;
    document.title = this.dictionary.ui.title;
  }

  // ---- drawing

  private scope(engine: Engine, dictionary: Dictionary, format: Formatter, state: State): Scope {
    const { reply } = this.findings;
    return new Scope(
      this.language,
      dictionary,
      format,
      engine,
      state,
      reply && !reply.ok ? reply.issues : [],
      reply?.ok ? reply.notices.filter((notice) => worthSaying(notice, state)) : [],
      this.drafts,
      this.open,
      this,
    );
  }

  protected override render(): TemplateResult {
    const { engine, dictionary, formatter, state, findings } = this;
    const { reply } = findings;
    if (this.failed) return html`<p class="failed">${dictionary?.ui.noEngine}</p>`;
    if (!engine || !dictionary || !formatter) return html`<slot></slot>`;
    const scope = this.scope(engine, dictionary, formatter, state);
    if (!this.ready || !reply) return this.renderWait(scope);
    const view = viewOf(scope);
    const found = findings.of(state);
    const stale = !reply.ok || this.drafts.size > 0;
    // Answers speak of the input that they are for, which after a mistake is an earlier one.
    const answered =
      found &&
      (found.state === state ? scope : this.scope(engine, dictionary, formatter, found.state));
    const results =
      answered && new Results(answered, found.answers, findings.changes, findings.beat, stale);
    const open = offers(scope, (candidate) => ask(engine, candidate), scope.issues, reply);
    const { text } = scope;
    return html`
      ${this.renderHeader(scope)}
      <main>
        <section class="asks" aria-label=${text.ui.question}>
          ${problems(scope, this.problems, () => (this.problems = []))} ${question(scope)}
          ${
            open.length > 0
              ? html`<p class="offers">
                  ${reply.ok ? text.offers.doesNotFit : text.offers.cannotBe}
                  ${open.map(
                    ({ says, state: there }) =>
                      html`<button type="button" @click=${() => this.go(there)}>${says}</button> `,
                  )}
                </p>`
              : nothing
          }
        </section>
        ${
          results
            ? html`<p class="summary" ?data-stale=${stale}>${view.summary(answered, results)}</p>
                <p class="summary place" aria-hidden="true">${view.summary(answered, results)}</p>
                <div class="found" ?data-stale=${stale}>
                  ${stale ? html`<p class="stale">${text.ui.stale}</p>` : nothing}
                  ${hides(answered, ...results.keys) ? nothing : view.figures?.(answered, results)}
                  ${answers(answered, results)}
                </div>`
            : nothing
        }
        ${results && hides(answered, ...results.keys) ? nothing : view.beyond?.(scope)}
        <div class="more">${assumptions(scope)} ${examplesPanel(scope)}</div>
      </main>
      ${footer(scope)}
      <div class="hidden" aria-live="polite"></div>
    `;
  }

  private renderHeader(scope: Scope): TemplateResult {
    return header(scope, this.theme, {
      linkOf: (there) => this.linkOf(there),
      speak: (language) => this.chooseLanguage(language),
      paint: (theme) => this.paint(theme),
    });
  }

  /** While what a view needs is on its way. */
  private renderWait(scope: Scope): TemplateResult {
    const { ui } = scope.text;
    return html`${this.renderHeader(scope)}
      <main>
        <p class="waiting" aria-live="polite">
          ${this.plans === 'failed' ? ui.notLoaded : ui.loading}
        </p>
        <div class="more">${examplesPanel(scope)}</div>
      </main>
      ${footer(scope)}`;
  }

  private paint(theme: Theme): void {
    remember('theme', theme);
    this.theme = theme;
  }
}

/** The book's own batch is not a whole number of sequences; readers need that said of theirs. */
const worthSaying = ({ code }: Issue, { edits }: State): boolean =>
  code !== 'notWholeSequences' || 'batchTokens' in edits.run || 'sequenceLength' in edits.run;

customElements.define('scaling-number', NumberControl);
customElements.define('scaling-preset', PresetControl);
customElements.define('scaling-calculator', ScalingCalculator);
