// The drawing of a budget where it stands still: on a card that is shared, and on paper.

import { heightOf, layRivals, type RivalsData } from '../../charts/drawn/rivals/index.ts';
import { drawingOf } from '../features/compare/rivals/budget.ts';
import { stillsOf } from '../parts/picture/stills.ts';
import { verdictOf } from './budget/slots.ts';

export const { card, picture } = stillsOf<RivalsData>({
  drawingOf,
  verdictOf,
  lay: (measure, frame, drawing) => layRivals(measure, frame, drawing, 'wide'),
  heightOf: (drawing) => heightOf(drawing, 'wide'),
  scale: 1.6,
});
