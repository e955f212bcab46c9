// The data of the drawing of a collective, which loads behind the answers.

import { html, type TemplateResult } from 'lit';
import {
  CollectiveDrawing,
  type CollectiveData,
  type LinkSet,
  type SwitchesData,
  type TorusAxis,
  type TorusData,
} from '../../../charts/drawn/collective/index.ts';
import { renderOutline } from '../../../charts/drawn/draw.ts';
import { outlineOfCollective } from '../../../charts/drawn/outline.ts';
import type { Racer } from '../../../charts/drawn/race/index.ts';
import { thicknessOf } from '../../../charts/drawn/wires.ts';
import { define } from '../../../dom/define.ts';
import type { FieldId } from '../../../model/fields.ts';
import { shapes } from '../../parts/answers/bound.ts';
import type { Draws } from '../../parts/picture/picture.ts';
import { raceOf } from '../../parts/picture/race.ts';
import type { Results } from '../../kit/results.ts';
import { sayNamed } from '../../kit/named.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { collective } from './collective.ts';

/** Draws the answers; `ask` is told of which part the reader wants to know more. */
export function drawn(
  ctx: RenderContext,
  results: Results,
  opened: string | undefined,
  ask: (key: string) => void,
): TemplateResult {
  define('scaling-collective-drawing', CollectiveDrawing);
  return html`<scaling-collective-drawing
    .data=${drawingOf(ctx, results)}
    .words=${ctx.text.drawn}
    .opened=${opened}
    @why=${({ detail }: CustomEvent<string>) => ask(detail)}
  ></scaling-collective-drawing>`;
}

/** The answers that it tells besides the times. */
const told = ['collectiveBound', 'bytesSent', 'collectiveSteps', 'domains', 'domainIdle', 'leaves'];

export function drawingOf(ctx: RenderContext, results: Results): CollectiveData {
  const { wired } = ctx.text;
  const links = linksOf(ctx, results);
  const machine = machineOf(ctx, results, links);
  const chips = results.number('collectiveChips') ?? 1;
  return {
    title: collective.summary(ctx, results),
    racers: racersOf(ctx, results, links),
    ...raceOf(ctx, results, { lower: 'collectiveTime', told, named: (_, label) => label }),
    machine,
    chips,
    titles: titlesOf(ctx, results, chips),
    notes: notesOf(ctx, results, machine),
    more: (n) => ctx.fill(wired.more, { n: ctx.format.count(n) }, { n }),
  };
}

function titlesOf(ctx: RenderContext, results: Results, chips: number): string[] {
  const { wired } = ctx.text;
  const count = (value: number): string => ctx.format.count(value);
  const [domains, size] = [results.number('domains'), ctx.value('chip.scaleUpChips')];
  const alone = ctx.fill(wired.chips, { chips: count(chips) }, { chips });
  if (ctx.value('chip.network') === 'torus' && chips > 1) {
    const rate = ctx.say('chip.linkBandwidth', ctx.value('chip.linkBandwidth'));
    return [ctx.fill(wired.linked, { chips: alone, rate }), alone];
  }
  if (domains === undefined || !(Number(size) > 1)) return [alone];
  const parts = { chips: count(chips), domains: count(domains), size: count(Number(size)) };
  return [ctx.fill(wired.inDomains, parts, { chips, domains }), alone];
}

function notesOf(
  ctx: RenderContext,
  results: Results,
  machine: CollectiveData['machine'],
): CollectiveData['notes'] {
  const { wired } = ctx.text;
  const count = (value: number): string => ctx.format.count(value);
  const idle = results.number('domainIdle') ?? 0;
  const shards = machine.kind === 'switches' ? machine.shards : 1;
  return [
    ...(shards > 1 ? [{ says: ctx.fill(wired.others, { n: count(shards) }) }] : []),
    ...(idle > 0
      ? [{ says: ctx.fill(wired.idle, { n: count(idle) }, { n: idle }), key: 'domainIdle' }]
      : []),
  ];
}

// ---- links

/** A level of switches or an axis of a torus, with its answers. */
interface Level {
  links: LinkSet;
  time: number | undefined;
  bytes: string;
}

type Levels = Partial<Record<string, Level>>;

const axes = ['x', 'y', 'z'] as const;
const capital = (axis: (typeof axes)[number]) => axis.toUpperCase() as 'X' | 'Y' | 'Z';

