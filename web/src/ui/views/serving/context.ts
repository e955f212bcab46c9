// The cache of a sequence and the FLOPs of a token against the context, for several models.
// The core answers for each length; nothing is computed here.

import { html, nothing, type TemplateResult } from 'lit';
import { SweepChart } from '../../../charts/sweep/sweep.ts';
import { define } from '../../../dom/define.ts';
import type { SweepData } from '../../../charts/kit/data.ts';
import type { Engine, Samples } from '../../../engine/index.ts';
import { mostModels } from '../../../model/charts.ts';
import { architectureOf, modelEntries, modelOf, type InputGroup } from '../../../model/presets.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { besides } from './beside.ts';

const shortest = 1024;
const longest = 2 ** 20;

/** Tokens of context: doublings, each with one token of answer at its end. */
const contexts: readonly number[] = Array.from(
  { length: Math.log2(longest / shortest) + 1 },
  (_, index) => shortest * 2 ** index,
);

/** Neither what a sequence keeps nor what a token costs rests on the chip. */
const anyChip = { memory: 1e15, memoryBandwidth: 1e12, peakBf16: 1e15 };

interface Drawn {
  label: string;
  fields: InputGroup;
  own: boolean;
}

/** The reader's own model, and those chosen beside it. */
function drawn(ctx: RenderContext, own: InputGroup): Drawn[] {
  const others = (ctx.state.charts.models ?? []).map((id) => {
    const model = modelOf(id);
    return { label: model.name, fields: architectureOf(model, ctx.state.figures), own: false };
  });
  return [{ label: ctx.called('model'), fields: own, own: true }, ...others];
}

/** The bytes that a sequence of each length keeps. */
function cacheOf(engine: Engine, model: InputGroup, server: InputGroup): Samples | undefined {
  const reply = engine
    .loaded('serving')!
    .sweep(
      { chip: anyChip, model, serving: { chips: 1, answerTokens: 1 }, server } as never,
      { field: 'serving.promptTokens', values: contexts.map((tokens) => tokens - 1) },
      ['kvPerSequence'],
    );
  return reply.ok ? reply.series.kvPerSequence : undefined;
}

/** The forward FLOPs of a token that sees a context of each length. */
function flopsOf({ engine }: RenderContext, model: InputGroup): Samples {
  const run = {
    chips: 1,
    batchTokens: longest,
    flopsRule: 'exact',
    attentionMask: 'full', // each token sees all others, as the last one does
  };
  const flops = contexts.map((sequenceLength) => {
    const reply = engine.estimate({
      chip: anyChip,
      model,
      run: { ...run, sequenceLength },
    } as never);
    return reply.ok ? reply.answers.forwardFlopsPerToken : undefined;
  });
  return {
    values: Float64Array.from(flops, (each) => (typeof each === 'number' ? each : NaN)),
    absent: Uint8Array.from(flops, (each) => Number(typeof each !== 'number')),
  };
}

const kinds = ['cache', 'flops'] as const;
type Kind = (typeof kinds)[number];

function dataOf(
  ctx: RenderContext,
  kind: Kind,
  models: readonly Drawn[],
  samplesOf: (fields: InputGroup) => Samples | undefined,
): SweepData | undefined {
  const words = ctx.text.served.context;
  const unit = kind === 'cache' ? 'B' : 'FLOPs/token';
  const lines = models.flatMap(({ label, fields, own }) => {
    const samples = samplesOf(fields);
    if (!samples?.absent.some((reason) => reason === 0)) return [];
    const { values, absent } = samples;
    return [{ label, values, absent, ...(own && { own }) }];
  });
  const [first] = lines;
  if (!first) return undefined;
  const at = contexts.indexOf(2 ** 17);
  const said = first.absent[at] ? undefined : ctx.format.say(first.values[at]!, unit);
  return {
    title: said
      ? ctx.fill(words[kind].finding, { model: first.label, value: said })
      : words[kind].y,
    description: words[kind].description,
    file: kind === 'cache' ? 'cache-context' : 'flops-context',
    x: { label: words.x, unit: 'tokens', scale: 'log', values: contexts },
    y: { label: words[kind].y, unit, scale: 'log' },
    lines,
    marks: [],
    absences: ctx.description.absences.map(
      (absence) => (ctx.text.absences as Record<string, string>)[absence] ?? absence,
    ),
  };
}

/** Both charts, and the models in them. */
export function contextCharts(
  ctx: RenderContext,
  { model = {}, server = {} }: Readonly<Record<string, InputGroup>>,
  words: object,
): TemplateResult {
  const models = drawn(ctx, model);
  const samples: Record<Kind, (fields: InputGroup) => Samples | undefined> = {
    cache: (fields) => cacheOf(ctx.engine, fields, server),
    flops: (fields) => flopsOf(ctx, fields),
  };
  define('scaling-sweep', SweepChart);
  return html`${chosen(ctx)}
    ${kinds.map((kind) => {
      const data = dataOf(ctx, kind, models, samples[kind]);
      return data
        ? html`<scaling-sweep
            data-over=${kind}
            .data=${data}
            .format=${ctx.format}
            .words=${words}
          ></scaling-sweep>`
        : nothing;
    })}
    <p class="note">${ctx.text.served.context.note}</p>`;
}

/** The choice of the models beside the reader's. */
function chosen(ctx: RenderContext): TemplateResult {
  const { models: label, other, add } = ctx.text.served.context;
  return besides(ctx, { key: 'models', label, other, add, usual: wellKnown, most: mostModels });
}

/** Models that most readers know, told apart by their attention: those that are added first. */
const wellKnown = [
  'deepseek-v3',
  'gpt-oss-120b',
  'llama-3.1-8b',
  ...modelEntries.map(({ id }) => id),
];
