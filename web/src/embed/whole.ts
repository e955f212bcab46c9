// The calculator of all views, inside an element or as the page of a frame.

import { createEngine, type Engine } from '../engine/index.ts';
import { define } from '../dom/define.ts';
import { partOf, type Dictionary } from '../i18n/dictionary.ts';
import type { Question } from '../model/views.ts';
import { sideBySide } from '../ui/features/compare/compare.ts';
import type { DrawDerivation, RenderContext } from '../ui/kit/render-context.ts';
import { loadDerivationDrawing } from '../ui/shell/load-derivations.ts';
import { addPageViews, loadView } from '../ui/views/registry.ts';
import { Embedded } from './embedded.ts';

addPageViews();

export class Whole extends Embedded {
  protected override startEngine(): Promise<Engine> {
    return createEngine();
  }

  protected override loadView(view: Question, engine: Engine): Promise<void> {
    return loadView(view, engine);
  }

  protected override renderBeside(ctx: RenderContext): unknown {
    return sideBySide(ctx);
  }

  protected override loadDerivations(engine: Engine): Promise<DrawDerivation> {
    return loadDerivationDrawing(engine, this.language);
  }

  protected override sourceTitles(): Dictionary['sources'] {
    return partOf(this.language, 'sources').use(this);
  }
}

define('scaling-calculator-whole', Whole);
