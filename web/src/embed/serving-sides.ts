// embed-serving-sides.js: several answers of serving side by side, without the charts of one.

import { servingWithoutCharts } from '../ui/views/serving/without-charts.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';
import { Beside } from './beside.ts';
import { defineServing, Serving } from './serving-view.ts';

class ServingSides extends Serving {
  private readonly beside = new Beside('serving-sides');

  protected override renderBeside(ctx: RenderContext): unknown {
    return this.beside.show(ctx);
  }
}

defineServing('serving-sides', servingWithoutCharts, ServingSides);
