import { html, nothing, type TemplateResult } from 'lit';
import { Feature } from '../../kit/lazily.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isReady } from '../../parts/view.ts';

const part = 'share';

const dialog = new Feature(() => import('./dialog.ts'), 'share');

/** A page that asks nothing is there at once; a question, once its view is. */
export const canShare = (ctx: RenderContext): boolean =>
  ctx.state.page !== undefined || isReady(ctx);

/** Opens what hands the present state out, which loads on first use. */
export function shareButton(ctx: RenderContext): TemplateResult {
  const toggle = (): void => ctx.actions.toggle(part);
  return html`<button
      type="button"
      aria-haspopup="dialog"
      data-share
      ?disabled=${!canShare(ctx)}
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
