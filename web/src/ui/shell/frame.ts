// The header, the footer and the list of link problems.

import { html, nothing, type TemplateResult } from 'lit';
import type { Problem, Reading } from '../../link/address.ts';
import { Lazy } from '../../engine/lazy.ts';
import { groupsOf } from '../../engine/question-groups.ts';
import { splitId } from '../../model/fields.ts';
import { ownValue } from '../../model/own-value.ts';
import { countedAs, countingOf, withView, type State } from '../../model/state.ts';
import { isPage, pages, tabOf, tabs, type Page, type Question } from '../../model/views.ts';
import { languages, languageInfo, tagOf, type Language } from '../../i18n/language.ts';
import { interpolate } from '../../i18n/interpolate.ts';
import { foldPart, isOpen } from '../parts/folds.ts';
import { appUpdate } from './app-update.ts';
import { chipsOf } from '../kit/title.ts';
import { sayProblem } from '../kit/link-problem.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { shareButton } from '../features/export/share.ts';
import { inFull } from '../features/report/printed.ts';
import { book, examplesButton } from '../features/examples/welcome.ts';

export type Theme = 'auto' | 'light' | 'dark';
export const themes: readonly Theme[] = ['auto', 'light', 'dark'];
const signs: Readonly<Record<Theme, string>> = { auto: '◐', light: '○', dark: '●' };

/** Link problems to list; a garbled link can have hundreds. */
const problemsShown = 5;

/** The questions stand beside the name where there is room for all of them. */
export const besideName = '(min-width: 1120px)';

interface HeaderActions {
  linkOf(state: State): string;
  speak(language: Language): void;
  paint(theme: Theme): void;
}

/** Lets keyboard users skip to the assumptions, far down the page. */
export function skipLinks(ctx: RenderContext): TemplateResult {
  const { text } = ctx;
  const skip = (event: Event): void => {
    event.preventDefault(); // the address holds the state
    const root = (event.currentTarget as Element).getRootNode() as ShadowRoot;
    if (!isOpen(ctx, 'assumptions')) ctx.actions.toggle(foldPart('assumptions'));
    root.querySelector<HTMLElement>(`[data-part="${foldPart('assumptions')}"] > summary`)?.focus();
  };
  return html`<nav aria-label=${text.ui.skip}>
    <a class="hidden skip" href="#assumptions" @click=${skip}>${text.ui.skip}</a>
  </nav>`;
}

/** The state at another question, counted as before: the number of chips that was entered goes along
 * where that question asks for one, and has none of its own. */
function onward(ctx: RenderContext, view: Question | Page): State {
  const { state } = ctx;
  const next = countedAs(countingOf(state), withView(state, view));
  const [from, key] = splitId(chipsOf(state));
  const [to, field] = splitId(chipsOf(next));
  const chips = ownValue(state.edits[from], key);
  const takes = !isPage(view) && groupsOf[view].includes(to) && groupsOf[state.view].includes(from);
  if (!takes || chips === undefined || Object.hasOwn(next.edits[to], field)) return next;
  // What trains a model in days would serve its users a thousand times over.
  if (to !== from && Number(chips) > Number(ctx.value('chip.scaleUpChips'))) return next;
  return { ...next, edits: { ...next.edits, [to]: { ...next.edits[to], [field]: chips } } };
}

/** The header, in the order in which it is drawn, which Tab goes by. */
export function header(
  ctx: RenderContext,
  theme: Theme,
  isBeside: boolean,
  actions: HeaderActions,
): TemplateResult {
  const parts = [questionLinks(ctx, actions), settings(ctx, theme, actions)];
  return html`<header ?data-beside=${isBeside}>
    <h1>${ctx.text.ui.title}</h1>
    ${isBeside ? parts : parts.reverse()}
  </header>`;
}

function questionLinks(ctx: RenderContext, actions: HeaderActions): TemplateResult {
  const { text, state } = ctx;
  const there = (view: Question | Page): State => onward(ctx, view);
  const present = state.page ?? tabOf(state.view);
  return html`<nav aria-label=${text.ui.questions}>
    ${[...tabs, ...pages].map(
      (view) =>
        html`<a
          href="#${actions.linkOf(there(view))}"
          aria-current=${view === present ? 'page' : nothing}
          data-view=${view}
          @click=${(event: Event) => {
            event.preventDefault();
            ctx.actions.go(there(view));
          }}
          >${text.ui.views[view]}</a
        >`,
    )}
    ${examplesButton(ctx)}
  </nav>`;
}

