// The legend below a roofline of several chips.

import type { RooflineData } from '../kit/data.ts';
import { small } from '../kit/axes.ts';
import { lineHeight } from '../kit/labels.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';
import type { Beside } from './roofline-domains.ts';
import { otherKind } from './roofline-lines.ts';

/** A row of the legend: a chip's name with its description beside or below it. */
export interface LegendRow {
  kind: string;
  y: number;
  name: string;
  says: { text: string; x: number; y: number } | undefined;
}

const legendRow = 20;
export const legendIndent = 30;

/** The chips, one below the other; what is said of them stands in a column where there is room. */
export function layLegend(
  { chip }: RooflineData,
  chips: readonly Beside[],
  top: number,
  width: number,
  measure: Measure,
): { legend: LegendRow[]; room: number } {
  if (chips.length === 0) return { legend: [], room: 0 };
  const rows = [
    ...(chip ? [{ ...chip, kind: 'ceiling' }] : []),
    ...chips.map((each) => ({ ...each, kind: otherKind(each.index) })),
  ];
  const names = Math.max(...rows.map(({ label }) => measure(label, 600, small)));
  const saying = Math.max(...rows.map(({ says = '' }) => measure(says, 400, small)));
  const beside = legendIndent + names + 16 + saying <= width;
  const lines = rows.map(({ says }) => (says && !beside ? 2 : 1));
  let y = top + small;
  const legend = rows.map(({ kind, label, says }, index): LegendRow => {
    const row: LegendRow = {
      kind,
      y,
      name: label,
      says: says
        ? {
            text: says,
            x: beside ? px(legendIndent + names + 16) : legendIndent,
            y: beside ? y : y + lineHeight(small),
          }
        : undefined,
    };
    y += legendRow + (lines[index]! - 1) * lineHeight(small);
    return row;
  });
  return { legend, room: y - top + 4 };
}
