// The calculator of all views, inside an element or as the page of a frame.

import { sharedFeatures } from '../ui/shell/features.ts';
import { sideBySide } from '../ui/features/compare/compare.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import { Embedded } from './embedded.ts';

export class Whole extends Embedded {
  protected readonly features = sharedFeatures;

  protected override renderBeside(ctx: RenderContext): unknown {
    return sideBySide(ctx);
  }
}
