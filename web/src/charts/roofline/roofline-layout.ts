// The layout of a roofline chart.

import type { Formatter } from '../../number/format.ts';
import { below, small } from '../kit/axes.ts';
import type { RooflineData } from '../kit/data.ts';
import type { Box, Dot } from '../kit/labels.ts';
import { scale, type Scale } from '../kit/scale.ts';
import { glyphs, px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import { logTicks, type Ticks } from '../kit/ticks.ts';
import { domains, drawable, drawableChips, merged } from './roofline-domains.ts';
import { placeNames, type Name, type NamedLine } from './roofline-labels.ts';
import { layLegend, type LegendRow } from './roofline-legend.ts';
import { layRidges, layRoofs, ownPath, slopeEnds, type Ridge } from './roofline-lines.ts';
import { layZones, zoneRow, type ZoneBand } from './roofline-zones.ts';

const bandHeight = 4;
/** Room at the left edge for what computes nothing. */
const gutterWidth = 36;
export interface RooflineLayout {
  height: number;
  plot: Box;
  x: Scale;
  y: Scale;
  xTicks: Ticks;
  yTicks: Ticks;
  /** The place of intensity 0, if any point has it. */
  zero: number | undefined;
  zones: ZoneBand[];
  bandTop: number;
  lines: NamedLine[];
  ridges: Ridge[];
  legend: LegendRow[];
  /** The slope and the roof over the reader's own point. */
  own: string;
  /** One for each point. */
  dots: Dot[];
  /** The marks of what was measured. */
  measured: Dot[];
  /** Points that find no place for their name are named when they are pointed at. */
  names: Name[];
  track: Dot[];
}

export function layRoofline(
  given: RooflineData,
  width: number,
  format: Formatter,
  measure: Measure,
): RooflineLayout {
  const data = drawable(given);
  const peaks = merged(data.peaks);
  const chips = drawableChips(data);
  const { xDomain, yDomain } = domains(data, peaks, chips);

  const zoneTexts = data.zones.map(({ label, bound }) => `${glyphs[bound]} ${label}`);
  const zoneWidths = zoneTexts.map((text) => measure(text, 400, small));
  const total = zoneWidths.reduce((sum, each) => sum + each + 10, 0);
  const zoneRows = data.zones.length === 0 ? 0 : total > width ? 2 : 1;
  const bandTop = small + 10 + zoneRows * zoneRow;
  const bottom = Math.round(Math.min(420, Math.max(340, width * 0.56))) + bandTop;
  const { legend, room: legendHeight } = layLegend(data, chips, bottom + 8, width, measure);
  const height = bottom + legendHeight;

  const plot: Box = { left: 0, right: width - 14, top: bandTop, bottom: bottom - below };
  const yTicks = logTicks(data.y, yDomain, Math.floor((plot.bottom - plot.top) / 32), format);
  plot.left = Math.ceil(Math.max(...yTicks.labels.map((text) => measure(text, 400, small)))) + 9;
  const gutter = data.points.some(({ intensity }) => !(intensity > 0)) ? gutterWidth : 0;
  const x = scale(true, xDomain, [plot.left + gutter, plot.right]);
  const y = scale(true, yDomain, [plot.bottom, plot.top]);
  const xTicks = logTicks(data.x, xDomain, Math.floor((plot.right - x.range[0]) / 44), format);

  const dots = placePoints(data, x, y, plot);
  const track = (data.track?.steps ?? []).map(({ intensity, achieved }) => ({
    x: px(x.place(intensity)),
    y: px(y.place(achieved)),
  }));
  const roofs = layRoofs(data, peaks, chips, x, y, format);
  const slopes = slopeEnds(data.slopes, peaks, x, y);
  const ridges = layRidges(data, peaks, chips, x, y, format);
  const room: Box = {
    left: x.range[0] - gutter,
    right: width,
    top: plot.top + bandHeight,
    bottom: plot.bottom,
  };
  const hasLegend = legend.length > 0;
  const { lines, names } = placeNames(
    { data, dots, roofs, slopes, ridges, track, room, edge: x.range[0], width, hasLegend },
    format,
    measure,
  );

  return {
    height,
    plot,
    x,
    y,
    xTicks,
    yTicks,
    zero: gutter > 0 ? plot.left + 10 : undefined,
    zones: layZones(data.zones, zoneTexts, zoneWidths, zoneRows, x, width),
    bandTop,
    lines,
    ridges,
    legend,
    own: ownPath(data, x, y),
    dots,
    measured: (data.measured?.points ?? []).map(({ intensity, achieved }) => ({
      x: px(x.place(intensity)),
      y: px(y.place(achieved)),
    })),
    names,
    track,
  };
}

/** Places points. Operations that compute nothing are stacked at the left edge. */
function placePoints(data: RooflineData, x: Scale, y: Scale, plot: Box): Dot[] {
  let stacked = 0;
  return data.points.map(({ intensity, achieved }) =>
    intensity > 0
      ? { x: px(x.place(intensity)), y: px(y.place(achieved)) }
      : { x: plot.left + 10, y: plot.bottom - 12 - 18 * stacked++ },
  );
}
