// The picture of a pipeline's schedule: a step of the engine with four stages and eight micro-batches.

import type { Timeline } from '../../engine/index.ts';
import { box, width, type Mark, type Picture } from './marks.ts';

const margin = 8;
const top = 12;
/** The height of a stage, with the gap below. */
const pitch = 18.5;

/** The passes of a step that stages alternate in, with which it is told from the others. */
const strengths = { forward: 0.45, backward: 1, weights: 0.2 };
type Pass = keyof typeof strengths;
const isPass = (kind: string): kind is Pass => Object.hasOwn(strengths, kind);

/** How the time is drawn in which a stage waits. */
const nothing = ['empty', {}] as const;
const idle = ['network', { strength: 0.3 }] as const;

/** What stands between the passes is where stages wait. `bubble`: that is what is to be seen. */
export function scheduled({ events, lanes }: Timeline, bubble = false): Picture {
  const passes = events.filter(({ kind }) => isPass(kind));
  const [start, end] = [
    Math.min(...passes.map((event) => event.start)),
    Math.max(...passes.map((event) => event.end)),
  ];
  const scale = (width - 2 * margin) / (end - start);
  const high = pitch - 1.5;
  const [tone, style] = bubble ? idle : nothing;
  const waits = lanes.map((_, lane): Mark =>
    box(margin, top + lane * pitch, width - 2 * margin, high, tone, style),
  );
  return [
    ...waits,
    ...passes.map(({ kind, lane, start: from, end: to }): Mark => {
      const style = { strength: strengths[kind as Pass] };
      const w = Math.max(0.8, (to - from) * scale - 0.6);
      return box(margin + (from - start) * scale, top + lane * pitch, w, high, 'compute', style);
    }),
  ];
}
