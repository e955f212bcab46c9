// The view of collectives, as the page has it: the machine with the links that they use, and below it
// who holds what after each step, and the charts.

import { Lazy } from '../../engine/lazy.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { collective } from './collective/collective.ts';
import { verdictKeys, verdictOf } from './collective/slots.ts';

/** The heights of a drawing by the levels of its links, each of which has a row. */
const heights = { 1: [362, 210], 2: [432, 238], 3: [462, 266] } as const;

/** The axes of a torus that the chips lie along, or their levels of switches. */
function levelsOf(ctx: RenderContext): keyof typeof heights {
  const lengths = (['mesh.x', 'mesh.y', 'mesh.z'] as const).map((axis) => Number(ctx.value(axis)));
  if (ctx.value('chip.network') === 'torus') {
    return Math.max(1, lengths.filter((length) => length > 1).length) as 1 | 2 | 3;
  }
  const chips = lengths.reduce((product, length) => product * length, 1);
  return chips > Number(ctx.value('chip.scaleUpChips')) ? 2 : 1;
}

export const view: View = {
  ...collective,
  picture: pictureOf({
    drawing: new Lazy(() => import('./collective/drawn.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    height: (ctx) => heights[levelsOf(ctx)],
    look: 'raced',
  }),
  chartsInSight: true,
  stills: new Lazy(() => import('./collective/stills.ts')),
};
