import { html, nothing, type TemplateResult } from 'lit';
import type { Scope } from './scope.ts';
import { hasView } from './view.ts';

const part = 'share';

/** Whether all has come that the present question is said and answered with. */
export const isReady = ({ state: { view }, text }: Scope): boolean =>
  hasView(view) && (view !== 'plan' || 'layout' in text.fields);

/** Opens what hands the present state out; that is brought when it is first asked for. */
export function shareButton(scope: Scope): TemplateResult {
  const open = async (): Promise<void> => {
    await import('./share/dialog.ts').then(
      () => scope.actions.toggle(part),
      () => scope.actions.toggle(`${part} failed`),
    );
  };
  const failed = scope.open.has(`${part} failed`);
  return html`<button
      type="button"
      aria-haspopup="dialog"
      data-share
      ?disabled=${!isReady(scope)}
      @click=${open}
    >
      ${scope.text.ui.use}
    </button>
    ${failed ? html`<span role="alert">${scope.text.ui.notLoaded}</span>` : nothing}
    ${
      scope.open.has(part)
        ? html`<scaling-share
            .scope=${scope}
            @close=${() => scope.actions.toggle(part)}
          ></scaling-share>`
        : nothing
    }`;
}
