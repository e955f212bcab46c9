// The view of training by reward, as the page has it: its verdict, and its pools in time.

import { heightOf, splitsHeight } from '../../charts/drawn/pools/heights.ts';
import { Lazy } from '../../engine/lazy.ts';
import { pictureOf } from '../parts/picture/picture.ts';
import type { View } from '../parts/view.ts';
import { reward } from './reward/reward.ts';
import { verdictKeys, verdictOf } from './reward/slots.ts';

/** Between what is drawn and what follows [px]. */
const beside = 20;

export const view: View = {
  ...reward,
  picture: pictureOf({
    drawing: new Lazy(() => import('./reward/drawn.ts')),
    keys: verdictKeys,
    verdict: verdictOf,
    // By turns there is one pool; the times of splits stand below.
    height(ctx, results) {
      const isNone = results && results.number('bestSplit') === undefined;
      const pools = ctx.value('pools.sharing') === 'apart' ? 2 : 1;
      const under = splitsHeight[isNone ? 'none' : 'usual'] + beside;
      return [heightOf(pools, 'narrow') + under, heightOf(pools, 'wide') + under];
    },
  }),
  stills: new Lazy(() => import('./reward/stills.ts')),
};
