import type { FieldId } from '../../../model/fields.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { fieldsOf } from '../view.ts';

/** What is said of a chip's network. */
export const networkFields = [
  'network',
  'torusX',
  'torusY',
  'torusZ',
  'wraparound',
  'linkBandwidth',
  'scaleUpChips',
  'scaleUpBandwidth',
  'scaleOutBandwidth',
  'leafDomains',
  'oversubscription',
  'hopLatency',
  'scaleOutLatency',
];
/** What only costs depend on. */
export const priceFields = ['price', 'power'];
/** What only single operations and transfers depend on. */
export const detailFields = [
  'onChipMemory',
  'onChipBandwidth',
  'tileMemory',
  'peakVector',
  'hostBandwidth',
  'leafDomains',
  'oversubscription',
  'hopLatency',
  'scaleOutLatency',
];

/** The fields of the chip that a question's answers rest on. */
export const chipFields = (ctx: RenderContext, isUsed: (key: string) => boolean): FieldId[] =>
  fieldsOf(ctx, 'chip').filter((id) => isUsed(id.slice('chip.'.length)));
