import type { FieldInfo, GroupName } from '../engine/index.ts';
import { stepTime, type Notation } from '../number/unit.ts';
import type { FieldId } from './fields.ts';

/** Fractions that people say in percent: fields and answers. */
const percents: ReadonlySet<string> = new Set([
  'run.mfu',
  'memoryFraction',
  'fractionOfPeak',
  'shareFeedForward',
  'shareAttention',
  'shareVocabulary',
  'mfu',
  'mfuExact',
  'hfu',
  'goodput',
  ...(
    [
      'computeEfficiency',
      'memoryEfficiency',
      'networkEfficiency',
      'overlapTensor',
      'overlapContext',
      'overlapExpert',
      'overlapData',
      'overlapPipeline',
      'usableMemory',
    ] as const
  ).map((key) => `assumptions.${key}`),
]);
export const isPercent = (id: string): boolean => percents.has(id);

const stepTimes: ReadonlySet<string> = new Set([
  'stepTime',
  'stepExpected',
  'stepLower',
  'stepUpper',
]);

/** The unit in which people say an answer: fractions in percent, steps in seconds. */
export const spokenUnit = (key: string, unit: string): string =>
  isPercent(key) ? '%' : stepTimes.has(key) ? stepTime : unit;

export const notationOf = (group: GroupName, field: FieldInfo): Notation => ({
  unit: field.unit,
  percent: isPercent(`${group}.${field.key}`),
});

/** Counts that are doubled and halved rather than raised by a digit. */
const powersOfTwo: ReadonlySet<FieldId> = new Set<FieldId>([
  'run.sequenceLength',
  ...(
    [
      'length',
      'batch',
      'contraction',
      'output',
      'tileRows',
      'tileContraction',
      'tileOutput',
      'sequences',
      'queries',
      'keys',
      'heads',
      'kvHeads',
      'headDim',
      'latentRank',
      'ropeDim',
      'nopeDim',
      'valueDim',
    ] as const
  ).map((key): FieldId => `operation.${key}`),
  'mesh.x',
  'mesh.y',
  'mesh.z',
  ...(
    [
      'tensor',
      'context',
      'pipeline',
      'virtualStages',
      'expert',
      'expertTensor',
      'microBatch',
    ] as const
  ).map((key): FieldId => `layout.${key}`),
]);
export const doubles = (id: FieldId): boolean => powersOfTwo.has(id);

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
