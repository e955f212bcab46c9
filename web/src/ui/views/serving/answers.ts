import { html, type TemplateResult } from 'lit';
import { stack } from '../../../charts/stack/stack.ts';
import { isOwned, listedPrice } from '../../../model/state.ts';
import { stepTime } from '../../../number/unit.ts';
import { shapes, type Bound } from '../../parts/answers/bound.ts';
import { offerPrices } from '../../parts/answers/price-basis.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { Row } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The answers of serving; without speeds if the model does not fit. */
export function servingRows(ctx: RenderContext, results: Results): Row[] {
  const rows = [memoryRow(ctx, results), chipsRow(ctx, results)];
  if (results.choice('servingFits') !== 'yes') return rows;
  return [
    rows[0]!,
    ...targetRows(ctx, results),
    firstRow(ctx, results),
    tokenRow(ctx, results),
    boundRow(ctx, results),
    speedRow(ctx, results),
    costRow(ctx, results),
    loadRow(ctx, results),
    rows[1]!,
  ];
}

const rates = (ctx: RenderContext): string =>
  ctx.value('server.rates') === 'measured' ? ctx.text.served.byMeasured : ctx.text.served.byStated;

const memoryKeys = ['weightsOnChip', 'reservedOnChip', 'cacheUsed'];

function memoryRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const capacity = Number(ctx.value('chip.memory'));
  const most = results.number('maxSequences') ?? 0;
  const fit = results.choice('servingFits') === 'yes';
  // Servers that answer hold sequences: those that prefill are at fault.
  const prefill = !fit && most >= 1 && results.number('prefillWeightsOnChip') !== undefined;
  const says = ctx.fill(
    fit ? served.memory : prefill ? served.memoryPrefill : served.memoryOver,
    {
      capacity: ctx.format.say(capacity, 'B'),
      left: results.say('servingLeft'),
      room: results.say(prefill ? 'prefillCacheRoom' : 'cacheRoom'),
      weights: results.say('prefillWeightsOnChip'),
      most: ctx.format.count(most),
      memory: results.say('memoryOfLoad'),
      fewest: results.say('fewestChips'),
    },
    { most },
  );
  const held = memoryKeys
    .map((key) => ({ key, value: results.number(key) ?? 0 }))
    .filter(({ value }) => value > 0);
  return {
    key: 'servingFits',
    figure: stack({
      title: says,
      tone: 'memory',
      parts: held.map(({ key, value }) => ({
        key,
        value,
        label: `${ctx.answer(key).label} ${results.say(key)}`,
      })),
      room: { value: capacity, label: ctx.format.say(capacity, 'B') },
    }),
    means: says,
    derive: ['servingFits', 'servingLeft'],
    related: [
      'servingLeft',
      ...memoryKeys,
      'cacheRoom',
      'prefillWeightsOnChip',
      'prefillCacheRoom',
      'maxSequences',
      'kvPerToken',
      'kvPerSequence',
      'kvOfSequences',
      'kvWaste',
      'kvBlock',
      'kvBlocks',
      'servingWeights',
      'weightBits',
      'memoryOfLoad',
    ],
  };
}

/** The band that most measurements lie in, and the floor that none can beat. */
const likely = (ctx: RenderContext, results: Results, key: string): string =>
  results.number(`${key}Low`) === undefined
    ? ''
    : ctx.fill(ctx.text.served.likely, {
        low: results.say(`${key}Low`),
        high: results.say(`${key}High`),
        lower: results.say(`${key}Lower`),
      });

