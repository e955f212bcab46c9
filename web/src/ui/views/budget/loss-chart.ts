// The loss of models of all sizes at the budget's FLOPs, at a tenth of them and at ten times as many,
// with known models at what their tokens make of them. The core answers for each point.

import trained from '../../../../../shared/trained-models.json';
import { html, nothing, type TemplateResult } from 'lit';
import type { SweepData } from '../../../charts/kit/data.ts';
import { SweepChart } from '../../../charts/sweep/sweep.ts';
import { define } from '../../../dom/define.ts';
import type { Inputs } from '../../../engine/index.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** A chip that a day of which trains anything: neither size nor time rests on the reader's. */
const chip = { memory: 1e15, memoryBandwidth: 1e15, peakBf16: 1e21 };
const daySeconds = 86400;

/** Any dense model; its parameters are stated. */
const model = {
  ...{ layers: 1, hidden: 128, feedForward: 512, heads: 1, kvHeads: 1, headDim: 128 },
  vocabulary: 256,
};

/** The loss above the law's floor of so many parameters that are trained with so many FLOPs. */
function lossOf(ctx: RenderContext, parameters: number, flops: number): number | undefined {
  const reply = ctx.engine.budget({
    chip,
    model: { ...model, statedParameters: parameters, statedActiveParameters: parameters },
    run: { chips: 1, mfu: 1, flopsRule: 'sixN' },
    budget: {
      kind: 'time',
      days: flops / chip.peakBf16 / daySeconds,
      law: ctx.value('budget.law'),
      uniqueTokens: ctx.value('budget.uniqueTokens'),
    },
  } as Inputs['budget']);
  const loss = reply.ok ? reply.answers.excessLoss : undefined;
  return typeof loss === 'number' ? loss : undefined;
}

/** Sizes to either side of the best, as factors of it. */
const span = 32;
const points = 49;
const budgets = [0.1, 1, 10] as const;

function lossData(ctx: RenderContext, results: Results): SweepData | undefined {
  const flops = results.number('totalFlops');
  const best = results.number('optimalParameters');
  if (flops === undefined || best === undefined) return undefined;
  const { lossChart: words } = ctx.text.budgeted;
  const { format } = ctx;
  const sizes = Array.from(
    { length: points },
    (_, index) => best * span ** ((2 * index) / (points - 1) - 1),
  );
  const lines = budgets.map((times) => {
    const losses = sizes.map((size) => lossOf(ctx, size, times * flops));
    return {
      label: format.say(times * flops, 'FLOPs'),
      values: losses.map((loss) => loss ?? 0),
      absent: losses.map((loss) => Number(loss === undefined)),
      ...(times === 1 && { own: true }),
    };
  });
  const known = trained.models.filter(
    ({ parameters }) => parameters > sizes[0]! && parameters < sizes.at(-1)!,
  );
  const marks = known.flatMap(({ name, parameters, tokens }) => {
    const value = lossOf(ctx, parameters, 6 * parameters * tokens);
    return value === undefined ? [] : [{ at: parameters, label: name, value }];
  });
  return {
    title: ctx.fill(words.finding, {
      parameters: results.say('optimalParameters'),
      loss: results.say('optimalLoss'),
      flops: results.say('totalFlops'),
    }),
    description: words.description,
    file: 'iso-flops',
    x: { label: words.x, unit: 'params', scale: 'log', values: sizes },
    y: { label: words.y, unit: '', scale: 'log' },
    lines,
    marks,
    absences: [words.absent],
    own: sizes[(points - 1) / 2]!,
  };
}

/** Nothing where the laws say nothing. */
export function lossChart(ctx: RenderContext, results: Results): TemplateResult | typeof nothing {
  const data = lossData(ctx, results);
  if (!data) return nothing;
  define('scaling-sweep', SweepChart);
  const { charts, bounds } = ctx.text;
  return html`<scaling-sweep
      data-answer-drawn="loss"
      .data=${data}
      .format=${ctx.format}
      .words=${{ ...charts.words, bounds }}
    ></scaling-sweep>
    <p class="note">${ctx.text.budgeted.lossChart.note}</p>`;
}
