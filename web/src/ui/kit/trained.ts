// What a training changes of its model.

import type { RenderContext } from './render-context.ts';

type Trained = 'all' | 'last' | 'lora' | 'qlora';

export const trains = (ctx: RenderContext, what: Trained): boolean =>
  ctx.value('run.trained') === what;

/** Whether weights of the model itself are trained, all or some, rather than adapters beside them. */
export const trainsWeights = (ctx: RenderContext): boolean =>
  trains(ctx, 'all') || trains(ctx, 'last');
