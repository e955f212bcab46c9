// Side by side, in the scripts that have it.

import { define } from '../dom/define.ts';
import { Feature } from '../ui/kit/lazily.ts';
import { afterPresets } from '../model/presets.ts';
import type { Bundle } from '../model/views.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import { SideBySide } from '../ui/features/compare/sides-part.ts';

const feature = new Feature(() => afterPresets(() => Promise.resolve(true)), 'sides');

/**
 * The answers of one calculator beside each other. Each script has an element of its own name: one of
 * another script would ask that script's part of the engine.
 */
export class Beside {
  private readonly tag: string;
  private element: SideBySide | undefined;

  constructor(bundle: Bundle) {
    this.tag = `scaling-sides-of-${bundle}`;
    define(this.tag, class extends SideBySide {});
  }

  /** Nothing unless the state asks for it. */
  show(ctx: RenderContext): unknown {
    if (ctx.state.charts.sides === undefined) return undefined;
    return feature.show(ctx, (words) => {
      this.element ??= document.createElement(this.tag) as SideBySide;
      return Object.assign(this.element, { ctx, words });
    });
  }
}
