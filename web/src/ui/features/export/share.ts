import { html, nothing, type TemplateResult } from 'lit';
import { Feature } from '../../kit/lazily.ts';
import type { Scope } from '../../kit/scope.ts';
import { isReady } from '../../parts/view.ts';

const part = 'share';

const dialog = new Feature(() => import('./dialog.ts'), 'share');

/** Opens what hands the present state out, which loads on first use. */
export function shareButton(scope: Scope): TemplateResult {
  const toggle = (): void => scope.actions.toggle(part);
  return html`<button
      type="button"
      aria-haspopup="dialog"
      data-share
      ?disabled=${!isReady(scope)}
      @click=${toggle}
    >
      ${scope.text.ui.use}
    </button>
    ${
      scope.open.has(part)
        ? dialog.show(
            scope,
            (words) =>
              html`<scaling-share
                .scope=${scope}
                .texts=${words}
                @close=${toggle}
              ></scaling-share>`,
          )
        : nothing
    }`;
}
