// The calculator of all views, inside an element or as the page of a frame.

import { createEngine, type Engine } from '../engine/index.ts';
import { define } from '../dom/define.ts';
import { partOf, type Dictionary } from '../i18n/dictionary.ts';
import { namedLater } from '../link/address.ts';
import type { Question } from '../model/views.ts';
import { sideBySide } from '../ui/features/compare/compare.ts';
import type { DrawDerivation, RenderContext } from '../ui/kit/render-context.ts';
import { loadDerivationDrawing } from '../ui/shell/load-derivations.ts';
import { addPageViews, loadView } from '../ui/views/registry.ts';
import { Embedded } from './embedded.ts';
import type { Settings } from './settings.ts';

addPageViews();

export class Whole extends Embedded {
  /** The settings that were asked for last; those shown may wait for what describes their fields. */
  private newest: Settings | undefined;

  override ask(settings: Settings): void {
    this.newest = settings;
    const show = (): void => {
      if (this.newest === settings) super.ask(settings);
    };
    if (this.engine && namedBy(this.engine, settings).length > 0) {
      void loadNamed(this.engine, settings).then(show, show);
    } else show();
  }

  protected override async startEngine(): Promise<Engine> {
    const engine = await createEngine();
    await loadNamed(engine, this.settings!).catch(() => undefined);
    return engine;
  }

  protected override loadView(view: Question, engine: Engine): Promise<void> {
    return loadView(view, engine);
  }

  protected override renderBeside(ctx: RenderContext): unknown {
    return sideBySide(ctx);
  }

  protected override loadDerivations(engine: Engine, question: Question): Promise<DrawDerivation> {
    return loadDerivationDrawing(engine, question, this.language);
  }

  protected override sourceTitles(): Dictionary['sources'] {
    return partOf(this.language, 'sources').use(this);
  }
}

const namedBy = (engine: Engine, { link }: Settings) => namedLater(link, engine.describe());

/** Loads what describes the fields that the settings name. */
const loadNamed = (engine: Engine, settings: Settings): Promise<unknown> =>
  Promise.all(namedBy(engine, settings).map((name) => engine[name]()));

define('scaling-calculator-whole', Whole);
