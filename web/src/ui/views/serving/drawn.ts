// The data of the drawing of servers, which loads behind the answers.

import { html, type TemplateResult } from 'lit';
import {
  ServingDrawing,
  type FrontierData,
  type InstancesData,
  type LensData,
  type LifeData,
  type ServingDrawingData,
} from '../../../charts/drawn/serving/index.ts';
import type { Part } from '../../../charts/kit/looks.ts';
import type { Entry, TankData } from '../../../charts/drawn/index.ts';
import { renderOutline } from '../../../charts/drawn/draw.ts';
import { outlineOfServing } from '../../../charts/drawn/outline.ts';
import { define } from '../../../dom/define.ts';
import type { ServingPoint } from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Draws } from '../../parts/picture/picture.ts';
import type { Results } from '../../kit/results.ts';
import { answerNamed, sayNamed } from '../../kit/named.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { firstParts, stepParts } from './answers.ts';
import { ownPoint, tokensOf } from './drawings.ts';
import { findPoints, pointsOf, withOwn } from './frontier-points.ts';
import { partOf } from './looks.ts';
import { serving } from './serving.ts';
import { freeOf, targetsOf, usersOf } from './told.ts';

/** Draws the answers; `ask` is told of which part the reader wants to know more. */
export function drawn(
  ctx: RenderContext,
  results: Results,
  opened: string | undefined,
  ask: (key: string) => void,
): TemplateResult {
  define('scaling-serving-drawing', ServingDrawing);
  return html`<scaling-serving-drawing
    .data=${drawingOf(ctx, results, knownPoints(ctx, results))}
    .words=${ctx.text.drawn}
    .opened=${opened}
    @why=${({ detail }: CustomEvent<string>) => ask(detail)}
  ></scaling-serving-drawing>`;
}

/** The answers that it draws besides its pieces. */
const told = [
  'servers',
  'serverChips',
  'prefillServers',
  'prefillServerChips',
  'usersPlaced',
  'maxSequences',
  'placeTime',
  'firstToken',
  'tokenTime',
  'answerTime',
  'outputSpeedPerChip',
];

export const drawingOf = (
  ctx: RenderContext,
  results: Results,
  points: readonly ServingPoint[] | undefined,
): ServingDrawingData => ({
  title: serving.summary(ctx, results),
  ghostly: false,
  told: told.flatMap((key) => {
    if (results.absence(key) !== undefined) return [];
    const said = [results.say(key), results.sayRange(key)].filter(Boolean);
    return [{ label: ctx.answer(key).label, said: said.join(ctx.text.served.drawn.between) }];
  }),
  tank: tankOf(ctx, results),
  instances: instancesOf(ctx, results),
  life: lifeOf(ctx, results),
  frontier: points && frontierOf(ctx, results, points),
});

// ---- one chip

function tankOf(ctx: RenderContext, results: Results): TankData {
  const { drawn: common } = ctx.text;
  const { memory: words } = ctx.text.served.drawn;
  const number = (key: string): number => results.number(key) ?? 0;
  const entry = (key: string, look: Part, label: string, value: number): Entry => {
    const said = ctx.format.say(value, 'B');
    const says = sayNamed(ctx, label, said);
    return { key, look, label, value, said, says };
  };
  const capacity = Number(ctx.value('chip.memory'));
  const [weights, reserved] = [number('weightsOnChip'), number('reservedOnChip')];
  const used = number('cacheUsed');
  const all = weights + reserved + used;
  const limit = number('servingUsable');
  const excess = Math.max(0, all - limit);
  // Caches of conversations that wait stay where no sequence needs the room.
  const ofFree = results.number('conversationsHeld') === undefined ? common.free : words.reuse;
  return {
    key: 'servingLeft',
    title: ctx.fill(common.chip, { capacity: ctx.format.say(capacity, 'B') }),
    pieces: [
      entry('weightsOnChip', partOf(results, 'weightsOnChip'), words.weights, weights),
      entry('reservedOnChip', partOf(results, 'reservedOnChip'), words.reserved, reserved),
      entry('cacheUsed', partOf(results, 'cacheUsed'), words.cache, used),
    ],
    capacity,
    limit,
    rest: excess
      ? entry('servingLeft', 'over', common.excess, excess)
      : entry('cacheRoom', 'free', ofFree, freeOf(results)),
    usable: entry('servingUsable', 'free', common.usable, limit),
    kept: entry('servingLeft', 'free', words.kept, Math.max(0, capacity - limit)),
    more: (count) => ctx.fill(common.more, { n: String(count) }),
  };
}

// ---- users and instances

