// A collective on its wires: the machine with the links that it uses, and beside it how long each of
// them is busy. The longest binds, or the latency of all steps does.

import type { Measure } from '../../kit/text.ts';
import type { Form } from '../form.ts';
import { heading, notesLine } from '../heads.ts';
import { Sheet, type Frame } from '../marks.ts';
import { drawRace, type RaceData } from '../race/layout.ts';
import { drawSwitches, type SwitchesData } from './switches.ts';
import { drawTorus, type TorusData } from './torus.ts';

export interface CollectiveData extends RaceData {
  machine: SwitchesData | TorusData;
  /** The longest first: the first that has room is written. */
  titles: readonly string[];
  chips: number;
  /** What the machine can't show. */
  notes: readonly { says: string; key?: string; hollow?: number }[];
  /** Says that so many of the chips are not drawn. */
  more(chips: number): string;
}

/** Heights of the machine and of the times [px], which are the same whatever they show: there is room
 * for five rows of times. */
const machine = { wide: 246, narrow: 216 };
const times = 216;
const between = 10;
/** The height of the title and that of the notes [px]. */
const [title, notes] = [20, 18];

export const heights = { wide: machine.wide, narrow: machine.narrow + between + times };

/** The share of the width that the machine has beside the times. */
const share = 0.54;

/** All of it, in the frame. */
export function layCollective(
  measure: Measure,
  frame: Frame,
  data: CollectiveData,
  form: Form,
): Sheet {
  const sheet = new Sheet(measure);
  const { x, y, width, height } = frame;
  const wide = Math.round(width * share);
  const isWide = form === 'wide';
  layMachine(
    sheet,
    isWide ? { x, y, width: wide, height } : { ...frame, height: machine.narrow },
    data,
  );
  if (data.racers.length === 0) return sheet;
  const gap = 0.04 * width;
  const beside = isWide
    ? { x: x + wide + gap, y, width: width - wide - gap, height }
    : { x, y: y + machine.narrow + between, width, height: times };
  drawRace(sheet, beside, data, 'narrow');
  return sheet;
}

/** The machine below its title and over its notes. */
function layMachine(sheet: Sheet, frame: Frame, data: CollectiveData): void {
  const { machine: of, titles, chips, more } = data;
  heading(sheet, frame, titles, 'collectiveChips');
  sheet.part('collectiveChips', { ...frame, height: title - 2 }, titles[0]!);
  const inner = { ...frame, y: frame.y + title, height: frame.height - title - notes };
  const drawn = of.kind === 'torus' ? drawTorus(sheet, inner, of) : drawSwitches(sheet, inner, of);
  const left = chips - drawn.chips;
  notesLine(sheet, { ...frame, y: drawn.foot + 14 }, [
    ...(left > 0 ? [{ says: more(left) }] : []),
    ...data.notes,
  ]);
}
