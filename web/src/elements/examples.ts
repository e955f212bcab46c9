import { html, type TemplateResult } from 'lit';
import { writeAddress } from '../state/address.ts';
import type { WorkedExample } from '../state/examples.ts';
import type { State } from '../state/state.ts';
import { disclosure } from './disclosure.ts';
import type { Scope } from './scope.ts';

// The questions and what draws them are fetched when the panel opens.
let list: typeof import('./examples-list.ts') | undefined;

async function load(): Promise<void> {
  list ??= await import('./examples-list.ts');
}

/** The worked questions: each loads its state, and keeps its answer until it is guessed. */
export function examplesPanel(scope: Scope): TemplateResult {
  const { text } = scope;
  return html`<section class="examples" aria-labelledby="examples">
    <h2 id="examples">${text.examples.title}</h2>
    ${disclosure(
      scope,
      {
        part: 'panel examples',
        kind: 'panel',
        summary: html`<span class="title">${text.examples.panel}</span>
          <span class="gist">${text.examples.gist}</span>`,
      },
      () => {
        void load();
        return html`<scaling-examples .scope=${scope}></scaling-examples>`;
      },
    )}
  </section>`;
}

/** Parts of the page, by which it keeps what is open and what was answered. */
export const openPart = (id: string): string => `example ${id}`;
export const answeredPart = (id: string): string => `answered ${id}`;

const links = new WeakMap<State, string>();

/** The state as a link holds it, whatever the charts show. */
export function linkOf({ description, state }: Scope): string {
  const link = links.get(state) ?? writeAddress(description, { ...state, charts: {} });
  links.set(state, link);
  return link;
}

/** The question that waits for a guess, if the page's state is its own. */
function waiting(scope: Scope): WorkedExample | undefined {
  const { open } = scope;
  const asked = list
    ?.readExamples(scope.description)
    .find(({ id }) => open.has(openPart(id)) && !open.has(answeredPart(id)));
  return asked?.link === linkOf(scope) ? asked : undefined;
}

/** Whether any of these answers is just being asked for, and should not be shown. */
export function hides(scope: Scope, ...answers: string[]): boolean {
  const answer = waiting(scope)?.answer;
  return answer !== undefined && answers.includes(answer);
}

/** What the book says of an answer to the page's state, where that differs or needs a word. */
export function bookNote(scope: Scope, answer: string): string | undefined {
  const notes: Partial<Record<string, Partial<Record<string, string>>>> = scope.text.examples.notes;
  const note = notes[linkOf(scope)]?.[answer];
  return note !== undefined && !hides(scope, answer) ? note : undefined;
}
