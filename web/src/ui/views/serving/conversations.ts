// The row that tells what conversations find of their prompts in caches.

import { sayShare } from '../../../number/share.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../../parts/view.ts';

/** The share of prompts that turns find again, and what it is worth; none without further turns. */
export function conversationRows(ctx: RenderContext, results: Results): Row[] {
  if (results.number('prefixFound') === undefined) return [];
  const { conversations } = ctx.text.served;
  const tiers = [results.number('foundOnHost'), results.number('foundOnDisk')];
  return [
    {
      key: 'prefixFound',
      means: ctx.sentences([
        ctx.fill(conversations.means, {
          prompt: results.say('promptMean'),
          findable: results.say('prefixFindable'),
          held: results.say('conversationsHeld'),
          users: ctx.say('serving.users', ctx.value('serving.users')),
        }),
        tiers.some((share) => (share ?? 0) > 0)
          ? ctx.fill(conversations.tiers, {
              host: sayShare(ctx.format, tiers[0] ?? 0),
              disk: sayShare(ctx.format, tiers[1] ?? 0),
              fetch: results.say('fetchTime'),
            })
          : '',
        ctx.fill(conversations.turns, {
          cached: results.say('firstTokenCached'),
          lost: results.say('firstTokenLost'),
        }),
      ]),
      related: [
        'prefixFindable',
        'promptMean',
        'conversationsHeld',
        'foundOnHost',
        'foundOnDisk',
        'fetchTime',
        'firstTokenCached',
        'firstTokenLost',
      ],
    },
  ];
}
