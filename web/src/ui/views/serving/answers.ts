import { html, type TemplateResult } from 'lit';
import { stack } from '../../../charts/stack/stack.ts';
import { isOwned, listedPrice } from '../../../model/state.ts';
import { stepTime } from '../../../number/unit.ts';
import { shapes } from '../../parts/answers/bound.ts';
import { offerPrices } from '../../parts/answers/cost-row.ts';
import type { Results } from '../../kit/results.ts';
import type { Row } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { conversationRows } from './conversations.ts';
import { boundOf, lookOf, unshaped } from './looks.ts';
import { goodputRows, targetRows } from './target-rows.ts';
import { sayFree } from './told.ts';

/** The answers of serving; without speeds if the model does not fit. */
export function servingRows(ctx: RenderContext, results: Results): Row[] {
  const rows = [memoryRow(ctx, results), chipsRow(ctx, results)];
  if (results.choice('servingFits') !== 'yes') return rows;
  return [
    rows[0]!,
    ...targetRows(ctx, results),
    firstRow(ctx, results),
    tokenRow(ctx, results),
    ...conversationRows(ctx, results),
    boundRow(ctx, results),
    speedRow(ctx, results),
    ...goodputRows(ctx, results),
    costRow(ctx, results),
    serversRow(ctx, results),
    loadRow(ctx, results),
    rows[1]!,
  ];
}

const rates = (ctx: RenderContext): string =>
  ctx.value('server.rates') === 'measured' ? ctx.text.served.byMeasured : ctx.text.served.byStated;

const memoryKeys = ['weightsOnChip', 'reservedOnChip', 'cacheUsed'] as const;

/** Whether some users have to wait until others are answered. */
const waitsForPlace = (results: Results): boolean => (results.number('placeTime') ?? 0) > 0;

/** How many users fit at a time, where not all do. */
export function placed(ctx: RenderContext, results: Results): string {
  if (!waitsForPlace(results)) return '';
  const { served } = ctx.text;
  const users = results.number('usersPlaced') ?? 0;
  const bySoftware = users < (results.number('maxSequences') ?? 0);
  return ctx.fill(bySoftware ? served.placedBySoftware : served.placed, {
    placed: ctx.format.count(users),
    users: ctx.say('serving.users', ctx.value('serving.users')),
    place: results.say('placeTime'),
  });
}

function memoryRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const capacity = Number(ctx.value('chip.memory'));
  const most = results.number('maxSequences') ?? 0;
  const fit = results.choice('servingFits') === 'yes';
  // Servers that answer hold sequences: those that prefill are at fault.
  const prefill = !fit && most >= 1 && results.number('prefillWeightsOnChip') !== undefined;
  const room = ctx.fill(
    fit ? served.memory : prefill ? served.memoryPrefill : served.memoryOver,
    {
      capacity: ctx.format.say(capacity, 'B'),
      usable: results.say('servingUsable'),
      left: sayFree(ctx, results),
      room: results.say(prefill ? 'prefillCacheRoom' : 'cacheRoom'),
      weights: results.say('prefillWeightsOnChip'),
      most: ctx.format.count(most),
      memory: results.say('memoryOfLoad'),
      fewest: results.say('fewestBought'),
    },
    { most },
  );
  const says = ctx.sentences([placed(ctx, results), room]);
  const held = memoryKeys
    .map((key) => ({ key, value: results.number(key) ?? 0 }))
    .filter(({ value }) => value > 0);
  return {
    key: 'servingFits',
    large: waitsForPlace(results)
      ? ctx.fill(served.placedLarge, {
          placed: results.say('usersPlaced'),
          users: ctx.say('serving.users', ctx.value('serving.users')),
        })
      : undefined,
    figure: stack({
      name: 'held',
      title: says,
      parts: held.map(({ key, value }) => ({
        look: lookOf(results, key),
        value,
        label: `${ctx.answer(key).label} ${results.say(key)}`,
      })),
      room: { value: capacity, label: ctx.format.say(capacity, 'B') },
    }),
    means: says,
    derive: ['servingFits', 'servingUsable', 'servingLeft'],
    related: [
      'servingUsable',
      'servingLeft',
      ...memoryKeys,
      'cacheRoom',
      'prefillWeightsOnChip',
      'prefillCacheRoom',
      'maxSequences',
      'usersPlaced',
      'kvPerToken',
      'kvPerSequence',
      'kvOfSequences',
      'kvWaste',
      'kvBlock',
      'kvBlocks',
      'servingWeights',
      'towerBytes',
      'weightBits',
      'memoryOfLoad',
    ],
  };
}

