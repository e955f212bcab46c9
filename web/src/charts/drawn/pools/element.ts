// <scaling-pools-drawing>: a step of training by reward, drawn.

import type { Measure } from '../../kit/text.ts';
import { Figure, type Laid } from '../figure.ts';
import type { TableWords, Told } from '../reading.ts';
import { formOf } from '../form.ts';
import { Sheet } from '../marks.ts';
import { heightOf, splitsHeight } from './heights.ts';
import { laySplits } from './splits.ts';
import { layPools, stepOf, type PoolsData } from './layout.ts';

/** Between the pools and the times of splits [px]. */
const under = 10;

export class PoolsDrawing extends Figure<PoolsData, TableWords> {
  protected override lay(measure: Measure, width: number, data: PoolsData): Laid[] {
    const form = formOf(width);
    const height = heightOf(data.pools.length, form);
    const ghost = this.ghost && this.unlike(stepOf(this.ghost), stepOf(data));
    // Its place is kept until it is known.
    const curve = new Sheet(measure);
    const below = splitsHeight[data.splits?.points.length === 0 ? 'none' : 'usual'];
    const frame = { x: 0, y: under, width, height: below - under };
    if (data.splits) laySplits(curve, frame, data.splits);
    return [
      { sheet: layPools(measure, { x: 0, y: 0, width, height }, { ...data, ghost }, form), height },
      { sheet: curve, height: below },
    ];
  }

  protected override levels({ pools }: PoolsData): number[] {
    return pools.flatMap(({ pieces }) => pieces.map(({ value }) => value));
  }

  protected override rows({ pools, splits }: PoolsData): Told[] {
    return [
      ...pools.flatMap(({ titles, pieces }) =>
        pieces.map(({ label, said }) => ({ label: `${titles[0]!}: ${label}`, said })),
      ),
      ...(splits?.points ?? []).map(({ name, said }) => ({ label: name, said })),
    ];
  }
}