function settings(ctx: RenderContext, theme: Theme, actions: HeaderActions): TemplateResult {
  const { ui } = ctx.text;
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return html`<div class="settings">
    ${shareButton(ctx)} ${languageChoice(ctx, actions)}
    <button
      type="button"
      data-theme=${theme}
      aria-label="${ui.theme}: ${ui.themes[theme]}"
      title="${ui.theme}: ${ui.themes[theme]}"
      @click=${() => actions.paint(nextTheme)}
    >
      <span aria-hidden="true">${signs[theme]}</span>
    </button>
  </div>`;
}

/** One other language is a button; more are a list. */
function languageChoice(ctx: RenderContext, { speak }: HeaderActions): TemplateResult {
  const others = languages.filter((each) => each !== ctx.language);
  if (others.length === 1) {
    const [other] = others as [Language];
    return html`<button
      type="button"
      data-language=${other}
      lang=${tagOf(other)}
      @click=${() => speak(other)}
    >
      ${languageInfo(other).name}
    </button>`;
  }
  return html`<select
    data-languages
    aria-label=${ctx.text.ui.language}
    @change=${(event: Event) => speak((event.target as HTMLSelectElement).value)}
  >
    ${languages.map(
      (each) =>
        html`<option value=${each} lang=${tagOf(each)} .selected=${each === ctx.language}>
          ${languageInfo(each).name}
        </option>`,
    )}
  </select>`;
}

/** What was probably meant: few links have problems. */
const guessing = new Lazy(() => import('../../link/meant.ts'));

/** The parts of a link that could not be read. */
export function problems(
  ctx: RenderContext,
  found: readonly Problem[],
  dismiss: () => void,
  mend: (problem: Problem, reading: Reading) => void,
): TemplateResult | typeof nothing {
  if (found.length === 0) return nothing;
  const { description, state, text } = ctx;
  const { ui } = text;
  const guesses = guessing.use(ctx.actions);
  const offer = (problem: Problem): TemplateResult | typeof nothing => {
    const meant = guesses?.meantBy(description, problem);
    if (!meant) return nothing;
    const [key, value] = meant;
    const opens = problem.reason === 'otherView' && key === 'view';
    const said = opens || problem.reason === 'badValue' ? value : key;
    return html`<button
      type="button"
      data-meant=${said}
      @click=${() => mend(problem, guesses!.meaning(description, state, meant, problem))}
    >
      ${
        opens
          ? ctx.fill(ui.linkView, { view: ui.views[said as Question] })
          : ctx.fill(ui.linkMeant, { meant: said })
      }
    </button>`;
  };
  const more = found.length - problemsShown;
  return html`<aside class="problems" aria-label=${ui.linkProblems}>
    <p>${ui.linkProblems}</p>
    <ul>
      ${found
        .slice(0, problemsShown)
        .map((problem) => html`<li>${sayProblem(ctx, problem)} ${offer(problem)}</li>`)}
      ${more > 0 ? html`<li>${ctx.fill(ui.andMore, { n: String(more) })}</li>` : nothing}
    </ul>
    <button type="button" @click=${dismiss}>${ui.dismiss}</button>
  </aside>`;
}

export function footer(ctx: RenderContext, print: () => void): TemplateResult {
  const { text } = ctx;
  return html`<footer>
    <p>${interpolate<unknown>(text.ui.about, { book: book(), privacy: text.ui.privacy })}</p>
    <p class="also">
      <button type="button" @click=${print}>${text.report.print}</button>
      ${
        ctx.state.page
          ? nothing
          : html`<label
              ><input
                type="checkbox"
                data-full
                .checked=${ctx.open.has(inFull)}
                @change=${() => ctx.actions.toggle(inFull)}
              />
              ${text.report.full}</label
            >`
      }
    </p>
    ${appUpdate(ctx)}
  </footer>`;
}