/** Whether targets are kept, and if not, what stands in the way. */
function targetRows(ctx: RenderContext, results: Results): Row[] {
  const met = results.choice('meetsTargets');
  if (met === '') return [];
  const { targets } = ctx.text.served;
  const limit = results.choice('targetLimit') as keyof typeof targets.limits;
  const parts = {
    times: ctx.format.number(results.number('targetExcess') ?? 0),
    prompt: results.say('prefillTime'),
    promptFloor: results.say('firstTokenLower'),
    wait: results.say('queueTime'),
    step: results.say('decodeStep'),
    stepFloor: results.say('tokenTimeLower'),
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

/** The condition behind the bracket: requests come one by one, or all at once. */
const cameTogether = (ctx: RenderContext, results: Results): string =>
  results.number('firstTokenBurst') === undefined
    ? ''
    : ctx.fill(ctx.text.served.together, {
        spread: results.say('firstTokenSpread'),
        burst: results.say('firstTokenBurst'),
      });

function firstRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const waits = (results.number('queueTime') ?? 0) > 0;
  return {
    key: 'firstToken',
    means: ctx.sentences([
      likely(ctx, results, 'firstToken'),
      cameTogether(ctx, results),
      ctx.fill(waits ? served.first : served.firstAlone, {
        prefill: results.say('prefillTime'),
        wait: results.say('queueTime'),
      }),
    ]),
    by: rates(ctx),
    related: [
      'firstTokenLow',
      'firstTokenHigh',
      'firstTokenLower',
      'firstTokenSpread',
      'firstTokenBurst',
      'prefillTime',
      'queueTime',
      'prefillShare',
      'transferTime',
    ],
  };
}

function tokenRow(ctx: RenderContext, results: Results): Row {
  const { token, beside } = ctx.text.served;
  return {
    key: 'tokenTime',
    means: ctx.sentences([
      ctx.fill(token, { speed: results.say('userSpeed'), answer: results.say('answerTime') }),
      results.number('mixedStep') === undefined
        ? ''
        : ctx.fill(beside, {
            share: results.say('prefillShare'),
            mixed: results.say('mixedStep'),
            step: results.say('decodeStep'),
          }),
      likely(ctx, results, 'tokenTime'),
    ]),
    by: rates(ctx),
    derive: ['tokenTime', 'userSpeed'],
    related: [
      'tokenTimeLow',
      'tokenTimeHigh',
      'tokenTimeLower',
      'userSpeed',
      'answerTime',
      'mixedStep',
      'tokensOfStep',
      'draftSpeedup',
    ],
  };
}

/** The parts of a decode step: the answers that add up to it. */
export const stepParts = [
  'decodeMatmuls',
  'decodeExperts',
  'decodeAttention',
  'decodeNetwork',
  'decodeElementwise',
  'decodeHead',
  'decodeLaunches',
] as const;

/** The colour of a bound: reading weights or the cache is memory's, launches have none. */
const boundOf = (choice: string): Bound | undefined =>
  choice === 'weights' || choice === 'cache'
    ? 'memory'
    : choice in shapes
      ? (choice as Bound)
      : undefined;

function boundWord({ text }: RenderContext, results: Results): TemplateResult {
  const which = boundOf(results.choice('decodeBound'));
  return which
    ? html`<span class="bound ${which}"
        ><span class="shape" aria-hidden="true">${shapes[which]}</span> ${text.bounds[which]}</span
      >`
    : html`<span class="words">${text.served.launches}</span>`;
}

/** The most parts that are told apart in a row. */
const mostParts = 6;

function boundRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const all = stepParts
    .map((key) => ({ key: key as string, value: results.number(key) ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const kept = all.length > mostParts ? all.slice(0, mostParts - 1) : all;
  const rest = all.slice(kept.length).reduce((sum, { value }) => sum + value, 0);
  const parts = rest > 0 ? [...kept, { key: 'others', value: rest }] : kept;
  return {
    key: 'decodeBound',
    large: boundWord(ctx, results),
    figure: stack({
      title: served.step,
      tone: 'ink',
      parts: parts.map(({ key, value }) => ({
        key,
        value,
        label: `${key === 'others' ? served.others : ctx.answer(key).label} ${ctx.format.say(value, stepTime)}`,
      })),
    }),
    means: ctx.fill(served.bound, {
      bound: results.say('decodeBound'),
      step: results.say('decodeStep'),
      floor: results.say('decodeFloor'),
      prefill: results.say('prefillBound'),
    }),
    derive: ['decodeBound', 'decodeStep'],
    parts: stepParts,
    related: [
      'prefillBound',
      'decodeStep',
      'decodeFloor',
      ...stepParts,
      'expertsReached',
      'servingCriticalBatch',
      'decodeTensorLimit',
    ],
  };
}

function speedRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const batch = results.number('servingBatch') ?? 0;
  return {
    key: 'outputSpeed',
    means: ctx.sentences([
      results.choice('saturated') === 'yes' ? served.saturated : '',
      ctx.fill(
        served.speed,
        {
          each: results.say('outputSpeedPerChip'),
          requests: ctx.format.number(results.number('requestSpeed') ?? 0),
          batch: ctx.format.count(Math.round(batch)),
        },
        { batch: Math.round(batch) },
      ),
      results.number('outputSpeedLow') === undefined
        ? ''
        : ctx.fill(served.likelySpeed, {
            low: results.say('outputSpeedLow'),
            high: results.say('outputSpeedHigh'),
            upper: results.say('outputSpeedUpper'),
          }),
    ]),
    by: rates(ctx),
    related: [
      'outputSpeedPerChip',
      'outputSpeedLow',
      'outputSpeedHigh',
      'outputSpeedUpper',
      'requestSpeed',
      'servingBatch',
      'saturated',
      'decodeSpeed',
      'decodeSpeedPerChip',
      'tokensPerJoule',
    ],
  };
}

function costRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const { provider = '', date } = listedPrice(ctx.state) ?? {};
  const owned = isOwned(ctx.state);
  const listed = date && !ctx.drafts.has('chip.price');
  const parts = {
    input: results.say('costInput'),
    price: ctx.format.say(
      Number(owned ? results.number('chipHourPrice') : ctx.value('chip.price')),
      'USD',
    ),
    provider,
    date: date ? ctx.format.month(date) : '',
  };
  const known = results.number('costOutput') !== undefined;
  return {
    key: 'costOutput',
    means: known
      ? ctx.sentences([
          ctx.fill(served.cost, parts),
          ctx.fill(owned ? served.owned : listed ? served.listed : served.own, parts),
        ])
      : served.costUnknown,
    changes: owned ? 'chip.purchase' : 'chip.price',
    ...offerPrices(ctx),
    derive: [
      'costOutput',
      ...(known ? ['costInput'] : []),
      ...(known && owned ? ['chipHourPrice'] : []),
    ],
    related: ['chipHourPrice', 'costInput', 'costAll', 'flopsPerDollar'],
  };
}

function loadRow(ctx: RenderContext, results: Results): Row {
  return {
    key: 'chipsForLoad',
    means: ctx.fill(ctx.text.served.load, { used: results.say('utilisation') }),
    related: ['utilisation', 'servers', 'prefillBalance'],
  };
}

function chipsRow(ctx: RenderContext, results: Results): Row {
  return {
    key: 'fewestChips',
    means: ctx.fill(ctx.text.served.fewest, {
      weights: results.say('servingWeights'),
      cache: results.say('kvOfSequences'),
    }),
    related: ['fewestSlice', 'chipsForWeights', 'sliceForWeights'],
  };
}
