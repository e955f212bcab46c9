import { html, nothing, type TemplateResult } from 'lit';
import { Feature } from '../../kit/lazily.ts';
import type { Scope } from '../../kit/scope.ts';
import { hasView } from '../../parts/view.ts';

const part = 'share';

/** Whether all has come that the present question is said and answered with. */
export const isReady = ({ state: { view }, text }: Scope): boolean =>
  hasView(view) && (view !== 'plan' || 'layout' in text.fields);

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
