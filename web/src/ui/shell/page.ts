import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { ownOnly } from '../../engine/bare.ts';
import { readAddress, writeAddress, type Problem, type Reading } from '../../link/address.ts';
import { History } from '../../link/history.ts';
import { hasParts } from '../../i18n/dictionary.ts';
import { recall, remember } from '../../dom/storage.ts';
import { initialState, landing, type State } from '../../model/state.ts';
import { textsOf, type Page } from '../../model/views.ts';
import { sheetOf } from '../../dom/sheet.ts';
import { languages, languageInfo, tagOf, type Language } from '../../i18n/language.ts';
import { wishesOfReader } from '../../i18n/reader.ts';
import { answers, rowsOf, unanswered } from '../parts/answers/answers.ts';
import { verdictOfRows } from '../parts/picture/picture.ts';
import { fold, foldPart, foldsIn, isFold, isOpen, partsOf, type Fold } from '../parts/folds.ts';
import { assumptionsFold } from '../parts/question/assumptions.ts';
import { Calculator, type CalculatorFeatures, type Found } from './calculator.ts';
import { sharedFeatures } from './features.ts';
import { besideStills, comparison, overviews, sideBySide } from '../features/compare/compare.ts';
import { examplesPanel, quiz } from '../features/examples/examples.ts';
import text from './frame.css?inline';
import { besideName, footer, header, problems, skipLinks, themes, type Theme } from './frame.ts';
import { progressOf } from '../kit/lazily.ts';
import { suggestedFixes } from '../parts/question/suggested-fixes.ts';
import { layers } from '../features/layers/layers.ts';
import {
  catchDrops,
  customPresets,
  libraryProgress,
  presetLibrary,
} from '../features/custom/entry.ts';
import { catchPrints, print } from '../features/report/print.ts';
import type { Printed } from '../features/report/printed.ts';
import { ending } from '../parts/question/basis.ts';
import { question } from '../parts/question/question.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { style } from '../kit/style.ts';
import { titleOf } from '../kit/title.ts';
import { besideAnswers } from '../parts/question/field-beside.ts';
import { loadTerms, terms } from '../features/glossary/load.ts';
import { viewOf, type Row } from '../parts/view.ts';
import { staying } from './staying.ts';
import type { Place } from '../kit/view.ts';
import type { Reply } from '../../model/evaluate.ts';
import { pageContents } from '../views/registry.ts';
import { isFirstVisit, welcome } from '../features/examples/welcome.ts';

/** All that the page has. */
const pageFeatures: CalculatorFeatures = ownOnly({
  ...sharedFeatures,
  besideStills,
  customPresets,
  ending,
  modelLead: layers,
  quiz,
  terms,
});

const frame = sheetOf(text);

/** The page: its state is in the address bar, and the document takes on its language and theme. */
export class ScalingPage extends Calculator {
  static override styles = [style, frame];
  protected readonly features = pageFeatures;

  /** The language in the link, which the link keeps until the reader chooses another. */
  private linkLanguage: Language | undefined;
  private readonly travel = new History(() => this.follow());
  /** The reader follows a link, rather than going back or forth, which browsers find the place of. */
  private isFollowing = false;
  /** Whether the questions have room beside the name. */
  private readonly roomy = matchMedia(besideName);
  private readonly redraw = (): void => this.requestUpdate();
  private forgetDrops: (() => void) | undefined;
  private forgetPrints: (() => void) | undefined;

