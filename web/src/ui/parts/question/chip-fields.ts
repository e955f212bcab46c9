import type { Question } from '../../../model/views.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Scope } from '../../kit/scope.ts';
import { fieldsOf } from '../view.ts';

const network = [
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
const prices = ['price', 'power'];
const details = [
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

const used: Record<Question, (key: string) => boolean> = {
  training: (key) => !details.includes(key),
  operation: (key) => !prices.includes(key),
  collective: (key) => network.includes(key),
  plan: (key) => key !== 'onChipBandwidth' && key !== 'tileMemory',
};

/** The fields of the chip that a question's answers rest on. */
export const chipFields = (scope: Scope, question: Question): FieldId[] =>
  fieldsOf(scope, 'chip').filter((id) => used[question](id.slice('chip.'.length)));