/** The levels and axes that the chips lie along, by the answers that say how long they are busy. */
function linksOf(ctx: RenderContext, results: Results): Levels {
  const { wired } = ctx.text;
  const number = (id: FieldId): number | undefined => {
    const value = ctx.value(id);
    return typeof value === 'number' ? value : undefined;
  };
  const torus = ctx.value('chip.network') === 'torus';
  const length = (axis: (typeof axes)[number]): string =>
    ctx.format.count(Number(ctx.value(`mesh.${axis}`)));
  const all: [time: string, bytes: string, label: string, rate: number | undefined][] = torus
    ? axes.map((axis) => [
        `axisTime${capital(axis)}`,
        `axisBytes${capital(axis)}`,
        ctx.fill(wired.axis, { axis: capital(axis), length: length(axis) }),
        number('chip.linkBandwidth'),
      ])
    : [
        ['domainTime', 'domainBytes', wired.domain, number('chip.scaleUpBandwidth')],
        ['leafTime', 'leafBytes', wired.leaf, number('chip.scaleOutBandwidth')],
        ['spineTime', 'spineBytes', wired.spine, results.number('spineRate')],
      ];
  const fastest = Math.max(0, ...all.map(([, , , rate]) => rate ?? 0));
  const known = all.map(([time]) => results.number(time) ?? 0);
  const longest = Math.max(...known);
  const binds = results.choice('collectiveBound') === 'bandwidth';
  return Object.fromEntries(
    all.flatMap(([key, bytesKey, label, rate]): [string, Level][] => {
      const hasShape = torus && results.absence(key.replace('Time', 'Shape')) === undefined;
      const isUsed = results.absence(key) !== 'notApplicable';
      if (!isUsed && !hasShape) return [];
      const time = results.number(key);
      const told = rate === undefined ? '' : ctx.format.say(rate, 'B/s');
      const bytes =
        results.number(bytesKey) === undefined
          ? ''
          : ctx.fill(torus ? wired.perLink : wired.perChip, { bytes: results.say(bytesKey) });
      const said = sayNamed(ctx, label, results.say(key));
      const links: LinkSet = {
        key,
        label,
        note: torus ? results.say(key.replace('Time', 'Shape')) : told,
        says: [isUsed ? said : label, bytes, told].filter(Boolean).join(' · '),
        thick: thicknessOf(rate ?? 0, fastest),
        use: !isUsed ? 'idle' : binds && time === longest ? 'binds' : 'used',
      };
      return [[key, { links, time, bytes }]];
    }),
  );
}

// ---- the machine

function machineOf(ctx: RenderContext, results: Results, levels: Levels): SwitchesData | TorusData {
  const value = (id: FieldId): number => Number(ctx.value(id));
  const isMessage = ctx.value('collective.kind') === 'pointToPoint';
  if (ctx.value('chip.network') !== 'torus') {
    return {
      kind: 'switches',
      chips: results.number('collectiveChips') ?? 1,
      shards: value('mesh.otherShards'),
      domains: results.number('domains') ?? 1,
      size: Math.max(1, value('chip.scaleUpChips') || 1, results.number('domainUsed') ?? 1),
      leaves: results.number('leaves') ?? 1,
      isMessage,
      domain: levels['domainTime']?.links,
      leaf: levels['leafTime']?.links,
      spine: levels['spineTime']?.links,
    };
  }
  const axis = (name: (typeof axes)[number]): TorusAxis => {
    const shape = results.choice(`axisShape${capital(name)}`);
    const length = value(`mesh.${name}`);
    const distance = isMessage ? value(`collective.distance${capital(name)}`) : 0;
    // The shorter way around a ring that sends both ways.
    const isBack = shape === 'ring' && distance > length - distance;
    return {
      length,
      isRing: shape === 'ring' || shape === 'oneWayRing',
      links: levels[`axisTime${capital(name)}`]?.links,
      hops: isBack ? distance - length : distance,
    };
  };
  return { kind: 'torus', axes: [axis('x'), axis('y'), axis('z')], isMessage };
}

// ---- their times

function racersOf(ctx: RenderContext, results: Results, levels: Levels): Racer[] {
  const { wired } = ctx.text;
  if (results.absence('collectiveLatencyTime') !== undefined) return [];
  const latency = results.say('collectiveLatencyTime');
  return [
    {
      key: 'collectiveLatencyTime',
      resource: 'latency',
      sign: '◷',
      label: wired.latency,
      value: results.number('collectiveLatencyTime'),
      said: latency,
      note: '',
      says: sayNamed(ctx, wired.latency, latency),
      isBound: results.choice('collectiveBound') === 'latency',
    },
    ...Object.values(levels).flatMap((level): Racer[] => {
      const { links, time, bytes } = level!;
      if (links.use === 'idle') return [];
      return [
        {
          key: links.key,
          resource: 'network',
          sign: shapes.network,
          label: links.label,
          value: time,
          said: results.say(links.key),
          note: bytes,
          says: links.says,
          isBound: links.use === 'binds',
        },
      ];
    }),
  ];
}

/** The answers behind each part that a reader can point at; others are answers themselves. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  collectiveLatencyTime: ['collectiveLatencyTime', 'collectiveSteps'],
  domainTime: ['domainTime', 'domainBytes'],
  leafTime: ['leafTime', 'leafBytes'],
  spineTime: ['spineTime', 'spineBytes', 'spineRate'],
  ...Object.fromEntries(
    axes.map((axis) => {
      const name = capital(axis);
      return [`axisTime${name}`, [`axisTime${name}`, `axisBytes${name}`, `axisShape${name}`]];
    }),
  ),
  collectiveChips: ['collectiveChips', 'domains', 'domainUsed', 'leaves'],
  domainIdle: ['domainIdle', 'domainUsed', 'domains'],
  collectiveTime: ['collectiveTime', 'collectiveBandwidthTime', 'collectiveLatencyTime'],
  timeExpected: ['timeExpected', 'collectiveTime'],
  // The verdict.
  collectiveBound: ['collectiveBound', 'latencyBytes'],
  bytesSent: ['bytesSent', 'shardBytes'],
};

/** Data of the drawing where there is no answer. */
export const missing: Draws['missing'] = (_, heights) =>
  renderOutline(outlineOfCollective, heights);
