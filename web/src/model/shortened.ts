import { listOfLengths } from '../number/lengths.ts';
import type { FieldId } from './fields.ts';

/** Texts into which readers paste a column of numbers. */
const columns: readonly FieldId[] = [
  'serving.promptLengths',
  'serving.answerLengths',
  'reward.answerLengths',
];

export const isColumn = (id: FieldId): boolean => columns.includes(id);

/** A text as short as a link holds it: columns of numbers become lists of a few. */
export const shortened = (id: FieldId, text: string): string =>
  isColumn(id) ? listOfLengths(text) : text;
