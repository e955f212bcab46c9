import { html, nothing, type TemplateResult } from 'lit';
import { recall, remember } from '../../../dom/storage.ts';
import { examples, type Question } from '../../../model/views.ts';
import { initialState, landing, type State } from '../../../model/state.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** Where it stands: below the answers on a first visit, above them once it is asked for. */
const places = { below: 'welcome', above: 'welcome above' } as const;
const seen = 'welcome';

/** Whether the reader comes for the first time, and not by a link that shows something. */
export const isFirstVisit = (state: State): boolean => state === landing && recall(seen) === null;

/** The welcome: the purpose of the page, first examples, and the sources of its numbers. */
export function welcome(
  ctx: RenderContext,
  place: keyof typeof places,
): TemplateResult | typeof nothing {
  const { text } = ctx;
  if (!ctx.open.has(places[place])) return nothing;
  const words = text.welcome;
  const labels = examples.map(([, link]) => labelOf(ctx, new URLSearchParams(link)));
  const isFurther = (index: number): boolean => index > 0 && labels[index] === labels[index - 1];
  const choose = (event: Event): void => {
    const link = (event.target as Element).closest('a');
    if (!link) return;
    const view = new URLSearchParams(link.hash.slice(1)).get('view') ?? initialState.view;
    focusQuestion(link.getRootNode() as ShadowRoot, view);
    closeWelcome(ctx);
    // The answer is seen, whatever was seen before.
    scrollTo(0, 0);
  };
  return html`<section class="welcome" aria-label=${words.title}>
    <p>${words.does}</p>
    <ul aria-label=${words.examples} @click=${choose}>
      ${examples.map(
        ([example, link], index) =>
          html`<li class=${isFurther(index) && place === 'below' ? 'further' : nothing}>
            <span class="view">${isFurther(index) ? nothing : labels[index]}</span>
            <a href="#${link}">${words[example]}</a>
          </li>`,
      )}
    </ul>
    <p class="from">
      ${interpolate<TemplateResult | string>(words.sources, { book: book() })}
      <button type="button" @click=${() => closeWelcome(ctx)}>${text.ui.dismiss}</button>
    </p>
  </section>`;
}

/** What a link shows: a view, or several answers. */
const labelOf = ({ text: { ui } }: RenderContext, link: URLSearchParams): string =>
  link.has('sides') ? ui.sides : ui.views[link.get('view') as Question];

/** The reader has understood, or goes on to something. */
export function closeWelcome({ open, actions }: RenderContext): void {
  remember(seen, 'seen');
  for (const part of Object.values(places)) if (open.has(part)) actions.toggle(part);
}

/** Frames to wait for a view that is loaded first. */
const mostFrames = 300;

/** Moves the focus, which the welcome takes along, to the chosen content once it is drawn. */
function focusQuestion(root: ShadowRoot, view: string, frames = mostFrames): void {
  requestAnimationFrame(() => {
    const question = root.querySelector<HTMLElement>(`.question[data-question="${view}"]`);
    if (question) {
      question.tabIndex = -1;
      question.focus({ preventScroll: true });
    } else if (frames > 0 && !root.activeElement) focusQuestion(root, view, frames - 1);
  });
}

/** Brings it back, above the question, or puts it away. */
export function examplesButton(ctx: RenderContext): TemplateResult {
  const isOpen = ctx.open.has(places.above);
  const show = (event: Event): void => {
    closeWelcome(ctx);
    if (isOpen) return;
    ctx.actions.toggle(places.above);
    const root = (event.target as Element).getRootNode() as ShadowRoot;
    // The focus waits until the examples are drawn.
    requestAnimationFrame(() => root.querySelector<HTMLElement>('.welcome a')?.focus());
  };
  return html`<button type="button" data-examples aria-expanded=${isOpen} @click=${show}>
    ${ctx.text.welcome.examples}
  </button>`;
}

export const book = (): TemplateResult =>
  html`<a href="https://jax-ml.github.io/scaling-book/" rel="noreferrer" target="_blank"
    >How to Scale Your Model</a
  >`;
