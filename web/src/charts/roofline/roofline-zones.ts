// The band above a roofline, which says for each range of intensities what binds.

import type { Zone } from '../kit/data.ts';
import { small } from '../kit/axes.ts';
import { spreadRow } from '../kit/labels.ts';
import type { Scale } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';

export const zoneRow = 18;

export interface ZoneBand {
  zone: Zone;
  left: number;
  width: number;
  text: string;
  at: number;
  baseline: number;
}

export function layZones(
  zones: readonly Zone[],
  texts: readonly string[],
  widths: readonly number[],
  rows: number,
  x: Scale,
  width: number,
): ZoneBand[] {
  let left = x.range[0];
  const bands = zones.map((zone) => {
    const right = zone.until === undefined ? x.range[1] : x.place(zone.until);
    const band = { zone, left, width: Math.max(0, right - left) };
    left = Math.max(left, right);
    return band;
  });
  const centres: number[] = [];
  for (let row = 0; row < rows; ++row) {
    const those = bands.map((_, index) => index).filter((index) => index % rows === row);
    const spaced = spreadRow(
      those.map((index) => bands[index]!.left + bands[index]!.width / 2),
      those.map((index) => widths[index]!),
      10,
      2,
      width - 4,
    );
    spaced.forEach((centre, rank) => (centres[those[rank]!] = centre));
  }
  return bands.map((band, index) => ({
    ...band,
    text: texts[index]!,
    at: px(centres[index]!),
    baseline: small + 4 + ((rows > 1 ? index % rows : 0) + 1) * zoneRow,
  }));
}
