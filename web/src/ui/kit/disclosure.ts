import { html, nothing, type TemplateResult } from 'lit';
import type { RenderContext } from './render-context.ts';

interface Disclosure {
  /** Names it among all that can open. */
  part: string;
  kind: string;
  summary: TemplateResult;
  /** Open whether the reader asked or not, e.g. because there is a mistake inside. */
  forced?: boolean;
}

/** Something that opens in place. Its content is made only while it is open. */
export function disclosure(
  ctx: RenderContext,
  { part, kind, summary, forced = false }: Disclosure,
  content: () => unknown,
): TemplateResult {
  const open = forced || ctx.open.has(part);
  const onToggle = (event: Event): void => {
    const now = (event.target as HTMLDetailsElement).open;
    if (now !== ctx.open.has(part)) ctx.actions.toggle(part);
  };
  return html`<details class=${kind} data-part=${part} .open=${open} @toggle=${onToggle}>
    <summary>${summary}</summary>
    ${open ? content() : nothing}
  </details>`;
}
