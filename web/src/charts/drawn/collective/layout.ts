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

/** The most levels of links that are drawn: axes, or switches over each other. */
type Levels = 1 | 2 | 3;

/** Heights of the machine and of the times [px]: another level is another row of times, whereas
 * chips that come and go leave all where it is. */
const machine = { wide: { 1: 190, 2: 218, 3: 246 }, narrow: { 1: 176, 2: 216, 3: 216 } } as const;
const times = { 1: 156, 2: 186, 3: 216 } as const;
const between = 10;
/** The height of the title and that of the notes [px]. */
const [title, notes] = [20, 18];

/** The height of all with so many levels [px]. */
export function heightWith(levels: number, form: Form): number {
  const drawn = Math.max(1, Math.min(3, levels)) as Levels;
  return form === 'wide' ? machine.wide[drawn] : machine.narrow[drawn] + between + times[drawn];
}

/** One row is that of latency. */
const levelsOf = ({ racers }: CollectiveData): Levels =>
  Math.max(1, Math.min(3, racers.length - 1)) as Levels;

export const heightOf = (data: CollectiveData, form: Form): number =>
  heightWith(levelsOf(data), form);

/** The shares of the width that the machine may have beside the times: the first that holds what is
 * drawn. Of few, a number that is changed moves the times seldom. */
const shares = [0.26, 0.4, 0.54] as const;
const mostShare = shares[2];
const gap = 0.04;

/** All of it, in the frame. */
export function layCollective(
  measure: Measure,
  frame: Frame,
  data: CollectiveData,
  form: Form,
): Sheet {
  const sheet = new Sheet(measure);
  const { x, y, width, height } = frame;
  if (form !== 'wide') {
    const high = machine.narrow[levelsOf(data)];
    layMachine(sheet, { ...frame, height: high }, data);
    const below = { ...frame, y: y + high + between, height: height - high - between };
    if (data.racers.length > 0) drawRace(sheet, below, data, 'narrow');
    return sheet;
  }
  const right = layMachine(sheet, { ...frame, width: mostShare * width }, data) - x;
  if (data.racers.length === 0) return sheet;
  const share = shares.find((each) => each * width >= right) ?? mostShare;
  const from = (share + gap) * width;
  drawRace(sheet, { x: x + from, y, width: width - from, height }, data, 'narrow');
  return sheet;
}

/** The machine below its title and over its notes; returns where all of it ends. */
function layMachine(sheet: Sheet, frame: Frame, data: CollectiveData): number {
  const { machine: of, titles, chips, more } = data;
  const titled = heading(sheet, frame, titles, 'collectiveChips');
  sheet.part('collectiveChips', { ...frame, width: titled, height: title - 2 }, titles[0]!);
  const inner = { ...frame, y: frame.y + title, height: frame.height - title - notes };
  const drawn = of.kind === 'torus' ? drawTorus(sheet, inner, of) : drawSwitches(sheet, inner, of);
  const left = chips - drawn.chips;
  const noted = notesLine(sheet, { ...frame, y: drawn.foot + 14 }, [
    ...(left > 0 ? [{ says: more(left) }] : []),
    ...data.notes,
  ]);
  return Math.max(frame.x + titled, drawn.right, noted);
}
