import { LitElement, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { data, version } from 'virtual:version';
import type { Scope } from './scope.ts';

/** Which version this is, and, once there is a newer one, the way to it. */
export function renewal(scope: Scope): TemplateResult {
  // Here, so that scripts which show no footer leave it out.
  if (!customElements.get('scaling-renewal')) customElements.define('scaling-renewal', Renewal);
  return html`<scaling-renewal .scope=${scope}></scaling-renewal>`;
}

/** What the reader waits for comes first. */
const pause = 1000;

/** Keeps the page for days without a network. Renders into its parent's tree. */
class Renewal extends LitElement {
  static override properties: PropertyDeclarations = {
    scope: { attribute: false },
    renew: { state: true },
  };

  declare scope: Scope;
  /** Brings the newer version up. */
  declare private renew: (() => void) | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    // A frame is its host's, and the page in one file is kept as a file.
    if (import.meta.env.MODE !== 'production' || self !== top) return;
    setTimeout(() => void this.keep(), pause);
  }

  private async keep(): Promise<void> {
    try {
      const { keepOffline } = await import('../offline/register.ts');
      await keepOffline((renew) => (this.renew = renew));
    } catch {
      // Workers or storage are refused: the page works as long as there is a network.
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { ui } = this.scope.text;
    return html`<p class="version">${this.scope.fill(ui.version, { version, data })}</p>
      <p class=${this.renew ? 'renewal' : 'hidden'} role="status">
        ${
          this.renew
            ? html`${ui.newVersion}
                <button type="button" @click=${this.renew}>${ui.reload}</button>`
            : nothing
        }
      </p>`;
  }
}