/** The band that most measurements lie in, and the floor that none can beat: of a request alone,
 *  except in a static batch. */
const likely = (ctx: RenderContext, results: Results, key: string): string =>
  results.range(key)
    ? ctx.fill(ctx.text.served[ctx.value('serving.load') === 'static' ? 'likely' : 'likelyLone'], {
        range: results.sayRange(key),
        lower: results.sayBound(key, 'lower'),
      })
    : '';

/** The condition behind the bracket: requests come one by one, or all at once. */
const cameTogether = (ctx: RenderContext, results: Results): string =>
  results.number('firstTokenBurst') === undefined
    ? ''
    : ctx.fill(ctx.text.served.together, {
        spread: results.say('firstTokenSpread'),
        burst: results.say('firstTokenBurst'),
      });

/** The parts of the time to the first token: the answers that add up to it. */
export const firstParts = [
  'prefillTime',
  'queueTime',
  'placeTime',
  'transferTime',
  'fetchTime',
  'beginTime',
] as const;

function firstRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const waits = (results.number('queueTime') ?? 0) > 0;
  return {
    key: 'firstToken',
    figure: stack({
      name: 'first',
      title: served.firstParts,
      parts: firstParts
        .map((key) => ({
          look: lookOf(results, key),
          value: results.number(key) ?? 0,
          label: `${ctx.answer(key).label} ${results.say(key)}`,
        }))
        .filter(({ value }) => value > 0),
    }),
    parts: firstParts,
    means: ctx.sentences([
      likely(ctx, results, 'firstToken'),
      cameTogether(ctx, results),
      ctx.fill(waits ? served.first : served.firstAlone, {
        prefill: results.say('prefillTime'),
        wait: results.say('queueTime'),
      }),
      waitsForPlace(results)
        ? ctx.fill(served.firstPlace, { place: results.say('placeTime') })
        : '',
    ]),
    by: rates(ctx),
    related: [
      ...results.bounds('firstToken'),
      'firstTokenSpread',
      'firstTokenBurst',
      'firstTokenP50',
      'firstTokenP90',
      'firstTokenP99',
      ...firstParts,
      'towerTime',
      'promptWithImages',
      'prefillShare',
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
      ...results.bounds('tokenTime'),
      'tokenTimeP50',
      'tokenTimeP90',
      'tokenTimeP99',
      'userSpeed',
      'answerTime',
      'answerTimeP50',
      'answerTimeP90',
      'answerTimeP99',
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
  'decodeHost',
] as const;

function boundWord({ text }: RenderContext, results: Results): TemplateResult {
  const which = boundOf(results.choice('decodeBound'));
  return which
    ? html`<span class="bound ${which}"
        ><span class="shape" aria-hidden="true">${shapes[which]}</span> ${text.bounds[which]}</span
      >`
    : html`<span class="words">${text.served[unshaped(results.choice('decodeBound'))]}</span>`;
}

/** The most parts that are told apart in a row. */
const mostParts = 6;

function boundRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const all = stepParts
    .map((key) => ({
      key: key as (typeof stepParts)[number] | 'others',
      value: results.number(key) ?? 0,
    }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const kept = all.length > mostParts ? all.slice(0, mostParts - 1) : all;
  const rest = all.slice(kept.length).reduce((sum, { value }) => sum + value, 0);
  const parts = rest > 0 ? [...kept, { key: 'others' as const, value: rest }] : kept;
  return {
    key: 'decodeBound',
    large: boundWord(ctx, results),
    figure: stack({
      name: 'step',
      title: served.step,
      parts: parts.map(({ key, value }) => ({
        look: lookOf(results, key),
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
          // Each of these steps by itself.
          of: served.stepOf[Number(ctx.value('serving.attentionData')) > 1 ? 'rank' : 'instance'],
        },
        { batch: Math.round(batch) },
      ),
      !results.range('outputSpeed')
        ? ''
        : ctx.fill(served.likelySpeed, {
            range: results.sayRange('outputSpeed'),
            upper: results.sayBound('outputSpeed', 'upper'),
          }),
    ]),
    by: rates(ctx),
    related: [
      'outputSpeedPerChip',
      ...results.bounds('outputSpeed'),
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
    output: results.say('costOutput'),
    price: ctx.format.say(
      Number(owned ? results.number('chipHourPrice') : ctx.value('chip.price')),
      'USD',
    ),
    provider,
    date: date ? ctx.format.month(date) : '',
  };
  const known = results.number('costAll') !== undefined;
  return {
    key: 'costAll',
    means: known
      ? ctx.sentences([
          ctx.fill(served.cost, parts),
          ctx.fill(owned ? served.owned : listed ? served.listed : served.own, parts),
        ])
      : served.costUnknown,
    changes: owned ? 'chip.purchase' : 'chip.price',
    ...offerPrices(ctx),
    derive: [
      'costAll',
      ...(known ? ['costInput', 'costOutput'] : []),
      ...(known && owned ? ['chipHourPrice'] : []),
    ],
    related: ['chipHourPrice', 'costInput', 'costOutput', 'flopsPerDollar'],
  };
}

/** The servers, and the nodes that they take. */
function serversRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const say = (sentence: string, ...keys: readonly string[]): string =>
    keys.some((key) => results.number(key) === undefined)
      ? ''
      : ctx.fill(sentence, ...countsOf(ctx, results));
  const prefill = results.number('prefillServers');
  return {
    key: 'servers',
    means: ctx.sentences([
      say(served.serversOf, 'servers'),
      prefill === undefined
        ? ''
        : ctx.fill(
            served.prefillServersOf,
            {
              servers: ctx.format.count(prefill),
              each: ctx.format.count(results.number('prefillServerChips') ?? 0),
            },
            { servers: prefill, each: results.number('prefillServerChips') ?? 0 },
          ),
      say(served.nodesOf, 'nodes'),
    ]),
    derive: ['servers'],
    related: [
      'serverChips',
      'prefillServers',
      'prefillServerChips',
      'chipsBought',
      'nodes',
      'nodeChips',
      'prefillBalance',
    ],
  };
}

/** The counts of servers and nodes, as words and as numbers. */
export function countsOf(
  ctx: RenderContext,
  results: Pick<Results, 'number'>,
): [words: Record<string, string>, numbers: Record<string, number>] {
  const keys = {
    servers: 'servers',
    each: 'serverChips',
    chips: 'chipsBought',
    nodes: 'nodes',
    node: 'nodeChips',
  };
  const numbers = Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, results.number(key) ?? 0]),
  );
  const words = Object.entries(numbers).map(([name, value]) => [name, ctx.format.count(value)]);
  return [Object.fromEntries(words) as Record<string, string>, numbers];
}

function loadRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  const [words, numbers] = countsOf(ctx, results);
  const isOpen = ctx.value('serving.load') === 'open';
  const least = numbers['servers'] === 1 && (results.number('utilisation') ?? 0) < 1;
  return {
    key: 'chipsForLoad',
    means: ctx.sentences([
      ctx.fill(
        served.load[isOpen ? 'open' : 'held'],
        { ...words, used: results.say('utilisation') },
        numbers,
      ),
      least ? served.leastServer : '',
    ]),
    related: ['utilisation', 'servers'],
  };
}

function chipsRow(ctx: RenderContext, results: Results): Row {
  const { served } = ctx.text;
  return {
    key: 'fewestChips',
    means: ctx.sentences([
      ctx.fill(served.fewest, {
        weights: results.say('servingWeights'),
        cache: results.say('kvOfSequences'),
      }),
      results.number('fewestBought') === results.number('fewestChips')
        ? ''
        : ctx.fill(served.fewestBought, { chips: results.say('fewestBought') }),
    ]),
    related: ['fewestBought', 'fewestSlice', 'chipsForWeights', 'sliceForWeights'],
  };
}
