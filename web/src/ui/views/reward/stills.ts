// The drawing of a training by reward where it stands still: on a card that is shared, and on paper.

import {
  heightOf,
  laySplits,
  layPools,
  splitsHeight,
  type PoolsData,
} from '../../../charts/drawn/pools/index.ts';
import { stillsOf } from '../../parts/picture/stills.ts';
import { drawingOf, splitsOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

const poolsOf = ({ pools }: PoolsData): number => heightOf(pools.length, 'wide');

export const { card, picture } = stillsOf<PoolsData>({
  drawingOf(ctx, results) {
    const drawing = drawingOf(ctx, results);
    // A card has no room for the curve below two pools.
    const splits = drawing.pools.length === 1 ? splitsOf(ctx, results) : undefined;
    return splits && splits.points.length > 0 ? { ...drawing, splits } : drawing;
  },
  verdictOf,
  lay(measure, { x, y, width }, drawing) {
    const frame = { x, y, width, height: poolsOf(drawing) };
    const sheet = layPools(measure, frame, drawing, 'wide');
    const below = { x, y: y + frame.height, width, height: splitsHeight.usual };
    if (drawing.splits) laySplits(sheet, below, drawing.splits);
    return sheet;
  },
  heightOf: (drawing) => poolsOf(drawing) + (drawing.splits ? splitsHeight.usual : 0),
  scale: 1.7,
});
