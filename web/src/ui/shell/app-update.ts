import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../dom/define.ts';
import { data, version } from 'virtual:version';
import { Lazy } from '../../engine/lazy.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { LightElement } from '../kit/light-element.ts';

/** The version of the page, and an offer to load a newer one. */
export function appUpdate(ctx: RenderContext): TemplateResult {
  define('scaling-renewal', AppUpdate);
  return html`<scaling-renewal .ctx=${ctx}></scaling-renewal>`;
}

/** Delay before the page is kept for offline use, so that it does not slow the first view [ms]. */
const pause = 1000;

/** Brings a newer version up, once there is one. */
let renew: (() => void) | undefined;
const shown = new Set<AppUpdate>();

/** The service worker is registered once, however often the page is rendered. */
const keeping = new Lazy(async () => {
  const { keepOffline } = await import('../../pwa/register.ts');
  await keepOffline((by) => {
    renew = by;
    for (const each of shown) each.requestUpdate();
  });
  return true;
});

/** Keeps the page for days without a network. Renders into its parent's tree. */
class AppUpdate extends LightElement {
  static override properties: PropertyDeclarations = { ctx: { attribute: false } };

  declare ctx: RenderContext;

  override connectedCallback(): void {
    super.connectedCallback();
    shown.add(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    shown.delete(this);
  }

  protected override firstUpdated(): void {
    // A frame is its host's, and the page in one file is kept as a file.
    if (import.meta.env.MODE !== 'production' || self !== top) return;
    // The page works without workers or storage, as long as there is a network.
    setTimeout(() => keeping.get().catch(() => undefined), pause);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { ui } = this.ctx.text;
    return html`<p class="version">${this.ctx.fill(ui.version, { version, data })}</p>
      <p class=${renew ? 'renewal' : 'hidden'} role="status">
        ${
          renew
            ? html`${ui.newVersion} <button type="button" @click=${renew}>${ui.reload}</button>`
            : nothing
        }
      </p>`;
  }
}
