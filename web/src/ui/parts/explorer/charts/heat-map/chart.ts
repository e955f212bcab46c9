import { html } from 'lit';
import { HeatMap } from '../../../../../charts/heat-map/heat-map.ts';
import { define } from '../../../../../dom/define.ts';
import type { MapMove, Numbers } from '../../../../../charts/index.ts';
import type { FieldId } from '../../../../../model/fields.ts';
import type { Ranged } from '../../axis.ts';
import { chartKind } from '../../chart-kind.ts';
import { heatMapData, mapAxes } from './data.ts';
import { heatMapSetting } from './setting.ts';

export default chartKind(heatMapData, heatMapSetting, (data, host, query) => {
  define('scaling-heat-map', HeatMap);
  return html`<scaling-heat-map
    .data=${data}
    .format=${host.ctx.format}
    .words=${host.words}
    @move=${({ detail: { x, y, done } }: CustomEvent<MapMove>) => {
      const [over, against] = mapAxes(query);
      host.move([step(over, data.x.values, x), step(against, data.y.values, y)], done);
    }}
  ></scaling-heat-map>`;
});

/** The change to a value of an axis; none in the row or column of the reader's own. */
function step({ field, own }: Ranged, values: Numbers, index: number): [FieldId, number] {
  const distance = (at: number): number => Math.abs(Math.log(values[at]! / own));
  const nearest = [index - 1, index + 1].every(
    (beside) => beside < 0 || beside >= values.length || distance(beside) >= distance(index),
  );
  return [field, nearest ? own : values[index]!];
}
