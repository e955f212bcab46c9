// <scaling-collective-drawing>: a collective, drawn.

import type { Measure } from '../../kit/text.ts';
import type { Laid } from '../figure.ts';
import { RaceDrawing } from '../race/index.ts';
import { narrowBelow } from '../training.ts';
import { heights, layCollective, type CollectiveData } from './layout.ts';

export class CollectiveDrawing extends RaceDrawing<CollectiveData> {
  protected override lay(measure: Measure, width: number, data: CollectiveData): Laid[] {
    const form = width < narrowBelow ? 'narrow' : 'wide';
    const height = heights[form];
    const frame = { x: 0, y: 0, width, height };
    const ghosts = this.ghostsOf(data);
    return [{ sheet: layCollective(measure, frame, { ...data, ghosts }, form), height }];
  }
}
