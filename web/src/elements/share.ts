import { html, nothing, type TemplateResult } from 'lit';
import type { Scope } from './scope.ts';

const part = 'share';

/** Opens what hands the present state out; that is brought when it is first asked for. */
export function shareButton(scope: Scope): TemplateResult {
  const open = async (): Promise<void> => {
    await import('./share/dialog.ts').then(
      () => scope.actions.toggle(part),
      () => scope.actions.toggle(`${part} failed`),
    );
  };
  const failed = scope.open.has(`${part} failed`);
  return html`<button type="button" aria-haspopup="dialog" data-share @click=${open}>
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
