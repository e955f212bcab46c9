import type { TemplateResult } from 'lit';
import { mapAxes } from './data.ts';
import type { Setting } from '../../setting.ts';

/** The two inputs over which it is drawn what binds. */
export function heatMapSetting(setting: Setting): TemplateResult {
  const [x, y] = mapAxes(setting.query);
  const over = setting.axis('over', x);
  const against = setting.axis('against', y);
  return setting.sentence(setting.ctx.text.charts.sentences.heatMap, {
    over: over.field,
    from: over.from,
    to: over.to,
    against: against.field,
    low: against.from,
    high: against.to,
  });
}