function instancesOf(ctx: RenderContext, results: Results): InstancesData {
  const { drawn: words } = ctx.text.served;
  const { format } = ctx;
  const number = (key: string): number => results.number(key) ?? 0;
  const count = (key: string): string => format.count(number(key));
  const users = usersOf(ctx, results);
  const apart = results.number('prefillServers') !== undefined;
  const [instances, each] = [number('servers') || 1, number('serverChips') || 1];
  const answers = { servers: format.count(instances), each: format.count(each) };
  const numbers = { servers: instances, each };
  const fill = (all: readonly string[], parts: Record<string, string>, by = {}): string[] =>
    all.map((text) => ctx.fill(text, parts, by));
  const chips =
    instances * each + (apart ? number('prefillServers') * number('prefillServerChips') : 0);
  const title = { chips: format.count(chips), ...answers };
  const placed = {
    placed: format.count(users.placed),
    waiting: format.count(users.waiting),
    free: format.count(Math.max(0, users.places - users.placed)),
    most: format.count(users.places),
  };
  const saysPlaced = ctx.fill(users.all === undefined ? words.sequences : words.users, placed, {
    placed: users.placed,
  });
  const answering = fill(apart ? words.decoding : words.answering, answers, numbers);
  const prefills = { servers: count('prefillServers'), each: count('prefillServerChips') };
  const prefilling = fill(words.prefilling, prefills);
  const waiting = fill(words.waiting, placed, { waiting: users.waiting });
  const sent = ctx.fill(words.sent, { time: results.say('transferTime') });
  const node = results.number('nodeChips') ?? (Number(ctx.value('chip.scaleUpChips')) || 1);
  const switched = ctx.value('chip.network') === 'switched';
  const inNode = Math.floor(node / each);
  return {
    titles: apart
      ? fill([words.apart], { chips: format.count(chips) }, { chips })
      : fill(words.instances, title, { chips }),
    answering: {
      key: 'servers',
      // That all have a place is in the verdict.
      labels: apart ? answering : users.placed === users.all ? [] : [saysPlaced],
      says: answering[0]!,
      instances,
      chips: each,
    },
    prefilling: apart
      ? {
          key: 'prefillServers',
          labels: prefilling,
          says: prefilling[0]!,
          instances: number('prefillServers'),
          chips: number('prefillServerChips'),
        }
      : undefined,
    transfer:
      results.number('transferTime') === undefined
        ? undefined
        : { key: 'transferTime', labels: [sent], says: sent },
    users,
    placed: {
      key: results.number('usersPlaced') === undefined ? 'servingBatch' : 'usersPlaced',
      labels: [],
      says: saysPlaced,
    },
    waiting: {
      key: results.number('placeTime') === undefined ? 'memoryOfLoad' : 'placeTime',
      labels: waiting,
      says: waiting[0]!,
    },
    free: { key: 'maxSequences', labels: [], says: ctx.fill(words.free, placed) },
    ...(switched &&
      node > 1 && {
        node: {
          chips: node,
          says:
            inNode > 1
              ? ctx.fill(words.nodeOf, { n: format.count(inNode), chips: format.count(node) })
              : ctx.fill(words.node, { n: format.count(node) }),
        },
      }),
    dot: (n) => ctx.fill(words.dot, { n: format.count(n) }),
    box: (n) => ctx.fill(words.box, { n: format.count(n) }),
  };
}

// ---- a request

/** The order in which the parts of the time to the first token come. */
const order = [
  'placeTime',
  'beginTime',
  'fetchTime',
  'queueTime',
  'prefillTime',
  'transferTime',
] as const;

type Piece = readonly [
  key: keyof RenderContext['text']['served']['drawn']['pieces'],
  seconds: number,
];

/** What one token's time goes to: its share of a step, and what prompts beside it add. */
function tokenParts(results: Results, token: number): Piece[] {
  const number = (key: string): number => results.number(key) ?? 0;
  const tokens = results.number('tokensOfStep') ?? 1;
  const parts = stepParts.map((key): Piece => [key, number(key) / tokens]);
  const rest = token - number('decodeStep') / tokens;
  // Contexts that grow, and tokens that are sent together, take another step than the mean one.
  if (rest < -1e-9 * token) return [['tokenTime', token]];
  return [...parts, ['mixedStep', rest]];
}

