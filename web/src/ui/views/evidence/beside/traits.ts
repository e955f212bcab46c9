// The traits that a plan has in common with measured runs.

import { evaluate } from '../../../../model/evaluate.ts';
import type { RunFilter } from '../runs/settings.ts';
import { isSparse } from '../../../kit/model-parts.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Format, Traits } from '../runs/run.ts';

/** The format of the plan's matmuls, as runs tell theirs apart. */
function formatOf(ctx: RenderContext): Format {
  const compute = String(ctx.value('run.computeFormat'));
  if (compute.startsWith('fp4')) return 'fp4';
  if (compute.startsWith('int8')) return 'int8';
  return compute.startsWith('fp8') || ctx.value('layout.fp8Matmuls') === true ? 'fp8' : 'bf16';
}

/** The traits of the context's plan or training; undefined where its parameters are not known. */
export function traitsOf(ctx: RenderContext): (Traits & { chip: string }) | undefined {
  const reply = evaluate(ctx.engine, { ...ctx.state, page: undefined, view: 'training' });
  const parameters = reply.ok ? reply.answers['computedParameters'] : undefined;
  if (typeof parameters !== 'number') return undefined;
  return {
    chip: ctx.state.chip,
    generation: String(ctx.value('chip.generation')),
    kind: isSparse(ctx) ? 'moe' : 'dense',
    format: formatOf(ctx),
    trained: String(ctx.value('run.trained')),
    chips: Number(ctx.value('run.chips')),
    parameters,
  };
}

/** Shows the runs that are like a plan. */
export const filterOf = ({
  generation,
  kind,
  format,
  load,
  trained = 'all',
  chips,
  parameters,
}: Traits): RunFilter => ({
  generation,
  kind,
  format,
  ...(load && { load }),
  ...(trained !== 'all' && { trained }),
  chips,
  parameters: Number(parameters.toPrecision(3)),
});
