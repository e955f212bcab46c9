// Measures and faults of drawings, for their tests.

import type { Part } from '../../web/src/charts/kit/looks.ts';
import type { Entry } from '../../web/src/charts/drawn/legend.ts';
import { boxOf, type Mark, type Sheet, type TextMark } from '../../web/src/charts/drawn/marks.ts';

/** Letters are at most so wide, Chinese ones as wide as high. */
export const measure = (text: string, weight: number, size: number): number =>
  [...text].reduce((sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? 1 : 0.6), 0) *
  size *
  (weight > 500 ? 1.05 : 1);

/** Random numbers that are the same in each run. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

export const entry = (key: string, value: number, label: string, look = key as Part): Entry => ({
  key,
  value,
  label,
  look,
  said: `${value.toPrecision(3)} GB`,
  says: label,
});
export const texts = (marks: readonly Mark[]): TextMark[] =>
  marks.filter((mark): mark is TextMark => mark.kind === 'text');

/** The texts that lie over each other or over the edge of the sheet. */
export function clashes({ marks }: Sheet, width: number, height: number): string[] {
  const all = texts(marks).filter(({ text }) => text);
  const boxes = all.map((mark) => boxOf(mark));
  return all.flatMap((mark, index) => {
    const box = boxes[index]!;
    const outside =
      box.left < -3 || box.right > width + 3 || box.top < -1 || box.bottom > height + 1;
    const over = all.filter((_, other) => {
      const b = boxes[other]!;
      return (
        other > index &&
        Math.min(box.right, b.right) - Math.max(box.left, b.left) > 4.5 &&
        Math.min(box.bottom, b.bottom) - Math.max(box.top, b.top) > 1
      );
    });
    return [
      ...(outside ? [`“${mark.text}” at ${box.left}–${box.right}, ${box.top}–${box.bottom}`] : []),
      ...over.map(({ text }) => `“${mark.text}” over “${text}”`),
    ];
  });
}
