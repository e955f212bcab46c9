import { html, nothing, type TemplateResult } from 'lit';
import { gauge } from '../../../charts/gauge/gauge.ts';
import type { Results } from '../../kit/results.ts';
import type { Row } from '../view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const shapes = { compute: '●', memory: '■', network: '▲' } as const;
export type Bound = keyof typeof shapes;

/** A bound in its colour, with its shape and its word. */
export const boundWord = (which: Bound, word: string): TemplateResult =>
  html`<span class="bound ${which}"
    ><span class="shape" aria-hidden="true">${shapes[which]}</span> ${word}</span
  >`;

/** The intensity as sentences name it, beside the critical one. */
export const sayIntensity = (
  { format }: RenderContext,
  results: Results,
  [own, needed] = byMemory,
): { intensity: string; critical: string } => ({
  intensity: format.number(results.number(own) ?? 0),
  critical: format.number(results.number(needed) ?? 0),
});

/** The intensity against the critical one, below which the slow resource binds. */
export function intensityGauge(
  ctx: RenderContext,
  results: Results,
  [own, needed] = byMemory,
  slow: Bound = 'memory',
): TemplateResult {
  const { text } = ctx;
  const said = sayIntensity(ctx, results, [own, needed]);
  return gauge({
    title: ctx.fill(text.figures.intensity, said),
    value: results.number(own) ?? 0,
    valueLabel: results.say(own),
    thresholds: [{ value: results.number(needed) ?? 0, label: said.critical }],
    zones: [
      { bound: slow, label: text.bounds[slow] },
      { bound: 'compute', label: text.bounds.compute },
    ],
  });
}

/** The answers with an intensity and the critical one: of memory, and of the network. */
type Intensities = readonly [own: string, needed: string];
const byMemory: Intensities = ['intensity', 'criticalIntensity'];
const byNetwork: Intensities = ['networkIntensity', 'criticalNetworkIntensity'];

type Sentences = Record<Bound, string> & {
  networkAndMemory?: string;
  /** Replaces these, if the sum of the kernels is bound otherwise than its intensity says. */
  computeInAll?: string;
  memoryInAll?: string;
};

/** The bound, as the intensity against the critical intensity. */
export function boundRow(ctx: RenderContext, results: Results, sentences: Sentences): Row {
  const which = results.choice('bound') as Bound;
  const { text } = ctx;
  const training = ctx.asksFor('run');
  // An operation that waits for the network is measured against the network.
  const ofNetwork = which === 'network' && results.number('networkIntensity') !== undefined;
  const intensities = ofNetwork ? byNetwork : byMemory;
  const [own, needed] = intensities;
  const waitsForBoth = which === 'network' && results.choice('matmulBound') === 'memory';
  const intensity = results.number(own) ?? 0;
  const critical = results.number(needed) ?? 0;
  // Reading the cache, for one, takes no FLOPs at all.
  const moves = intensity === 0;
  const instead = ctx.notices.some(({ code }) => code === 'computesInFp16') ? 'fp16' : undefined;
  const compute =
    instead ?? String(ctx.value(training ? 'run.computeFormat' : 'operation.computeFormat'));
  const parts = {
    tokens: results.say('rowsPerWeight'),
    ...sayIntensity(ctx, results, intensities),
  };
  return {
    key: 'bound',
    large: boundWord(which, text.bounds[which]),
    figure: moves
      ? nothing
      : intensityGauge(ctx, results, intensities, ofNetwork ? 'network' : 'memory'),
    means: moves
      ? text.says.movesOnly
      : ctx.fill(
          (waitsForBoth && sentences.networkAndMemory) ||
            inAll(sentences, which, intensity, critical) ||
            sentences[which],
          parts,
        ),
    by:
      training || ctx.applies('operation.computeFormat')
        ? ctx.fill(text.by.formats, { compute })
        : undefined,
    derive: ['bound', own, needed],
    related: [
      'intensity',
      'criticalIntensity',
      'rowsPerWeight',
      ...(training ? ['criticalBatch', 'exactCriticalBatch', 'fractionOfPeak'] : []),
    ],
  };
}

function inAll(
  { computeInAll, memoryInAll }: Sentences,
  which: Bound,
  intensity: number,
  critical: number,
): string | undefined {
  if (which === 'compute' && intensity < critical) return computeInAll;
  return which === 'memory' && intensity >= critical ? memoryInAll : undefined;
}
