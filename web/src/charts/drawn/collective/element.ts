// <scaling-collective-drawing>: a collective, drawn.

import { RaceDrawing } from '../race/index.ts';
import { heights, layCollective, type CollectiveData } from './layout.ts';

export class CollectiveDrawing extends RaceDrawing<CollectiveData> {
  protected override readonly heights = heights;
  protected override readonly draws = layCollective;
}
