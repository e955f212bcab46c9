// <scaling-rivals-drawing>: what the same question comes to on several chips, drawn.

import type { Measure } from '../../kit/text.ts';
import { Figure, type Laid } from '../figure.ts';
import type { TableWords, Told } from '../reading.ts';
import { formOf } from '../form.ts';
import { heightOf, isKnown, layRivals, type RivalsData } from './layout.ts';

export class RivalsDrawing extends Figure<RivalsData, TableWords> {
  protected override lay(measure: Measure, width: number, data: RivalsData): Laid[] {
    const form = formOf(width);
    const height = heightOf(data, form);
    return [{ sheet: layRivals(measure, { x: 0, y: 0, width, height }, data, form), height }];
  }

  protected override levels({ rivals }: RivalsData): number[] {
    return rivals.flatMap(({ amounts }) => amounts.map((each) => (isKnown(each) ? each.value : 0)));
  }

  protected override rows({ rivals, axes }: RivalsData): Told[] {
    return rivals.flatMap(({ name, onChips, amounts }) =>
      amounts.map((each, axis) => ({
        label: `${[name, onChips].filter(Boolean).join(', ')}: ${axes[axis]!.label}`,
        said: isKnown(each) ? [each.said, each.range].filter(Boolean).join(' · ') : each.lacks,
      })),
    );
  }
}
