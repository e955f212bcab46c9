// The drawing of a collective where it stands still: on a card that is shared, and on paper.

import {
  heights,
  layCollective,
  type CollectiveData,
} from '../../../charts/drawn/collective/index.ts';
import { stillsOf } from '../../parts/picture/stills.ts';
import { drawingOf } from './drawn.ts';
import { verdictOf } from './slots.ts';

export const { card, picture } = stillsOf<CollectiveData>({
  drawingOf,
  verdictOf,
  lay: (measure, frame, drawing) =>
    layCollective(measure, { ...frame, height: heights.wide }, drawing, 'wide'),
  heightOf: () => heights.wide,
  scale: 1.4,
});
