// The drawing of an operation where it stands still: on a card that is shared, and on paper.

import { heights, layRace, type RaceData } from '../../../charts/drawn/race/index.ts';
import { stillsOf } from '../../parts/picture/stills.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

export const { card, picture } = stillsOf<RaceData>({
  drawingOf,
  verdictOf,
  lay: (measure, frame, drawing) => layRace(measure, frame, drawing, 'wide'),
  heightOf: () => heights.wide,
  scale: 1.8,
});
