// <scaling-drawing>: a training, drawn. Its step reads in several units.

import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Measure } from '../kit/text.ts';
import type { DrawingData, DrawingWords, Reading } from './drawing-data.ts';
import { Figure, type Laid } from './figure.ts';
import { formOf } from './form.ts';
import type { Told } from './reading.ts';
import { wholeOf } from './step.ts';
import { usedIn } from './tank.ts';
import {
  heights,
  layMachines,
  layMachinesNarrow,
  layTankNarrow,
  layTime,
  layTimeNarrow,
  timeHeight,
} from './training.ts';

export class Drawing extends Figure<DrawingData, DrawingWords> {
  static override properties: PropertyDeclarations = { reading: { state: true } };

  /** The unit in which the step reads. */
  declare private reading: string | undefined;

  protected override readonly lays = ['data', 'width', 'reading'];

  private read({ readings }: DrawingData): Reading {
    return readings.find(({ key }) => key === this.reading) ?? readings[0]!;
  }

  protected override lay(measure: Measure, width: number, data: DrawingData): Laid[] {
    const read = this.read(data);
    const machines = { ...data, tank: { ...data.tank, ghost: this.usedBefore(data) } };
    const time = { ...read, step: { ...read.step, ghost: this.timeBefore(read) } };
    const { wide, narrow } = heights;
    return formOf(width) === 'narrow'
      ? [
          { sheet: layTankNarrow(measure, width, machines), height: narrow.tank },
          { sheet: layTimeNarrow(measure, width, time), height: timeHeight('narrow', read) },
          {
            sheet: layMachinesNarrow(measure, width, machines),
            height: data.replica ? narrow.machines : 0,
          },
        ]
      : [
          {
            sheet: layMachines(measure, width, machines),
            height: data.replica ? wide.machines : wide.tank,
          },
          { sheet: layTime(measure, width, time), height: timeHeight('wide', read) },
        ];
  }

  private usedBefore({ tank }: DrawingData): number | undefined {
    return this.ghost && this.unlike(usedIn(this.ghost.tank), usedIn(tank));
  }

  private timeBefore({ key, step }: Reading): number | undefined {
    const before = this.ghost?.readings.find((each) => each.key === key);
    return before && this.unlike(wholeOf(before.step), wholeOf(step));
  }

  protected override levels({ tank, readings }: DrawingData): number[] {
    return [usedIn(tank), ...readings.map(({ step }) => wholeOf(step))];
  }

  protected override rows(data: DrawingData): Told[] {
    const { step } = this.read(data);
    const { tank } = data;
    return [...step.pieces.filter(({ value }) => value > 0), ...tank.pieces, tank.rest];
  }

  protected override below(data: DrawingData, words: DrawingWords): TemplateResult {
    const read = this.read(data);
    return html`<div class="units" role="group" aria-labelledby="goes">
      <span id="goes">${words.goes}</span>
      ${data.readings.map(
        ({ key, label }) =>
          html`<button
            type="button"
            aria-pressed=${key === read.key}
            @click=${() => (this.reading = key)}
          >
            ${label}
          </button>`,
      )}
    </div>`;
  }
}
