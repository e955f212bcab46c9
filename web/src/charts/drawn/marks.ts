// What a drawing is made of. Layouts put marks on a sheet, in pixels, and ask nothing of a browser:
// the page, a card and a report draw the same marks, each in its own way.

import { textBox, type Box } from '../kit/labels.ts';
import { px } from '../kit/shape.ts';
import type { Measure } from '../kit/text.ts';

interface Common {
  /** How it looks: names of classes, which `drawn.css` colours. */
  look: string;
  /** What it is a part of; all marks of a part are named and lit together. */
  part?: string | undefined;
}

export interface RectMark extends Common {
  kind: 'rect';
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PathMark extends Common {
  kind: 'path';
  d: string;
  /** How strongly it is filled, from 0 to 1. */
  shade?: number;
  /** The width of its line [px], where its look has none. */
  thick?: number;
  /** The things that it draws, if these are many alike. */
  count?: number;
}

export interface TextMark extends Common {
  kind: 'text';
  x: number;
  /** The baseline. */
  y: number;
  text: string;
  anchor: 'start' | 'middle' | 'end';
  size: number;
  weight: number;
  width: number;
}

export type Mark = RectMark | PathMark | TextMark;

/** A thing that a reader can point at or reach by the keyboard. */
export interface Part {
  key: string;
  box: Box;
  /** Its name with its values. */
  says: string;
  /** It can be changed where it is drawn. */
  steps?: Steps | undefined;
  /** It leads elsewhere, rather than to its reason. */
  goes?: boolean;
}

/** A number that can be changed where it is drawn. */
export interface Steps {
  field: string;
  value: number;
}

/** What tells a part from others: a number that can be changed is a part of its own. */
export const nameOf = ({ key, steps }: Part): string => steps?.field ?? key;

/** A place on the sheet. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Lettering {
  look?: string;
  anchor?: TextMark['anchor'];
  size?: number;
  weight?: number;
  part?: string | undefined;
}

/** The least size of letters [px]. */
export const letters = 12;

/** The sheet that layouts draw on. */
export class Sheet {
  readonly marks: Mark[] = [];
  readonly parts: Part[] = [];
  /** What is drawn over the marks while a part is pointed at. */
  readonly lit = new Map<string, Mark[]>();

  constructor(readonly measure: Measure) {}

  /** Adds to what lights up while a part is pointed at. */
  light(key: string, marks: readonly Mark[]): void {
    this.lit.set(key, [...(this.lit.get(key) ?? []), ...marks]);
  }

  rect({ x, y, width, height }: Frame, look: string, part?: string): void {
    this.marks.push({ kind: 'rect', x, y, width, height, look, part });
  }

  path(d: string, look: string, more: Partial<Omit<PathMark, 'd' | 'look'>> = {}): void {
    this.marks.push({ kind: 'path', d, look, ...more });
  }

  text(
    x: number,
    y: number,
    text: string,
    { look = '', anchor = 'start', size = letters, weight = 400, part }: Lettering = {},
  ): TextMark {
    const width = this.measure(text, weight, size);
    const mark: TextMark = { kind: 'text', x, y, text, anchor, size, weight, width, look, part };
    this.marks.push(mark);
    return mark;
  }

  /** The first text that has room; none where none has. */
  fitting(
    texts: readonly string[],
    room: number,
    weight = 400,
    size: number = letters,
  ): string | undefined {
    return texts.find((text) => this.measure(text, weight, size) <= room);
  }

  /** A number, if there is one, with its name behind it. */
  pair(x: number, y: number, number: string, name: string, part?: string): void {
    const wide = number ? this.text(x, y, number, { weight: 600, part }).width + gap : 0;
    this.text(x + wide, y, name, { part });
  }

  /** The width of such a pair. */
  widthOf(number: string, name: string): number {
    const wide = number ? this.measure(number, 600, letters) + gap : 0;
    return wide + this.measure(name, 400, letters);
  }

  /** A thing to point at: all places of a key are one. */
  part(
    key: string,
    { x, y, width, height }: Frame,
    says: string,
    more: Pick<Part, 'steps' | 'goes'> = {},
  ): void {
    const box = { left: x, top: y, right: x + width, bottom: y + height };
    this.parts.push({ key, says, box, ...more });
  }
}

/** Between a number and its name [px]. */
const gap = 5;

/** The path of a rectangle. */
export const box = ({ x, y, width, height }: Frame): string =>
  `M${px(x)} ${px(y)}h${px(width)}v${px(height)}h${px(-width)}z`;

/** The lines that lead from a thing to what shows it larger. */
export const funnel = (from: Frame, to: Frame): string =>
  `M${px(from.x + from.width)} ${px(from.y)}L${px(to.x)} ${px(to.y)}V${px(to.y + to.height)}L${px(from.x + from.width)} ${px(from.y + from.height)}z`;

/** The place that a text takes. */
export const boxOf = ({ x, y, width, size, anchor }: TextMark): Box =>
  textBox(x, y, width, size, anchor);
