import type { FieldId } from '../../model/fields.ts';
import type { RenderContext } from './render-context.ts';

/** Fields about a part that not every model has, by the field that counts it. */
const about: readonly (readonly [FieldId, ReadonlySet<FieldId>])[] = [
  [
    'model.experts',
    new Set<FieldId>([
      'layout.expert',
      'layout.expertTensor',
      'layout.expertNodes',
      'layout.expertResults',
      'search.expert',
      'search.expertTensor',
      'stack.expertDispatch',
      'stack.fp8Dispatch',
      'stack.expertOverlap',
      'assumptions.overlapExpert',
      'assumptions.expertImbalance',
      'serving.attentionData',
      'serving.expert',
      'serving.prefillData',
      'serving.prefillExpert',
      'serving.hostExperts',
      'server.expertWeights',
      'server.expertBits',
      'server.expertDispatch',
      'server.dispatchFormat',
      'server.twoBatches',
      'server.redundantExperts',
      'pools.trainingExpert',
    ]),
  ],
  [
    'model.towerLayers',
    new Set<FieldId>(['run.imagesPerSequence', 'run.trainTower', 'serving.imagesPerPrompt']),
  ],
];

const hasPart = (ctx: RenderContext, part: FieldId): boolean => Number(ctx.value(part)) > 0;

/** Whether nothing depends on a field, as the model lacks the part that it is about. */
export const isOfAbsentPart = (ctx: RenderContext, id: FieldId): boolean =>
  about.some(([part, fields]) => fields.has(id) && !hasPart(ctx, part)) && !ctx.invalid(id);

/** Whether the model has experts. */
export const isSparse = (ctx: RenderContext): boolean => hasPart(ctx, 'model.experts');

/** Whether the model has experts whose weights are in a format of their own. */
export const expertsApart = (ctx: RenderContext): boolean =>
  isSparse(ctx) && ctx.value('server.expertWeights') !== 'asWeights';
