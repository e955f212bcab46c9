// The drawing of a collective where it stands still: on a card that is shared, and on paper.

import {
  heightOf,
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
    layCollective(measure, { ...frame, height: heightOf(drawing, 'wide') }, drawing, 'wide'),
  heightOf: (drawing) => heightOf(drawing, 'wide'),
  scale: 1.4,
});
