import { html, nothing, type TemplateResult } from 'lit';
import { gauge } from '../../../charts/gauge/gauge.ts';
import type { Results } from '../../kit/results.ts';
import type { Row } from '../view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export const shapes = { compute: '●', memory: '■', network: '▲' } as const;
export type Bound = keyof typeof shapes;

/** A bound in its colour, with its shape and its word. */
function bound(ctx: RenderContext, which: Bound): TemplateResult {
  return html`<span class="bound ${which}"
    ><span class="shape" aria-hidden="true">${shapes[which]}</span> ${ctx.text.bounds[which]}</span
  >`;
}

type Sentences = Record<Bound, string> & {
  networkAndMemory?: string;
  /** Replaces these, if the sum of the kernels is bound otherwise than its intensity says. */
  computeInAll?: string;
  memoryInAll?: string;
};

/** The bound, as the intensity against the critical intensity. */
export function boundRow(ctx: RenderContext, results: Results, sentences: Sentences): Row {
  const which = results.choice('bound') as Bound;
  const { text, format } = ctx;
  const training = ctx.asksFor('run');
  // An operation that waits for the network is measured against the network.
  const byNetwork = which === 'network' && results.number('networkIntensity') !== undefined;
  const [own, needed] = byNetwork
    ? ['networkIntensity', 'criticalNetworkIntensity']
    : ['intensity', 'criticalIntensity'];
  const byMemory = which === 'network' && results.choice('matmulBound') === 'memory';
  const intensity = results.number(own) ?? 0;
  const critical = results.number(needed) ?? 0;
  // Reading the cache, for one, takes no FLOPs at all.
  const moves = intensity === 0;
  const instead = ctx.notices.some(({ code }) => code === 'computesInFp16') ? 'fp16' : undefined;
  const compute =
    instead ?? String(ctx.value(training ? 'run.computeFormat' : 'operation.computeFormat'));
  const slow = byNetwork ? 'network' : 'memory';
  const parts = {
    tokens: results.say('rowsPerWeight'),
    intensity: format.number(intensity),
    critical: format.number(critical),
  };
  return {
    key: 'bound',
    large: bound(ctx, which),
    figure: moves
      ? nothing
      : gauge({
          title: ctx.fill(text.figures.intensity, parts),
          value: intensity,
          valueLabel: results.say(own),
          thresholds: [{ value: critical, label: parts.critical }],
          zones: [
            { bound: slow, label: text.bounds[slow] },
            { bound: 'compute', label: text.bounds.compute },
          ],
        }),
    means: moves
      ? text.says.movesOnly
      : ctx.fill(
          (byMemory && sentences.networkAndMemory) ||
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
