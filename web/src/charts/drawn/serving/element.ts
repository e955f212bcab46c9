// <scaling-serving-drawing>: servers, drawn.

import type { Measure } from '../../kit/text.ts';
import { Figure, type Laid } from '../figure.ts';
import type { TableWords, Told } from '../reading.ts';
import { wholeOf } from '../step.ts';
import { usedIn } from '../tank.ts';
import { formOf } from '../form.ts';
import {
  heights,
  layRequest,
  layRequestNarrow,
  layServers,
  layServersNarrow,
  layTankNarrow,
  type ServingDrawingData,
} from './layout.ts';

export class ServingDrawing extends Figure<ServingDrawingData, TableWords> {
  protected override lay(measure: Measure, width: number, now: ServingDrawingData): Laid[] {
    const data = this.withGhosts(now);
    const { wide, narrow } = heights;
    const life = (height: number): number => (data.life ? height : 0);
    return formOf(width) === 'narrow'
      ? [
          { sheet: layServersNarrow(measure, width, data), height: narrow.machines },
          { sheet: layTankNarrow(measure, width, data), height: narrow.tank },
          { sheet: layRequestNarrow(measure, width, data), height: life(narrow.life) },
        ]
      : [
          { sheet: layServers(measure, width, data), height: wide.machines },
          { sheet: layRequest(measure, width, data), height: life(wide.life) },
        ];
  }

  /** With the levels of before the reader's change. */
  private withGhosts(data: ServingDrawingData): ServingDrawingData {
    const { ghost } = this;
    if (!ghost) return data;
    const tank = { ...data.tank, ghost: this.unlike(usedIn(ghost.tank), usedIn(data.tank)) };
    const { life } = data;
    if (!life || !ghost.life) return { ...data, tank };
    const before = ghost.life.lenses;
    const [first, token] = life.lenses;
    const lens = (each: typeof first, index: 0 | 1): typeof first => ({
      ...each,
      step: {
        ...each.step,
        ghost: this.unlike(wholeOf(before[index].step), wholeOf(each.step)),
      },
    });
    return { ...data, tank, life: { ...life, lenses: [lens(first, 0), lens(token, 1)] } };
  }

  protected override levels({ tank, life }: ServingDrawingData): number[] {
    return [usedIn(tank), ...(life?.lenses.map(({ step }) => wholeOf(step)) ?? [0, 0])];
  }

  protected override rows({ told, tank, life }: ServingDrawingData): Told[] {
    const pieces = life?.lenses.flatMap(({ step }) => step.pieces) ?? [];
    return [...told, ...pieces.filter(({ value }) => value > 0), ...tank.pieces, tank.rest];
  }
}
