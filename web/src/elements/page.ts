import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { createEngine, type Engine } from '../engine/index.ts';
import { readAddress, writeAddress } from '../state/address.ts';
import { ask } from '../state/ask.ts';
import { History } from '../state/history.ts';
import { recall, remember } from '../state/memory.ts';
import type { State } from '../state/state.ts';
import { languages, tagOf, type Language } from '../text/language.ts';
import { answers } from './answers.ts';
import { assumptions } from './assumptions.ts';
import { bringPlans, bringReasons } from './bring.ts';
import { Calculator } from './calculator.ts';
import { collective } from './collective.ts';
import { comparison, overviews } from './compare.ts';
import { examplesPanel } from './examples.ts';
import { footer, header, problems, themes, type Theme } from './frame.ts';
import { hides } from './guess.ts';
import { offers } from './offers.ts';
import { operation } from './operation.ts';
import { catchDrops, ownThings } from './own.ts';
import { catchPrints, print, type Printed } from './print.ts';
import { question } from './question.ts';
import type { Results } from './results.ts';
import type { Scope } from './scope.ts';
import { bringTerms } from './term.ts';
import { training } from './training.ts';
import { addViews, viewOf } from './view.ts';
import { isFirstVisit, welcome } from './welcome.ts';

addViews({ training, operation, collective });

/** The page: its state is in the address bar, and the document takes on its language and theme. */
export class ScalingPage extends Calculator {
  /** The language that the link asks for, and goes on asking for until the reader chooses. */
  private linkLanguage: Language | undefined;
  private readonly travel = new History(() => this.readLocation());
  private forgetDrops: (() => void) | undefined;
  private forgetPrints: (() => void) | undefined;

  override connectedCallback(): void {
    this.theme = themes.find((theme) => theme === recall('theme')) ?? 'auto';
    super.connectedCallback();
    this.travel.connect();
    this.forgetDrops = catchDrops(() => this.scopeOf(this.state));
    this.forgetPrints = catchPrints(() => this.printed());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.travel.disconnect();
    this.forgetDrops?.();
    this.forgetPrints?.();
  }

  protected override startEngine(): Promise<Engine> {
    return createEngine();
  }

  protected override wishes(): (string | null)[] {
    const linked = new URLSearchParams(location.hash.slice(1)).get('lang');
    return [linked, recall('language'), ...navigator.languages];
  }

  protected override begin(): void {
    this.readLocation();
    if (isFirstVisit(this.state)) this.toggle('welcome');
    bringTerms(() => this.refresh());
  }

  protected override bringPlans(engine: Engine): Promise<void> {
    return bringPlans(engine);
  }

  protected override bringReasons(engine: Engine): Promise<void> {
    return bringReasons(engine);
  }

  private readLocation(): void {
    if (!this.engine) return;
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

  protected override changed(state: State, edit?: string): void {
    this.travel.write(this.linkOf(state), edit);
  }

  protected override settled(): void {
    this.travel.settle();
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

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!this.dictionary) return;
    const root = document.documentElement;
    root.lang = tagOf(this.language);
    root.dataset['theme'] = this.theme;
    document.title = this.dictionary.ui.title;
  }

  protected override render(): TemplateResult {
    const { reply } = this.findings;
    if (this.failed) return html`<p class="failed">${this.dictionary?.ui.noEngine}</p>`;
    const scope = this.scopeOf(this.state);
    if (!scope) return html`<slot></slot>`;
    if (!this.ready || !reply) return this.renderWait(scope);
    const view = viewOf(scope);
    const found = this.results(scope);
    const open = offers(scope, (candidate) => ask(scope.engine, candidate), scope.issues, reply);
    const { text } = scope;
    return html`
      ${this.renderHeader(scope)} ${welcome(scope)}
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
        ${found ? this.renderFound(scope, found.answered, found.results) : nothing}
        ${found && hides(found.answered, ...found.results.keys) ? nothing : view.beyond?.(scope)}
        <div class="more">${assumptions(scope)} ${examplesPanel(scope)}</div>
        ${overviews(scope)}
      </main>
      ${footer(scope, this.print)} ${ownThings(scope)}
      <div class="hidden" aria-live="polite"></div>
    `;
  }

  /** The answers, with what they are for, and how they compare with what is kept. */
  private renderFound(now: Scope, scope: Scope, results: Results): TemplateResult {
    const view = viewOf(scope);
    const { stale } = results;
    return html`<p class="summary" ?data-stale=${stale}>${view.summary(scope, results)}</p>
      <p class="summary place" aria-hidden="true">${view.summary(scope, results)}</p>
      <div class="found" ?data-stale=${stale}>
        ${stale ? html`<p class="stale">${scope.text.ui.stale}</p>` : nothing}
        ${comparison(now, results)}
        ${hides(scope, ...results.keys) ? nothing : view.figures?.(scope, results)}
        ${answers(scope, results)}
      </div>`;
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
    return html`${this.renderHeader(scope)} ${welcome(scope)}
      <main>
        <p class="waiting" aria-live="polite">
          ${this.plans === 'failed' ? ui.notLoaded : ui.loading}
        </p>
        <div class="more">${examplesPanel(scope)}</div>
      </main>
      ${footer(scope, this.print)}`;
  }

  private printed(): Printed | undefined {
    const scope = this.scopeOf(this.state);
    const found = scope && this.ready ? this.results(scope) : undefined;
    return found && { scope: found.answered, results: found.results, root: this.shadowRoot! };
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

customElements.define('scaling-page', ScalingPage);
