// Targets: whether they are kept, and by how many requests.

import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../../parts/view.ts';

/** Whether targets are kept, and if not, what stands in the way. */
export function targetRows(ctx: RenderContext, results: Results): Row[] {
  const met = results.choice('meetsTargets');
  if (met === '') return [];
  const { targets } = ctx.text.served;
  const limit = results.choice('targetLimit') as keyof typeof targets.limits;
  const parts = {
    times: ctx.format.number(results.number('targetExcess') ?? 0),
    prompt: results.say('prefillTime'),
    promptFloor: results.sayBound('firstToken', 'lower'),
    wait: results.say('queueTime'),
    place: results.say('placeTime'),
    step: results.say('decodeStep'),
    stepFloor: results.sayBound('tokenTime', 'lower'),
    mixed: results.say('mixedStep'),
    first: results.say('firstTokenTail'),
    token: results.say('tokenTail'),
  };
  const share = results.number('firstTokenTail') !== undefined;
  return [
    {
      key: 'meetsTargets',
      means: ctx.sentences([
        met === 'yes' || results.choice('saturated') === 'yes'
          ? ''
          : ctx.fill(targets.missed, parts),
        targets.limits[limit] ? ctx.fill(targets.limits[limit], parts) : '',
        share
          ? ctx.fill(targets.tail, {
              ...parts,
              share: ctx.say('serving.targetShare', ctx.value('serving.targetShare')),
            })
          : '',
      ]),
      derive: results.number('targetExcess') === undefined ? ['meetsTargets'] : ['targetExcess'],
      related: ['targetExcess', 'targetLimit', 'firstTokenTail', 'tokenTail', 'chipsInBudget'],
    },
  ];
}

/** The requests that keep to all targets. */
export function goodputRows(ctx: RenderContext, results: Results): Row[] {
  if (results.number('withinTargets') === undefined) return [];
  return [
    {
      key: 'withinTargets',
      means:
        results.number('requestSpeed') === undefined
          ? ''
          : ctx.fill(ctx.text.served.targets.goodput, {
              goodput: results.say('requestGoodput'),
              all: results.say('requestSpeed'),
              each: results.say('requestGoodputPerChip'),
            }),
      derive: ['withinTargets', 'requestGoodput'],
      related: ['requestGoodput', 'requestGoodputPerChip', 'requestSpeed'],
    },
  ];
}
