import { LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import { define } from '../define.ts';
import type { Engine, Explanation, FieldValue, Issue } from '../engine/index.ts';
import { Formatter } from '../number/format.ts';
import type { Problem } from '../state/address.ts';
import { canAsk, canExplain, explain } from '../state/ask.ts';
import type { ChartSettings } from '../state/charts.ts';
import { Findings } from '../state/findings.ts';
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
import { chooseLanguage, tagOf, type Language } from '../text/language.ts';
import type { Theme } from './frame.ts';
import { NumberControl, type Edit } from './number-control.ts';
import { PresetControl } from './preset-control.ts';
import { Results } from './results.ts';
import { Scope, type Actions } from './scope.ts';
import { style } from './style.ts';
import { hasView } from './view.ts';

/** Long enough after the last change that one edit is announced once. */
const announceAfter = 700;

/**
 * What every calculator is, wherever it stands: a state, what the reader does to it, and what the
 * engine answers. How it looks, and where its state comes from, its kinds know.
 */
export abstract class Calculator extends LitElement implements Actions {
  static override styles: CSSStyleSheet | CSSStyleSheet[] = style;
  static override properties: PropertyDeclarations = {
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

  declare protected state: State;
  declare protected engine: Engine | undefined;
  declare protected dictionary: Dictionary | undefined;
  declare theme: Theme;
  /** What was typed and could not be read, by field. */
  declare protected drafts: ReadonlyMap<FieldId, string>;
  declare protected open: ReadonlySet<string>;
  declare protected problems: readonly Problem[];

  /** The engine did not start. */
  declare protected failed: boolean;
  /** Whether what plans need besides is there. */
  declare protected plans: 'no' | 'coming' | 'yes' | 'failed';

  protected language: Language = 'en';
  private formatter: Formatter | undefined;
  protected readonly findings = new Findings();
  /** The state that was last looked at. */
  private asked: State | undefined;
  private said: string | undefined;
  private explaining: Promise<void> | undefined;
  private announcing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
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
    void this.start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.announcing);
  }

  /** The engine, and languages to speak, the dearest first. */
  protected abstract startEngine(): Promise<Engine>;
  protected abstract wishes(): readonly (string | null | undefined)[];
  /** The engine is there: which state to begin with. */
  protected abstract begin(): void;
  /** The reader changed the state; `edit` names what is being edited. */
  protected abstract changed(state: State, edit?: string): void;
  /** An edit is over. */
  protected settled(): void {}
  /** Brings the view of plans and the planner, which most readers don't need. */
  protected abstract bringPlans(engine: Engine): Promise<void>;
  /** Brings derivations and what draws them. */
  protected abstract bringReasons(engine: Engine): Promise<void>;

  private async start(): Promise<void> {
    if (this.engine) return;
    const starting = this.startEngine();
    await this.speak(chooseLanguage(...this.wishes()));
    const engine = await starting.catch(() => undefined);
    if (!engine) {
      this.failed = true;
      return;
    }
    this.engine = engine;
    this.begin();
  }

  protected async speak(language: Language): Promise<void> {
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
      await this.bringPlans(engine);
      this.plans = 'yes';
      await this.speak(this.language);
    } catch {
      this.plans = 'failed';
    }
  }

  /** Whether all is there that the present question needs. */
  protected get ready(): boolean {
    const { view } = this.state;
    return hasView(view) && (view !== 'plan' || this.dictionary?.fields.layout !== undefined);
  }

  protected changeTo(state: State, edit?: string): void {
    if (!this.engine || state === this.state) return;
    this.state = state;
    this.changed(state, edit);
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
    if (done) this.settled();
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
    if (edit?.done) this.settled();
  }

  move(places: readonly (readonly [FieldId, FieldValue])[], done: boolean): void {
    const description = this.engine!.describe();
    for (const [id] of places) this.setDraft(id, undefined);
    const state = places.reduce(
      (before, [id, value]) => withField(description, before, id, value),
      this.state,
    );
    this.changeTo(state, 'chart');
    if (done) this.settled();
  }

  refresh(): void {
    this.requestUpdate();
  }

  explain(answer: string): Explanation | undefined {
    const engine = this.engine!;
    if (!canExplain()) {
      this.explaining ??= this.bringReasons(engine)
        .catch(() => undefined)
        .then(() => this.requestUpdate());
      return undefined;
    }
    return explain(engine, this.findings.of(this.state)?.state ?? this.state, answer);
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
    this.say(said);
  }

  say(text: string): void {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      const region = this.renderRoot.querySelector('[aria-live]');
      if (region) region.textContent = text;
    }, announceAfter);
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('state') || changed.has('drafts') || changed.has('engine')) this.announce();
    if (this.theme === 'auto') this.removeAttribute('theme');
    else this.setAttribute('theme', this.theme);
    const tag = tagOf(this.language);
    if (this.lang !== tag) this.lang = tag;
  }

  // ---- drawing

  /** What `state` is drawn with; nothing before all is there. */
  protected scopeOf(state: State): Scope | undefined {
    const { engine, dictionary, formatter: format } = this;
    if (!engine || !dictionary || !format) return undefined;
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

  /** The answers, drawn with what they are for: after a mistake, an earlier input. */
  protected results(scope: Scope): { answered: Scope; results: Results } | undefined {
    const { findings, state } = this;
    const found = findings.of(state);
    if (!found) return undefined;
    const answered = found.state === state ? scope : this.scopeOf(found.state)!;
    const stale = !findings.reply?.ok || this.drafts.size > 0;
    return {
      answered,
      results: new Results(answered, found.answers, findings.changes, findings.beat, stale),
    };
  }
}

/** The book's own batch is not a whole number of sequences; readers need that said of theirs. */
const worthSaying = ({ code }: Issue, { edits }: State): boolean =>
  code !== 'notWholeSequences' || 'batchTokens' in edits.run || 'sequenceLength' in edits.run;

define('scaling-number', NumberControl);
define('scaling-preset', PresetControl);
