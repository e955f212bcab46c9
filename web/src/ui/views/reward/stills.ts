// The drawing of a training by reward where it stands still: on a card that is shared, and on paper.

import { heightOf, layPools, type PoolsData } from '../../../charts/drawn/pools/index.ts';
import { stillsOf } from '../../parts/picture/stills.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

export const { card, picture } = stillsOf<PoolsData>({
  drawingOf,
  verdictOf,
  lay: (measure, frame, drawing) => layPools(measure, frame, drawing, 'wide'),
  heightOf: ({ pools }) => heightOf(pools.length, 'wide'),
  scale: 1.7,
});
