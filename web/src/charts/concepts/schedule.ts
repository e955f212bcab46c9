// The picture of a pipeline's schedule: a step of the engine with four stages and eight micro-batches.

import type { Timeline } from '../../engine/index.ts';
import { box, width, type Mark, type Picture, type Tone } from './marks.ts';

const margin = 8;
const top = 12;
/** The height of a stage, with the gap below. */
const pitch = 18.5;

/** The passes of a step that stages alternate in. */
const passKinds = ['forward', 'backward', 'weights'] as const;
type Pass = (typeof passKinds)[number];
const isPass = (kind: string): kind is Pass => passKinds.some((pass) => pass === kind);

/** Passes are paler where the time in which a stage waits is what is to be seen. */
export function scheduled({ events, lanes }: Timeline, bubble = false): Picture {
  const passes = events.filter(({ kind }) => isPass(kind));
  const start = Math.min(...passes.map((event) => event.start));
  const end = Math.max(...passes.map((event) => event.end));
  const scale = (width - 2 * margin) / (end - start);
  const stretch = (lane: number, from: number, to: number, tone: Tone, strength = 1): Mark => {
    const w = Math.max(0.8, (to - from) * scale - 0.6);
    return box(margin + (from - start) * scale, top + lane * pitch, w, pitch - 1.5, tone, {
      strength,
    });
  };
  return lanes.flatMap((_, lane) => {
    const own = passes
      .filter((event) => event.lane === lane)
      .sort((one, other) => one.start - other.start);
    const ends = [start, ...own.map((event) => event.end)];
    const waits = [...own.map((event) => event.start), end].flatMap((to, index) =>
      (to - ends[index]!) * scale > 1 ? [stretch(lane, ends[index]!, to, 'bubble')] : [],
    );
    return [
      ...waits,
      ...own.map(({ kind, start: from, end: to }) =>
        stretch(lane, from, to, kind as Pass, bubble ? 0.4 : 1),
      ),
    ];
  });
}
