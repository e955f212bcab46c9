// A request's life on one axis: up to its first token, then a tick for each token of its answer. Below it
// the time to the first token and the time of one token, each larger, with what it goes to and its target.

import { px } from '../../kit/shape.ts';
import { heading } from '../heads.ts';
import type { Frame, Sheet } from '../marks.ts';
import { layStep, layStepNarrow, stepEnd, wholeOf, type StepData } from '../step.ts';

export interface LensData {
  key: string;
  /** The longest first: the first that has room is written. */
  titles: readonly string[];
  says: string;
  step: StepData;
  /** Stands at its right: whether the target is met. */
  target?: string | undefined;
}

export interface LifeData {
  titles: readonly string[];
  key: string;
  says: string;
  /** Seconds of the answer, of its first token, and of each further one. */
  whole: number;
  first: number;
  token: number;
  /** Tokens of the answer, in words beside the title. */
  tokens: number;
  answer: readonly string[];
  lenses: readonly [first: LensData, token: LensData];
}

/** Heights [px]: the title and the axis, what leads to a lens, and lenses. */
const axis = { title: 20, bar: 18 };
const between = 14;
const lens = { wide: 18 + 104, narrow: 18 + 112 };
/** The whole drawing's height. */
export const lifeHeights = {
  wide: axis.title + axis.bar + between + lens.wide,
  narrow: axis.title + axis.bar + between + 2 * lens.narrow,
  axis: axis.title + axis.bar + 4,
};
/** Ticks stand at least so far apart [px]. */
const closest = 4;

/** The title and the axis; returns what each lens shows larger. */
function layAxis(sheet: Sheet, frame: Frame, data: LifeData): [Frame, Frame] {
  const width = heading(sheet, frame, data.titles, data.key);
  const room = frame.width - width - 16;
  const answer = sheet.fitting(data.answer, room);
  if (answer) {
    const right = frame.x + frame.width;
    sheet.text(right, frame.y + 12, answer, { look: 'quiet', anchor: 'end', part: data.key });
  }
  const [y, height] = [frame.y + axis.title, axis.bar];
  // The axis ends where the last token comes.
  const at = (seconds: number): number => frame.x + (seconds / data.whole) * frame.width;
  const begins = Math.min(at(data.first), frame.x + frame.width);
  const before = { x: frame.x, y, width: begins - frame.x, height };
  const after = { x: begins, y, width: frame.x + frame.width - begins, height };
  sheet.rect(before, 'before', data.lenses[0].key);
  sheet.rect(after, 'tokens', data.lenses[1].key);
  const further = Math.max(0, data.tokens - 1);
  const ticks = Math.min(further, Math.floor(after.width / closest));
  let d = '';
  for (let index = 0; index < ticks; ++index) {
    d += `M${px(begins + ((index + 1) / ticks) * after.width - 0.5)} ${px(y + 3)}v${height - 6}`;
  }
  if (d) sheet.path(d, 'tick', { count: ticks, part: data.lenses[1].key });
  sheet.part(data.key, { ...before, width: frame.width }, data.says);
  const one = ticks > 0 ? after.width / ticks : after.width;
  return [before, { ...after, width: Math.min(one, after.width) }];
}

/** From a part of the axis down to its lens. */
const zoom = (from: Frame, to: Frame, y: number): string => {
  const foot = from.y + from.height;
  return `M${px(from.x)} ${px(foot)}L${px(to.x)} ${px(y)}H${px(to.x + to.width)}L${px(from.x + from.width)} ${px(foot)}z`;
};

function layLens(sheet: Sheet, frame: Frame, data: LensData, isNarrow: boolean): void {
  const target = data.target ?? '';
  const wide = target ? sheet.measure(target, 400, 12) : 0;
  const room = { ...frame, width: frame.width - wide - 12 };
  const width = heading(sheet, room, data.titles, data.key);
  sheet.part(data.key, { x: frame.x, y: frame.y, width, height: 16 }, data.says);
  if (target && width + 12 + wide <= frame.width) {
    const met = data.step.target?.met ?? 'no';
    const right = frame.x + frame.width;
    sheet.text(right, frame.y + 12, target, {
      anchor: 'end',
      part: data.key,
      look: met === 'no' ? 'missed' : '',
    });
  }
  const below = { ...frame, y: frame.y + 16, height: frame.height - 16 };
  (isNarrow ? layStepNarrow : layStep)(sheet, below, data.step);
}

/** What is below the axis: both lenses beside each other or, where it is narrow, below each other. */
export type Form = 'wide' | 'narrow' | 'axis';

/** All of it, in the frame. */
export function layLife(sheet: Sheet, frame: Frame, data: LifeData, form: Form): void {
  const parts = layAxis(sheet, frame, data);
  if (form === 'axis') return;
  const isNarrow = form === 'narrow';
  const y = frame.y + axis.title + axis.bar + between;
  const gap = 28;
  const width = isNarrow ? frame.width : (frame.width - gap) / 2;
  data.lenses.forEach((each, index) => {
    const place = {
      x: frame.x + (isNarrow ? 0 : index * (width + gap)),
      y: y + (isNarrow ? index * lens.narrow : 0),
      width,
      height: isNarrow ? lens.narrow - 6 : lens.wide,
    };
    if (!isNarrow) {
      const shown = (wholeOf(each.step) / stepEnd(each.step)) * width;
      sheet.path(zoom(parts[index]!, { ...place, width: shown }, y - 2), 'funnel');
    }
    layLens(sheet, place, each, isNarrow);
  });
}
