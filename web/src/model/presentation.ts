import type { FieldInfo } from '../engine/index.ts';
import { stepTime, type Notation } from '../number/unit.ts';

/** Answers that are fractions and that people say in percent. Of fields, the core says which. */
const percents: ReadonlySet<string> = new Set([
  'memoryFraction',
  'fractionOfPeak',
  'shareFeedForward',
  'shareAttention',
  'shareVocabulary',
  'mfu',
  'mfuExact',
  'hfu',
  'goodput',
]);
export const isPercent = (key: string): boolean => percents.has(key);

const stepTimes: ReadonlySet<string> = new Set([
  'stepTime',
  'stepExpected',
  'stepLower',
  'stepUpper',
]);

/** The unit in which people say an answer: fractions in percent, steps in seconds. */
export const spokenUnit = (key: string, unit: string): string =>
  isPercent(key) ? '%' : stepTimes.has(key) ? stepTime : unit;

export const notationOf = ({ unit, shown }: FieldInfo): Notation => ({
  unit,
  percent: shown === 'percent',
});

/** The operations of a layer of the model, or of its ends; others have sizes of their own. */
export const modelKinds = [
  'norm',
  'qkvProjection',
  'attentionScores',
  'attentionValues',
  'attentionCore',
  'outputProjection',
  'feedForward',
  'router',
  'experts',
  'lmHead',
  'embedding',
  'kvRead',
  'layer',
];
export const isModelKind = (kind: string): boolean => modelKinds.includes(kind);
