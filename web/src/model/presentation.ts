import type { FieldInfo } from '../engine/index.ts';
import { stepTime, type Notation } from '../number/unit.ts';

/** Answers that are fractions and that people say in percent. The core says which fields are. */
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
  'againNorms',
  'againProduct',
  'againQkv',
  'againAttention',
  'againHidden',
  'againMiddle',
  'againResults',
  'utilisation',
  'kvWaste',
  'prefillShare',
]);
export const isPercent = (key: string): boolean => percents.has(key);

const stepTimes: ReadonlySet<string> = new Set([
  'stepTime',
  'stepExpected',
  'stepLower',
  'stepUpper',
  'stepLow',
  'stepHigh',
]);

/** The unit in which people say an answer: fractions in percent, steps in seconds. */
export const spokenUnit = (key: string, unit: string): string =>
  isPercent(key) ? '%' : stepTimes.has(key) ? stepTime : unit;

export const notationOf = ({ unit, shown }: FieldInfo): Notation => ({
  unit,
  percent: shown === 'percent',
});
