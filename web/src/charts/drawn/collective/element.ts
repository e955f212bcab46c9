// <scaling-collective-drawing>: a collective, drawn.

import { RaceDrawing } from '../race/index.ts';
import { heightOf, layCollective, type CollectiveData } from './layout.ts';

export class CollectiveDrawing extends RaceDrawing<CollectiveData> {
  protected override readonly heightOf = heightOf;
  protected override readonly draws = layCollective;
}
