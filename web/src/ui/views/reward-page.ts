// The view of training by reward, as the page has it: its verdict, and its pools in time.

import { Lazy } from '../../engine/lazy.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { reward } from './reward/reward.ts';
import { verdictKeys, verdictOf } from './reward/slots.ts';

export const view: View = {
  ...reward,
  picture: pictureOf({
    drawing: new Lazy(() => import('./reward/drawn.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    // By turns there is one pool; the times of splits stand below.
    height(ctx, results) {
      const isNone = results && results.number('bestSplit') === undefined;
      const [narrow, wide] = ctx.value('pools.sharing') === 'apart' ? [440, 396] : [300, 278];
      return isNone ? [narrow - 110, wide - 110] : [narrow, wide];
    },
  }),
  stills: new Lazy(() => import('./reward/stills.ts')),
};
