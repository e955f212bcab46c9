import { html, nothing, type TemplateResult } from 'lit';
import { recall, remember } from '../state/memory.ts';
import { initialState, type State } from '../state/state.ts';
import { weave } from '../text/weave.ts';
import type { Scope } from './scope.ts';

const part = 'welcome';

/** One for each view that has its own kind of answer. */
const examples = {
  training: 'chip=h100-sxm&model=llama-3.1-8b&chips=8&tokens=160B&batch=256K',
  plan: 'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T&batch=16M&sequence=8192',
  operation: 'view=operation&chip=tpu-v5e',
};

/** Whether the reader comes for the first time, and not by a link that shows something. */
export const isFirstVisit = (state: State): boolean =>
  state === initialState && recall(part) === null;

/** What the page is, what to try, and where its numbers come from. */
export function welcome(scope: Scope): TemplateResult | typeof nothing {
  const { text, actions } = scope;
  if (!scope.open.has(part)) return nothing;
  const words = text.welcome;
  const understood = (): void => remember(part, 'seen');
  const close = (): void => {
    understood();
    actions.toggle(part);
  };
  return html`<aside class="welcome" aria-label=${words.title}>
    <p>${words.does}</p>
    <ul aria-label=${words.examples} @click=${understood}>
      ${(['training', 'plan', 'operation'] as const).map(
        (view) =>
          html`<li>
            <span class="view">${text.ui.views[view]}</span>
            <a href="#${examples[view]}">${words[view]}</a>
          </li>`,
      )}
    </ul>
    <p class="from">
      ${weave<TemplateResult | string>(words.sources, { book: book() })}
      <button type="button" @click=${close}>${text.ui.dismiss}</button>
    </p>
  </aside>`;
}

/** Brings it back. */
export function aboutButton({ text, open, actions }: Scope): TemplateResult {
  const show = (event: Event): void => {
    if (!open.has(part)) actions.toggle(part);
    const root = (event.target as Element).getRootNode() as ShadowRoot;
    // Once it is drawn.
    requestAnimationFrame(() => root.querySelector<HTMLElement>(`.${part} a`)?.focus());
  };
  return html`<button type="button" @click=${show}>${text.welcome.title}</button>`;
}

export const book = (): TemplateResult =>
  html`<a href="https://jax-ml.github.io/scaling-book/" rel="noreferrer" target="_blank"
    >How to Scale Your Model</a
  >`;
