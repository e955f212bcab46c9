import { html, nothing, type TemplateResult } from 'lit';
import { Feature } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isReady } from '../../parts/view.ts';

const part = 'share';

const dialog = new Feature(() => import('./dialog.ts'), 'share');

/** Opens what hands the present state out, which loads on first use. */
export function shareButton(ctx: RenderContext): TemplateResult {
  const toggle = (): void => ctx.actions.toggle(part);
  return html`<button
      type="button"
      aria-haspopup="dialog"
      data-share
      ?disabled=${ctx.state.page === undefined && !isReady(ctx)}
      @click=${toggle}
    >
      ${ctx.text.ui.use}
    </button>
    ${
      ctx.open.has(part)
        ? dialog.show(ctx, (words, { shareDialog }) => shareDialog(ctx, words, toggle))
        : nothing
    }`;
}