  override connectedCallback(): void {
    this.theme = themes.find((theme) => theme === recall('theme')) ?? 'auto';
    super.connectedCallback();
    this.travel.connect();
    this.roomy.addEventListener('change', this.redraw);
    this.forgetDrops = catchDrops(() => this.contextOf(this.state));
    this.forgetPrints = catchPrints(() => this.printed());
    this.renderRoot.addEventListener('click', ({ target }) => {
      this.isFollowing = (target as Element).closest('a[href^="#"]') !== null;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.travel.disconnect();
    this.roomy.removeEventListener('change', this.redraw);
    this.forgetDrops?.();
    this.forgetPrints?.();
  }

  protected override cannotDraw(): void {
    this.dispatchEvent(new Event('undrawn'));
  }

  protected override wishes(): (string | null)[] {
    return wishesOfReader();
  }

  protected override begin(): void {
    this.readLocation();
    const kept = recall('folds')?.split(' ') ?? [];
    this.open = new Set([...this.open, ...kept.map((fold) => foldPart(fold as Fold))]);
    if (!this.unread && isFirstVisit(this.state)) this.toggle('welcome');
    loadTerms(this);
  }

  private follow(): void {
    const from = this.state;
    this.readLocation();
    if (this.isFollowing) this.beginAtTop(from);
    this.isFollowing = false;
  }

  override go(state: State): void {
    const from = this.state;
    super.go(state);
    this.beginAtTop(from);
  }

  /** Another view begins at its top. */
  private beginAtTop({ view, page, charts }: State): void {
    const { state } = this;
    const stays =
      view === state.view && page === state.page && !charts.sides === !state.charts.sides;
    if (stays) return;
    scrollTo(0, 0);
    if (this.open.has('welcome above')) this.toggle('welcome above');
  }

  private readLocation(): void {
    const { engine } = this;
    if (!engine) return;
    const link = linkHere();
    if (this.mustWait(link)) return;
    const { state, problems, language } = readAddress(engine.describe(), link);
    const asks = state !== initialState || new URLSearchParams(link).has('view');
    this.drafts = new Map();
    this.state = asks ? state : landing;
    this.open = new Set([...this.open, ...partsOf(state)]);
    this.problems =
      location.hash.length > 1
        ? problems
        : problems.filter(({ reason }) => reason !== 'unknownKey');
    this.linkLanguage = languages.find((each) => each === language);
    if (this.linkLanguage) this.wanted = this.linkLanguage;
  }

  protected override readLink(): void {
    this.readLocation();
  }

  protected override changed(state: State, edit?: string): void {
    this.travel.write(this.linkOf(state), edit);
  }

  protected override settled(): void {
    this.travel.settle();
  }

  /** Applies the correction of one link problem; the others stay listed, and what is of no use to a
   * view that it opens comes to them. */
  private mend(problem: Problem, { state, problems }: Reading): void {
    const others = this.problems.filter((each) => each !== problem);
    const stays = state.view === this.state.view && state.page === this.state.page;
    this.go(state);
    this.problems = stays
      ? others
      : [...others.filter(({ reason }) => reason !== 'otherView'), ...problems];
  }

  /** Folds that were left open are open the next time. */
  override toggle(part: string): void {
    super.toggle(part);
    if (isFold(part)) remember('folds', foldsIn(this.open).join(' '));
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
    this.wanted = language;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.dictionary) return;
    // Few readers stay with the first presets.
    if (this.ready && this.evaluation.reply) this.features.presets.more.use(this);
    // The shell is no longer needed.
    if (this.engine || this.failed) this.replaceChildren();
    const root = document.documentElement;
    root.lang = tagOf(this.language);
    root.dataset['theme'] = this.theme;
    const ctx = this.ready ? this.contextOf(this.state) : undefined;
    document.title = ctx ? titleOf(ctx) : this.dictionary.ui.title;
  }

  protected override render(): TemplateResult {
    if (this.failed) return html`<p class="failed">${this.dictionary?.ui.noEngine}</p>`;
    const ctx = this.contextOf(this.state);
    if (!ctx) return this.renderShell();
    const { page } = ctx.state;
    if (page && hasParts(ctx.text, textsOf(ctx.state.view, page))) {
      return this.renderPage(ctx, page);
    }
    const isShown = !page && this.ready && (this.evaluation.reply || this.pending);
    const beside = isShown ? sideBySide(ctx) : undefined;
    const found = isShown && !beside ? this.results(ctx) : undefined;
    const rows = found ? rowsOf(found.answered, found.results) : [];
    // One template, whether the view has loaded or not: it keeps what a reader has typed.
    return html`
      ${isShown ? skipLinks(ctx) : nothing} ${this.renderHeader(ctx)}
      <main ?data-aside=${isShown && isOpen(ctx, 'assumptions')}>
        ${
          isShown
            ? this.renderFirst(ctx, beside, found, rows)
            : html`<div class="waiting" aria-live="polite">
                ${progressOf(ctx, ...this.awaited)}
              </div>`
        }
        ${isShown ? this.renderFolds(ctx, beside, found, rows) : nothing} ${examplesPanel(ctx)}
      </main>
      ${footer(ctx, this.print)} ${presetLibrary(ctx)} ${this.announcer}
    `;
  }

  /** What is seen first: the question, the verdict and its drawing; or several answers `beside` each
   * other. */
  private renderFirst(
    ctx: RenderContext,
    beside: unknown,
    found: Found | undefined,
    rows: readonly Row[],
  ): TemplateResult {
    const { reply } = this.evaluation;
    const view = viewOf(ctx);
    const { text } = ctx;
    const results = found?.results;
    const summary = results && !results.stale ? view.summary(found.answered, results) : '–';
    return html`<section class="asks" aria-label=${text.ui.question}>
        ${this.renderNews(ctx)} ${question(ctx)} ${reply ? this.renderOffers(ctx, reply) : nothing}
        ${
          beside || this.pending || (found && !found.results.stale)
            ? nothing
            : html`<p class="stale">${text.ui.noAnswers}</p>`
        }
      </section>
      ${results && !beside ? staying(summary, results.stale) : nothing}
      ${beside ?? this.renderPicture(ctx, found, rows)} ${view.lead?.(ctx, results)}`;
  }

  /** The verdict and the drawing; of a view without one, its charts. */
  private renderPicture(
    ctx: RenderContext,
    found: Found | undefined,
    rows: readonly Row[],
  ): unknown {
    const view = viewOf(ctx);
    if (!found && !this.pending && !view.picture) return nothing;
    const [shown, results] = [found?.answered ?? ctx, found?.results];
    const charts =
      (!view.picture || view.chartsInSight) && results && !shown.hides(...results.keys)
        ? html`<div class="charted" ?data-stale=${results.stale}>
            ${view.figures?.(shown, results)}
          </div>`
        : nothing;
    return view.picture
      ? html`${view.picture(shown, results)} ${charts}`
      : verdictOfRows(shown, results, rows, charts);
  }

  /** The ways out of an input that has no answers, or none that please. */
  private renderOffers(ctx: RenderContext, reply: Reply): TemplateResult | typeof nothing {
    const open = suggestedFixes(ctx, reply);
    if (open.length === 0) return nothing;
    const { offers } = ctx.text;
    return html`<p class="offers">
      ${
        reply.ok
          ? (viewOf(ctx).mends?.(ctx, reply) ?? offers.doesNotFit)
          : open.every(({ assumes }) => assumes)
            ? nothing // The reason stands above, with its field.
            : offers.cannotBe
      }
      ${open.map(
        ({ says, state: there }) =>
          html`<button type="button" @click=${() => this.go(there)}>${says}</button> `,
      )}
    </p>`;
  }

  /** All else: three folds, and below them tables. */
  private renderFolds(
    ctx: RenderContext,
    beside: unknown,
    found: Found | undefined,
    rows: readonly Row[],
  ): TemplateResult {
    const view = viewOf(ctx);
    const hides = beside || found?.answered.hides(...found.results.keys);
    const sections = (place: Place): unknown =>
      hides ? nothing : (view.sections?.(ctx, [place]) ?? nothing);
    const explained = !beside && isOpen(ctx, 'why');
    return html`${beside ? nothing : fold(ctx, 'why', () => html`${this.renderFound(ctx, found, rows)} ${sections('why')}`)}
      <div class="aside">${assumptionsFold(ctx, explained ? besideAnswers(found, rows) : [])}</div>
      ${fold(
        ctx,
        'compare',
        () =>
          html`${beside ? nothing : comparison(ctx, found?.results)} ${sections('compare')}
          ${overviews(ctx)}`,
      )}
      ${welcome(ctx, 'below')} ${sections('tables')}`;
  }

  /** Renders what asks nothing of the core. */
  private renderPage(ctx: RenderContext, page: Page): TemplateResult {
    return html`${this.renderHeader(ctx)}
      <main data-page=${page}>${this.renderNews(ctx)} ${pageContents[page](ctx)}</main>
      ${footer(ctx, this.print)} ${presetLibrary(ctx)} ${this.announcer}`;
  }

  /** The notes on parts that load, and on words of a link that could not be read. */
  private renderNews(ctx: RenderContext): TemplateResult {
    return html`${this.renderProgress(ctx)}
    ${problems(
      ctx,
      this.problems,
      () => (this.problems = []),
      (problem, reading) => this.mend(problem, reading),
    )}`;
  }

  /** The answers, each with what it means and how it comes about. */
  private renderFound(
    now: RenderContext,
    found: Found | undefined,
    rows: readonly Row[],
  ): TemplateResult {
    if (!found) {
      return this.pending
        ? html`<p class="waiting">${now.text.ui.seeking}</p>`
        : html`<div class="found">${unanswered(now)}</div>`;
    }
    const { answered: ctx, results } = found;
    const view = viewOf(ctx);
    const { stale } = results;
    return html`<div
      class="found"
      ?data-stale=${stale}
      .style=${stale ? `min-height: ${this.heightOf('.found')}px` : ''}
      aria-busy=${this.pending}
    >
      ${
        view.picture && !view.chartsInSight && !ctx.hides(...results.keys)
          ? view.figures?.(ctx, results)
          : nothing
      }
      ${answers(ctx, results, rows)}
    </div>`;
  }

  /** The height of what is drawn now: what follows stays where it is while answers are blank. */
  private heightOf(selector: string): number {
    return this.renderRoot.querySelector<HTMLElement>(selector)?.offsetHeight ?? 0;
  }

  private renderHeader(ctx: RenderContext): TemplateResult {
    return html`${header(ctx, this.theme, this.roomy.matches, {
      linkOf: (there) => this.linkOf(there),
      speak: (language) => this.chooseLanguage(language),
      paint: (theme) => this.paint(theme),
    })}
    ${welcome(ctx, 'above')}`;
  }

  /** Keeps the document's shell until texts have loaded, and says so if they fail. */
  private renderShell(): TemplateResult {
    if (this.texts.state !== 'failed') return html`<slot></slot>`;
    const { notLoaded, retry } = languageInfo(this.wanted);
    return html`<p class="failed" role="alert">
      ${notLoaded}
      <button type="button" class="retry" @click=${() => this.texts.retry(this)}>${retry}</button>
    </p>`;
  }

  /** Shows loading progress that has no other place. */
  private renderProgress(ctx: RenderContext): unknown {
    const speaks = this.wanted === this.language;
    return html`${speaks ? nothing : progressOf(ctx, this.texts)} ${progressOf(ctx, ...this.wished)}
    ${libraryProgress(ctx)}`;
  }

  private printed(): Printed | undefined {
    const ctx = this.contextOf(this.state);
    const found = ctx && this.ready && !ctx.state.page ? this.results(ctx) : undefined;
    return found && !found.results.stale
      ? { ctx: found.answered, results: found.results, root: this.shadowRoot! }
      : undefined;
  }

  private readonly print = (): void => {
    const printed = this.printed();
    if (printed) void print(printed);
    else window.print();
  };

  private paint(theme: Theme): void {
    remember('theme', theme);
    this.theme = theme;
  }
}

/** Some hosts strip the hash or the query, and some add their own parameters to the query. */
const linkHere = (): string => location.hash.slice(1) || location.search.slice(1);
