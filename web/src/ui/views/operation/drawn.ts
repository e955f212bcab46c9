// The data of the drawing of an operation, which loads behind the answers.

import { html, type TemplateResult } from 'lit';
import { RaceDrawing, type RaceData, type Racer } from '../../../charts/drawn/race/index.ts';
import { renderOutline } from '../../../charts/drawn/draw.ts';
import { outlineOfRace } from '../../../charts/drawn/outline.ts';
import { define } from '../../../dom/define.ts';
import { shapes, type Bound } from '../../parts/answers/bound.ts';
import type { Draws } from '../../parts/picture/picture.ts';
import { raceOf } from '../../parts/picture/race.ts';
import type { Results } from '../../kit/results.ts';
import { sayNamed } from '../../kit/named.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { operation } from './operation.ts';

/** Draws the answers; `ask` is told of which part the reader wants to know more. */
export function drawn(
  ctx: RenderContext,
  results: Results,
  opened: string | undefined,
  ask: (key: string) => void,
): TemplateResult {
  define('scaling-race-drawing', RaceDrawing);
  return html`<scaling-race-drawing
    .data=${drawingOf(ctx, results)}
    .words=${ctx.text.drawn}
    .opened=${opened}
    @why=${({ detail }: CustomEvent<string>) => ask(detail)}
  ></scaling-race-drawing>`;
}

/** The answers that it tells besides the times. */
const told = [
  'bound',
  'intensity',
  'criticalIntensity',
  'flops',
  'memoryBytes',
  'networkBytes',
  'networkCollective',
];

export const drawingOf = (ctx: RenderContext, results: Results): RaceData => ({
  title: operation.summary(ctx, results),
  racers: racersOf(ctx, results),
  ...raceOf(ctx, results, { lower: 'lowerBound', told, named: (key) => ctx.answer(key).label }),
});

function racersOf(ctx: RenderContext, results: Results): Racer[] {
  const { race: words } = ctx.text;
  const memory = ctx.say('operation.operandsIn', ctx.value('operation.operandsIn'));
  // The verdict says how much there is to do.
  const racer = (resource: Bound, key: string, label: string, rate = ''): Racer => {
    const value = results.number(key);
    const said = results.say(key);
    const note = value === undefined ? '' : rate;
    return {
      key,
      resource,
      sign: shapes[resource],
      label,
      value,
      said,
      note,
      says: [sayNamed(ctx, label, said), note].filter(Boolean).join(' · '),
      isBound: results.choice('bound') === resource,
    };
  };
  const sends = results.choice('networkCollective') !== 'none';
  return [
    racer('compute', 'mathTime', words.compute, results.say('computeRate')),
    racer('memory', 'memoryTime', memory, results.say('memoryRate')),
    ...(sends && results.absence('networkTime') !== 'notApplicable'
      ? [racer('network', 'networkTime', words.network)]
      : []),
  ];
}

/** The answers behind each part that a reader can point at; others are answers themselves. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  mathTime: ['mathTime', 'flops', 'computeRate'],
  memoryTime: ['memoryTime', 'memoryBytes', 'memoryRate'],
  networkTime: ['networkTime', 'networkBytes', 'networkBandwidthTime', 'networkLatencyTime'],
  lowerBound: ['lowerBound', 'communicationTime', 'upperBound'],
  timeExpected: ['timeExpected', 'lowerBound'],
  // The verdict.
  bound: ['bound', 'intensity', 'criticalIntensity', 'fractionOfPeak'],
  intensity: ['intensity', 'criticalIntensity'],
  networkIntensity: ['networkIntensity', 'criticalNetworkIntensity'],
  flops: ['flops', 'memoryBytes', 'networkBytes'],
};

/** Data of the drawing where there is no answer. */
export const missing: Draws['missing'] = (_, heights) => renderOutline(outlineOfRace, heights);
