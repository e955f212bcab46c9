import { html, nothing, type TemplateResult } from 'lit';
import type { Scope } from './scope.ts';

interface Disclosure {
  /** Names it among all that can open. */
  part: string;
  kind: string;
  summary: TemplateResult;
  /** Open whether the reader asked or not, e.g. because there is a mistake inside. */
  forced?: boolean;
}

/** Something that opens in place. What is inside is made only while it is open. */
export function disclosure(
  scope: Scope,
  { part, kind, summary, forced = false }: Disclosure,
  content: () => unknown,
): TemplateResult {
  const open = forced || scope.open.has(part);
  const onToggle = (event: Event): void => {
    const now = (event.target as HTMLDetailsElement).open;
    if (now !== scope.open.has(part)) scope.actions.toggle(part);
  };
  return html`<details class=${kind} data-part=${part} .open=${open} @toggle=${onToggle}>
    <summary>${summary}</summary>
    ${open ? content() : nothing}
  </details>`;
}
