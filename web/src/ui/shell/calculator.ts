import { bare } from '../../engine/bare.ts';
import { LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import { define } from '../../dom/define.ts';
import type { Engine, Explanation, FieldValue, Issue } from '../../engine/index.ts';
import { Lazy } from '../../engine/lazy.ts';
import { Formatter } from '../../number/format.ts';
import { canReadAddress, type Problem } from '../../link/address.ts';
import { unsaidBatch } from '../../link/migrations.ts';
import { explain, makeFinder, type Finder } from '../../model/evaluate.ts';
import type { ChartSettings } from '../../model/charts.ts';
import { Evaluation } from '../../model/evaluation.ts';
import {
  baseOf,
  hasPresets,
  initialState,
  inputOf,
  withField,
  withPreset,
  type State,
} from '../../model/state.ts';
import { splitId, type FieldId } from '../../model/fields.ts';
import { textsOf, views } from '../../model/views.ts';
import { dictionaryOf, type Dictionary, type ViewPart } from '../../i18n/dictionary.ts';
import { chooseLanguage, tagOf, type Language } from '../../i18n/language.ts';
import type { Theme } from './frame.ts';
import { NumberControl, type Edit } from '../kit/number-control.ts';
import { PresetControl } from '../kit/preset-control.ts';
import { Results } from '../kit/results.ts';
import {
  RenderContext,
  type Actions,
  type DrawDerivation,
  type Drawn,
  type Features,
  type Focused,
  type View,
} from '../kit/render-context.ts';
import { style } from '../kit/style.ts';
import { isReady, viewOf } from '../parts/view.ts';
import { isBeside } from '../kit/title.ts';
import { LostFocus } from './lost-focus.ts';

/** Delay of announcements after the last change [ms], so that one edit is announced once. */
const announceAfter = 700;

/** Answers with the context that they belong to. */
export interface Found {
  answered: RenderContext;
  results: Results;
}

/** What a calculator is made of. */
export interface CalculatorFeatures extends Features {
  /** Starts the engine. */
  engine(): Promise<Engine>;
  /** Loads derivations, and what draws them. */
  derivations(engine: Engine, language: Language): Promise<DrawDerivation>;
  /** Titles of the rules' sources, once it is known what loads them. */
  sourceTitles(language: Language): Lazy<NonNullable<Dictionary['sources']>> | undefined;
}

/**
 * The base of the page and of embedded calculators: a state, the reader's actions on it, and the
 * engine's answers. Subclasses decide how it looks and where its state comes from.
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
    wanted: { state: true },
  };

  declare protected state: State;
  declare protected engine: Engine | undefined;
  declare protected dictionary: Dictionary | undefined;
  declare theme: Theme;
  /** Typed texts that could not be read, by field. */
  declare protected drafts: ReadonlyMap<FieldId, string>;
  declare protected open: ReadonlySet<string>;
  declare protected problems: readonly Problem[];

  /** The engine did not start. */
  declare protected failed: boolean;
  /** The language that was asked for; until its texts are there, the page keeps its `language`. */
  declare protected wanted: Language;

  protected language: Language = 'en';
  /** The parts of the texts that the views opened so far need. */
  private readonly parts = new Set<ViewPart>();
  /** What explains answers, and its drawing. */
  readonly derivations: Actions['derivations'] = new Lazy(() =>
    this.features.derivations(this.engine!, this.language),
  );
  /** The derivations of each state: they are drawn again with every change of the page. */
  private readonly explained = new WeakMap<State, Map<string, Explanation>>();
  /** Reads its text to those who can't see the page; stays in place whatever is drawn. */
  protected readonly announcer = document.createElement('div');
  private formatter: Formatter | undefined;
  protected readonly evaluation = new Evaluation();
  /** The state that was evaluated last. */
  private asked: State | undefined;
  private finder: Finder | undefined;
  /** Whether the state's view is still loading, or its layout is still being searched. */
  protected pending = false;
  /** Whether a link waits for its presets; no answers are those of the state meanwhile. */
  protected unread = false;
  /** The reader's request that waits for its presets; the page keeps its state meanwhile. */
  protected wish: { state: State; edit?: string | undefined } | undefined;
  private said: string | undefined;
  private lostFocus: LostFocus | undefined;
  private announcing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.state = initialState;
    this.theme = 'auto';
    this.drafts = new Map();
    this.open = new Set();
    this.problems = [];
    this.failed = false;
    this.wanted = this.language;
    this.announcer.className = 'hidden';
    this.announcer.ariaLive = 'polite';
  }

  override connectedCallback(): void {
    define('scaling-number', NumberControl);
    define('scaling-preset', PresetControl);
    super.connectedCallback();
    this.lostFocus ??= new LostFocus(this.shadowRoot!);
    this.lostFocus.connect();
    this.start().catch((error: unknown) => {
      this.cannotDraw();
      throw error;
    });
  }

  /** Scripts of a page may have changed what drawing takes for granted. */
  protected override performUpdate(): void {
    try {
      super.performUpdate();
    } catch (error) {
      this.cannotDraw();
      throw error;
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.announcing);
    this.lostFocus?.disconnect();
    this.finder?.stop();
  }

  /** Says so where drawing failed before anything was seen. */
  protected abstract cannotDraw(): void;
  protected abstract readonly features: CalculatorFeatures;
  /** The preferred languages, best first. */
  protected abstract wishes(): readonly (string | null | undefined)[];
  /** Sets the first state, once the engine has started. */
  protected abstract begin(): void;
  /** Reads the link that stood there when its presets had not loaded. */
  protected abstract readLink(): void;
  /** The reader changed the state; `edit` names what is being edited. */
  protected abstract changed(state: State, edit?: string): void;
  /** An edit is over. */
  protected settled(): void {}

  private async start(): Promise<void> {
    if (this.engine) return;
    this.wanted = chooseLanguage(...this.wishes());
    const engine = await this.features.engine().catch(() => undefined);
    if (!engine) {
      this.failed = true;
      return;
    }
    this.engine = engine;
    this.begin();
  }

  /** The texts in the language that was asked for, with those of the views that were opened. */
  get texts(): Lazy<Dictionary> {
    return dictionaryOf(this.wanted, [...this.parts]);
  }

  /** The loads that the present question waits for. */
  protected get awaited(): readonly Lazy<unknown>[] {
    const { presets } = this.features;
    return [this.unread ? presets.more : this.view, this.texts];
  }

  /** The view of the present question, with what computes its answers. */
  private get view(): Lazy<View> {
    return this.features.views.get(this.state.view)!;
  }

  private speak(): void {
    const dictionary = this.texts.use(this);
    if (!dictionary || dictionary === this.dictionary) return;
    this.language = this.wanted;
    this.formatter = new Formatter(this.language, dictionary.units);
    this.dictionary = dictionary;
  }

  /** Whether everything that the present question needs has loaded. */
  protected get ready(): boolean {
    const { features, state, dictionary: text } = this;
    return text !== undefined && !this.unread && isReady({ features, state, text });
  }

  protected changeTo(state: State, edit?: string): void {
    if (!this.engine || state === this.state) return;
    if (!hasPresets(state)) {
      this.wish = { state, edit };
      this.loadPresets();
      return;
    }
    this.wish = undefined;
    this.state = state;
    this.changed(state, edit);
  }

  private loadPresets(): void {
    const { more } = this.features.presets;
    more.retry(this);
    more.use(this);
    this.requestUpdate();
  }

  /** Whether the link has to wait for presets; `readLink` is then called once they have loaded. */
  protected mustWait(link: string): boolean {
    this.wish = undefined;
    this.unread = !canReadAddress(link);
    if (this.unread) this.loadPresets();
    return this.unread;
  }

  /** Goes on once the awaited part has loaded. */
  private catchUp(): void {
    const { wish } = this;
    if (this.features.presets.more.value === undefined) return;
    if (this.unread) this.readLink();
    else if (wish) this.changeTo(wish.state, wish.edit);
  }

  /** The loads that what the reader asked for last waits for. */
  protected get wished(): readonly Lazy<unknown>[] {
    return this.wish ? [this.features.presets.more] : [];
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
    this.changeTo(
      { ...this.state, charts: bare({ ...this.state.charts, ...settings }) },
      edit?.name,
    );
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

  /** The state whose answers are shown, complete with what was searched for. */
  private get answered(): State {
    return this.evaluation.of(this.state)?.state ?? this.state;
  }

  get explanations(): Map<string, Explanation> {
    const { answered } = this;
    const known = this.explained.get(answered) ?? new Map<string, Explanation>();
    this.explained.set(answered, known);
    return known;
  }

  explain(answer: string): Explanation | undefined {
    if (this.derivations.use(this) === undefined) return undefined;
    const titles = this.features.sourceTitles(this.language)?.use(this);
    if (titles && this.dictionary) this.dictionary.sources = titles;
    const { explanations } = this;
    const known = explanations.get(answer) ?? explain(this.engine!, this.answered, answer);
    explanations.set(answer, known);
    return known;
  }

  // ---- from state to answers

  protected override willUpdate(changed: PropertyValues): void {
    const { engine } = this;
    if (engine) this.catchUp();
    const { state } = this;
    for (const part of textsOf(state.view, state.page)) this.parts.add(part);
    if (engine) {
      this.view.use(this);
      // Coming back to the view retries what failed to load.
      if (changed.has('state')) this.view.retry(this);
    }
    this.speak();
    if (engine && !this.unread && state !== this.asked) this.look(engine);
  }

  /** Evaluates the state, once its layout is known. */
  private look(engine: Engine): void {
    const state = this.complete(engine);
    this.pending = state === undefined;
    if (state) {
      // A layout that the search found is not an edit by the reader.
      this.state = this.asked = state;
      this.evaluation.evaluate(engine, state);
    } else this.evaluation.wait();
  }

  private complete(engine: Engine): State | undefined {
    this.finder ??= makeFinder(engine, this.features.views, () => this.requestUpdate());
    return this.finder.complete(this.state);
  }

  /** Announces new answers or mistakes to screen readers. */
  private announce(silently: boolean): void {
    const ctx = this.ready ? this.contextOf(this.state) : undefined;
    if (!ctx) return;
    const said = this.news(ctx);
    const before = this.said;
    this.said = said || before;
    if (!silently && before !== undefined && before !== said) this.say(said);
  }

  /** What is wrong with the question, else the sentence that sums up its answers. */
  private news(ctx: RenderContext): string {
    const wrong = new Set([
      ...ctx.drafts.keys(),
      ...ctx.issues.map(({ field }) => field as FieldId),
    ]);
    if (wrong.size > 0) return [...wrong].flatMap((id) => ctx.messages(id)).join(' ');
    const found = this.isSummedUp(ctx) ? this.results(ctx) : undefined;
    return found ? viewOf(ctx).summary(found.answered, found.results) : '';
  }

  /** Whether one sentence sums up what is drawn. */
  protected isSummedUp(ctx: RenderContext): boolean {
    return !ctx.state.page && !isBeside(ctx);
  }

  say(text: string): void {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      this.announcer.textContent = text;
    }, announceAfter);
  }

  protected override updated(changed: PropertyValues): void {
    // Changing the language does not announce the same answers again.
    this.announce(changed.has('dictionary'));
    if (this.theme === 'auto') this.removeAttribute('theme');
    else this.setAttribute('theme', this.theme);
    const tag = tagOf(this.language);
    if (this.lang !== tag) this.lang = tag;
  }

  // ---- drawing

  /** Creates the context that renders `state`; undefined until everything has loaded. */
  protected contextOf(state: State, present?: RenderContext): RenderContext | undefined {
    const { drafts, engine, dictionary: text, features, formatter: format, language, open } = this;
    if (!engine || !text || !format) return undefined;
    const { reply } = this.evaluation;
    return new RenderContext({
      language,
      text,
      format,
      engine,
      features,
      state,
      issues: reply && !reply.ok ? reply.issues : [],
      notices: reply?.ok ? reply.notices.filter((notice) => worthSaying(notice, state)) : [],
      drafts,
      open,
      actions: this,
      focused: this.focused,
      ...(present && { present }),
      ...this.shown(),
    });
  }

  private get focused(): Focused | undefined {
    const at = this.shadowRoot?.activeElement;
    const id = at?.getAttribute('data-field');
    if (!id) return undefined;
    const [sentence, below] = [at!.closest('.question'), at!.closest('.messages')];
    return { id, place: sentence ? 'sentence' : below ? 'below' : undefined };
  }

  /** What the context of a calculator within another page has that others have not. */
  protected shown(): Pick<Drawn, 'fixed' | 'besides'> {
    return {};
  }

  /** The answers with the context they belong to, which after a mistake is an earlier state's. */
  protected results(ctx: RenderContext): Found | undefined {
    const { evaluation, state } = this;
    const found = evaluation.of(state);
    if (!found) return undefined;
    const answered = found.state === state ? ctx : this.contextOf(found.state, ctx)!;
    const stale = !(this.pending || evaluation.reply?.ok) || this.drafts.size > 0;
    return {
      answered,
      results: new Results(answered, found.answers, evaluation.changes, evaluation.parity, stale),
    };
  }
}

/** The book's own batch is not a whole number of sequences; readers need that said of theirs. */
const worthSaying = ({ code }: Issue, { view, edits: { run } }: State): boolean =>
  code !== 'notWholeSequences' ||
  !views[view].unsaidBatch ||
  run.batchTokens !== unsaidBatch ||
  Object.hasOwn(run, 'sequenceLength');
