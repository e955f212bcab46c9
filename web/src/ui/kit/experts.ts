import type { RenderContext } from './render-context.ts';

/** Whether the model has experts. */
export const isSparse = (ctx: RenderContext): boolean => Number(ctx.value('model.experts')) > 0;

/** Whether the model has experts whose weights are in a format of their own. */
export const expertsApart = (ctx: RenderContext): boolean =>
  isSparse(ctx) && ctx.value('server.expertWeights') !== 'asWeights';
