// Side by side, in the script of plans.

import { Feature } from '../ui/kit/lazily.ts';
import { html } from 'lit';
import { afterPresets } from '../model/presets.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import '../ui/features/compare/sides.ts';

const beside = new Feature(() => afterPresets(() => Promise.resolve(true)), 'sides');

/** Nothing unless the state asks for it. */
export const sideBySide = (ctx: RenderContext): unknown =>
  ctx.state.charts.sides === undefined
    ? undefined
    : beside.show(
        ctx,
        (words) => html`<scaling-sides .ctx=${ctx} .words=${words}></scaling-sides>`,
      );
