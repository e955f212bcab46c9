// The view of operations, as the page has it: the race of its resources, and below it its charts.

import { Lazy } from '../../engine/lazy.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { operation } from './operation/operation.ts';
import { verdictKeys, verdictOf } from './operation/slots.ts';

export const view: View = {
  ...operation,
  picture: pictureOf({
    drawing: new Lazy(() => import('./operation/drawn.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    height: () => [196, 188],
    look: 'raced',
  }),
  chartsInSight: true,
  stills: new Lazy(() => import('./operation/stills.ts')),
};
