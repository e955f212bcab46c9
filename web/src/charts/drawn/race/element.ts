// <scaling-race-drawing>: an operation, drawn.

import type { Measure } from '../../kit/text.ts';
import { Figure, type Laid } from '../figure.ts';
import { formOf, type Form } from '../form.ts';
import type { Frame, Sheet } from '../marks.ts';
import type { TableWords, Told } from '../reading.ts';
import { heights, layRace, type RaceData } from './layout.ts';

type Lays<Data> = (measure: Measure, frame: Frame, data: Data, form: Form) => Sheet;

export class RaceDrawing<Data extends RaceData = RaceData> extends Figure<Data, TableWords> {
  /** The height [px], and what draws it. */
  protected readonly heightOf: (data: Data, form: Form) => number = (_, form) => heights[form];
  protected readonly draws: Lays<Data> = layRace;

  protected override lay(measure: Measure, width: number, data: Data): Laid[] {
    const form = formOf(width);
    const height = this.heightOf(data, form);
    const frame = { x: 0, y: 0, width, height };
    const drawn = { ...data, ghosts: this.ghostsOf(data) };
    return [{ sheet: this.draws(measure, frame, drawn, form), height }];
  }

  private ghostsOf({ racers }: Data): RaceData['ghosts'] {
    const before = this.ghost?.racers;
    return racers.map(({ key, value }) => {
      const was = before?.find((each) => each.key === key)?.value;
      return was === undefined || value === undefined ? undefined : this.unlike(was, value);
    });
  }

  protected override levels({ racers }: Data): number[] {
    return racers.map(({ value }) => value ?? 0);
  }

  protected override rows({ racers, lower, expected, told }: Data): Told[] {
    const marks = [lower, expected].flatMap((each) => each ?? []);
    return [...racers, ...marks, ...told].map(({ label, said }) => ({ label, said }));
  }
}
