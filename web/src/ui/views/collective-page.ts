// The view of collectives, as the page has it: the machine with the links that they use, and below it
// who holds what after each step, and the charts.

import { Lazy } from '../../engine/lazy.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { collective } from './collective/collective.ts';
import { verdictKeys, verdictOf } from './collective/slots.ts';

export const view: View = {
  ...collective,
  picture: pictureOf({
    drawing: new Lazy(() => import('./collective/drawn.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    height: () => [462, 266],
    look: 'raced',
  }),
  chartsInSight: true,
  stills: new Lazy(() => import('./collective/stills.ts')),
};