function lifeOf(ctx: RenderContext, results: Results): LifeData | undefined {
  const { drawn: words } = ctx.text.served;
  const { drawn: common } = ctx.text;
  const [first, token] = [results.number('firstToken'), results.number('tokenTime')];
  const whole = results.number('answerTime');
  if (first === undefined || token === undefined || whole === undefined) return undefined;
  const targets = targetsOf(ctx, results);
  const lens = (
    key: 'firstToken' | 'tokenTime',
    titles: readonly string[],
    all: readonly Piece[],
    value: number,
    unit: string,
  ): LensData => {
    const target = targets.find((each) => each.key === key);
    const said = { time: results.say(key) };
    const [low, high] = results.range(key) ?? [];
    const says = answerNamed(ctx, results, key);
    const pieces = all
      .filter(([, seconds]) => seconds > 1e-9 * value)
      .map(([part, seconds]): Entry => {
        const label = words.pieces[part];
        const written = ctx.format.say(seconds, unit);
        const percent = ctx.format.say(seconds / value, '%');
        const look = partOf(results, part);
        const says = ctx.fill(common.part, { name: label, value: written, percent });
        // A part that is the whole has the whole's reason.
        return { key: part, look, label, value: seconds, said: written, says };
      });
    return {
      key,
      titles: titles.map((title) => ctx.fill(title, said)),
      says,
      step: {
        pieces,
        low,
        high,
        // One of them says what all such lines are.
        range: low !== undefined && key === 'firstToken' ? common.likely : '',
        ranged: { key, says },
        mfu: '',
        more: (count) => ctx.fill(common.more, { n: String(count) }),
        target: target && { value: target.value, met: target.met },
      },
      target:
        target &&
        ctx.fill(words.target[target.met], { target: ctx.format.say(target.value, unit) }),
    };
  };
  const tokens = tokensOf(ctx, results.all, 'answer');
  const said = {
    time: results.say('answerTime'),
    tokens: ctx.format.count(tokens),
    token: results.say('tokenTime'),
    input: ctx.format.count(tokensOf(ctx, results.all, 'prompt')),
    output: ctx.format.count(tokens),
  };
  const parts = order.map((key): Piece => [key, results.number(key) ?? 0]);
  const sum = parts.reduce((all, [, seconds]) => all + seconds, 0);
  return {
    key: 'answerTime',
    titles: words.request.map((title) => ctx.fill(title, said)),
    says: ctx.fill(words.requestSays, said),
    whole,
    first,
    token,
    tokens,
    answer: words.answer.map((each) => ctx.fill(each, said)),
    lenses: [
      // The answers add up to it; what they don't tell would be drawn as its own.
      lens(
        'firstToken',
        words.first,
        first - sum > 1e-6 * first ? [...parts, ['firstToken', first - sum]] : parts,
        first,
        's',
      ),
      lens('tokenTime', words.token, tokenParts(results, token), token, stepTime),
    ],
  };
}

// ---- the frontier

/** The frontier that was found last, until that of a change is. */
let last: readonly ServingPoint[] | undefined;
let isFinding = false;

/** The present points; they are found in a task of their own, after the answers are drawn. */
function knownPoints(ctx: RenderContext, results: Results): readonly ServingPoint[] | undefined {
  const points = pointsOf(ctx.state);
  if (points) return (last = points);
  if (results.choice('servingFits') !== 'yes') return undefined;
  if (!isFinding) {
    isFinding = true;
    setTimeout(() => {
      isFinding = false;
      findPoints(ctx, ctx.state);
      ctx.actions.refresh();
    });
  }
  return last;
}

function frontierOf(
  ctx: RenderContext,
  results: Results,
  points: readonly ServingPoint[],
): FrontierData | undefined {
  const { drawn: words } = ctx.text.served;
  const own = ownPoint(results.all, tokensOf(ctx, results.all, 'answer'));
  if (!own || points.length === 0) return undefined;
  const time = ctx.format.say(own.x, 's');
  return {
    key: 'outputSpeedPerChip',
    titles: words.frontier,
    says: ctx.fill(words.frontierSays, { speed: results.say('outputSpeedPerChip'), time }),
    points: withOwn(
      points.map(({ timePerToken: x, tokensPerSecondPerChip: y }) => ({ x, y })),
      own,
    ),
    own,
    x: words.frontierX,
    y: words.frontierY,
    sayX: (value) => ctx.format.say(value, 's'),
    sayY: (value) => ctx.format.number(value),
    you: words.you,
  };
}

/** The answers behind each part that a reader can point at; others are answers themselves. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  usersPlaced: ['usersPlaced', 'maxSequences'],
  maxSequences: ['maxSequences', 'cacheRoom', 'kvPerSequence'],
  servers: ['servers', 'serverChips', 'nodes'],
  prefillServers: ['prefillServers', 'prefillServerChips', 'prefillBalance'],
  answerTime: ['answerTime', 'firstToken', 'tokenTime'],
  firstToken: ['firstToken', ...firstParts],
  tokenTime: ['tokenTime', 'decodeStep', 'mixedStep'],
  outputSpeedPerChip: ['outputSpeedPerChip', 'outputSpeed'],
  // The verdict.
  servingFits: ['servingFits', 'servingUsable', 'servingLeft'],
  saturated: ['saturated', 'utilisation'],
  meetsTargets: ['meetsTargets', 'targetExcess', 'firstTokenTail', 'tokenTail', 'withinTargets'],
  costAll: ['costAll', 'costInput', 'costOutput', 'chipHourPrice'],
  decodeBound: ['decodeBound', 'prefillBound', 'decodeStep'],
};

/** Data of the drawing where there is no answer. */
export const missing: Draws['missing'] = (_, heights) => renderOutline(outlineOfServing, heights);
