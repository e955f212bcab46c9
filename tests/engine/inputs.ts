// Inputs to start from, made of presets so that together every field matters in one of them, and
// what a field's description says of a value.

import chipFile from '../../shared/chips.json' with { type: 'json' };
import modelFile from '../../shared/models.json' with { type: 'json' };
import priceFile from '../../shared/prices.json' with { type: 'json' };
import { createEngine } from '../../web/src/engine/index.ts';
import type {
  Derivations,
  Description,
  Engine,
  Explanation,
  FieldInfo,
  GroupName,
  Issue,
  IssueCode,
  Outcome,
  CoreQuestion,
  TrainingAnswers,
} from '../../web/src/engine/index.ts';

/** An input with whatever in it: what the types forbid, too. */
export type Input = Partial<Record<GroupName, Record<string, unknown>>>;
export type Answers = Record<string, number | string | { absent: string }>;

export function chip(id: string): Record<string, unknown> {
  const { figures } = chipFile.chips.find((preset) => preset.id === id)!;
  const fields = Object.entries(figures).map(([key, figure]) => [key, figure.value]);
  // Prices have a file of their own: a chip has its latest list price.
  const isListed = (provider: string): boolean =>
    priceFile.providers.find((each) => each.id === provider)!.kind !== 'assumption';
  const [price] = priceFile.prices
    .filter((each) => each.chip === id && isListed(each.provider))
    .sort((one, other) => other.date.localeCompare(one.date));
  return Object.fromEntries([...fields, ...(price ? [['price', price.value]] : [])]);
}

export function model(id: string): Record<string, unknown> {
  return { ...modelFile.models.find((preset) => preset.id === id)!.architecture };
}

/** A model that has layers of every kind, and sees. */
const hybrid: Record<string, unknown> = {
  ...model('llama-3-8b'),
  layers: 18,
  layerPattern: '2x(ad.we.sd.c4e.ld.me.ve.w0d.-d)',
  kvHeads: 1,
  queryRank: 512,
  sharedKeyValue: true,
  outputGroups: 4,
  outputRank: 256,
  slidingWindow: 128,
  windowHeads: 16,
  indexTopK: 512,
  indexHeads: 8,
  indexHeadDim: 64,
  linearAttention: 'kimiDelta',
  linearKeyHeads: 16,
  linearValueHeads: 16,
  linearKeyDim: 128,
  linearValueDim: 128,
  mambaHeads: 64,
  mambaHeadDim: 64,
  mambaState: 128,
  mambaGroups: 8,
  perLayerInput: 128,
  experts: 16,
  expertsPerToken: 2,
  expertFeedForward: 1024,
  sharedExperts: 1,
  expertLatent: 1024,
  towerLayers: 4,
  towerHidden: 512,
  towerFeedForward: 2048,
  towerHeads: 8,
  towerWindow: 64,
  towerWindowedLayers: 2,
  imagePatches: 256,
  imageTokens: 64,
};

/** A chip that is the reader's own. */
const owned = (id: string): Record<string, unknown> => ({
  ...chip(id),
  payment: 'owned',
  purchase: 33750,
  hosting: 0.1,
});

export const bases: Record<CoreQuestion, Input[]> = {
  training: [
    { chip: chip('tpu-v5p'), model: model('llama-3-70b'), run: {} },
    { chip: chip('h100-sxm'), model: model('deepseek-v3'), run: { chips: 2048 } },
    {
      chip: chip('tpu-v5e'),
      model: model('gpt-oss-120b'),
      run: { chips: 512, slices: 2, flopsRule: 'exact', checkpointRule: 'modernLayer' },
    },
    {
      chip: chip('rtx-4090'),
      model: model('gpt2-xl'),
      run: { chips: 1, stateSharding: 'none', checkpointRule: 'korthikantiNone' },
    },
    { chip: chip('h100-sxm'), model: hybrid, run: { chips: 64, imagesPerSequence: 2 } },
    { chip: chip('h100-sxm'), model: model('minimax-text-01'), run: { chips: 1024 } },
    {
      chip: owned('h100-sxm'),
      model: model('llama-3-8b'),
      run: { chips: 64 },
    },
    {
      chip: chip('rtx-4090'),
      model: model('llama-3-8b'),
      run: {
        ...{ chips: 1, batchTokens: 16384, sequenceLength: 1024, stateSharding: 'none' },
        ...{ trained: 'qlora', corpus: 'examples' },
      },
    },
    {
      chip: chip('h100-sxm'),
      model: model('llama-3-8b'),
      run: { chips: 8, trained: 'last', trainedLayers: 8 },
    },
  ],
  operation: [
    { chip: chip('tpu-v5e'), operation: { kind: 'dotProduct' } },
    { chip: chip('gb200-nvl72'), operation: { kind: 'elementwise', chain: 3, fused: 2 } },
    { chip: chip('rtx-4090'), operation: { kind: 'softmax', pass: 'both' } },
    { chip: chip('tpu-v5e'), operation: { kind: 'matmul' } },
    { chip: chip('gb200-nvl72'), operation: { kind: 'perBatchWeights', pass: 'backward' } },
    { chip: chip('tpu-v5e'), operation: { kind: 'tiledMatmul', operandsIn: 'host' } },
    { chip: chip('tpu-v5e'), operation: { kind: 'shardedMatmul' } },
    {
      chip: chip('gb200-nvl72'),
      mesh: { x: 144 },
      operation: { kind: 'shardedMatmul', pass: 'both', activationSharding: 'batch', batch: 4096 },
    },
    { chip: chip('h100-sxm'), operation: { kind: 'attention', attentionMask: 'causal' } },
    {
      chip: chip('tpu-v5p'),
      operation: { kind: 'attention', attention: 'latent', latentForm: 'absorbed', queries: 1 },
    },
    {
      chip: chip('h100-sxm'),
      model: model('deepseek-v3'),
      operation: { kind: 'layer', pass: 'both', attentionKernel: 'naive' },
    },
    { chip: chip('tpu-v5p'), model: model('gpt-oss-120b'), operation: { kind: 'layer' } },
    { chip: owned('rtx-4090'), model: model('gpt2-xl'), operation: { kind: 'kvRead' } },
    { chip: chip('h100-sxm'), model: hybrid, operation: { kind: 'layer', mixer: 'linear' } },
    {
      chip: chip('h100-sxm'),
      model: model('minimax-text-01'),
      operation: { kind: 'layer', pass: 'both' },
    },
  ],
  collective: [
    { chip: chip('tpu-v5e'), mesh: { x: 16 }, collective: { kind: 'allGather' } },
    { chip: chip('tpu-v5p'), mesh: { x: 8, y: 3 }, collective: { kind: 'allReduce' } },
    {
      chip: chip('gb200-nvl72'),
      mesh: { x: 288 },
      collective: { kind: 'allToAll', destinations: 8 },
    },
    {
      chip: chip('tpu-v5p'),
      mesh: { x: 4, y: 4, z: 4 },
      collective: { kind: 'pointToPoint', distanceX: 2, distanceZ: 3 },
    },
    {
      chip: chip('h100-sxm'),
      mesh: { x: 8, otherShards: 64 },
      collective: { kind: 'allReduce', inNetworkReduction: true },
    },
    { chip: owned('rtx-4090'), mesh: {}, collective: { kind: 'reduceScatter' } },
  ],
};

/** Questions that the core answers; plans have tests of their own. */
export const questions: CoreQuestion[] = ['training', 'operation', 'collective'];

/** Issues that only plans have. */
export const planCodes: IssueCode[] = [
  ...(['waysDontDivide', 'tensorDoesntDivideHeads', 'contextDoesntDivide'] as const),
  ...(['moreChunksThanLayers', 'expertsDontDivide', 'expertWaysDontDivide'] as const),
  ...(['shardGroupDoesntDivide', 'noSliceShape', 'oddStages', 'bandwidthNotListed'] as const),
  ...(['idleReplicas', 'idleInDomains', 'flopsOvercounted', 'placementsLeftOut'] as const),
  ...(['stagesCount', 'stagesEnds', 'stagesModules', 'stagesModulesSum'] as const),
  ...(['stagesMost', 'stagesUnreadable'] as const),
];

/** Issues that only serving has. */
export const servingCodes: IssueCode[] = [
  'blocksDontDivide',
  'notWholeNodes',
  'lengthsUnreadable',
  'lengthsMost',
  'hostAlone',
];

/** What operations and collectives are asked; there is one engine. */
export const operations = await (await createEngine()).operations();

/** The question's method, for inputs of any shape. */
export function ask(engine: Engine, question: CoreQuestion, input: unknown): Outcome<Answers> {
  const methods = {
    training: engine.estimate,
    operation: operations.roofline,
    collective: operations.collective,
  };
  return methods[question](input as never) as unknown as Outcome<Answers>;
}

export function explain(
  derivations: Derivations,
  question: CoreQuestion,
  input: unknown,
  key: string,
): Explanation {
  return derivations.explain(question as 'training', input as never, key as keyof TrainingAnswers);
}

/** The answers, where there must be some. */
export function answersTo(engine: Engine, question: CoreQuestion, input: unknown): Answers {
  const outcome = ask(engine, question, input);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  return outcome.answers;
}

/** A copy of `input` with one field changed. */
export function change(input: Input, group: GroupName, key: string, value: unknown): Input {
  return { ...input, [group]: { ...input[group], [key]: value } };
}

export interface Place {
  group: GroupName;
  field: FieldInfo;
  name: string;
}

const listed = new WeakMap<object, Place[]>();

/** All fields of a question. */
export function places({ groups, questions }: Description, question: CoreQuestion): Place[] {
  const asked = questions[question];
  let list = listed.get(asked);
  if (!list) {
    list = asked.groups.flatMap((group) =>
      groups[group].map((field) => ({ group, field, name: `${group}.${field.key}` })),
    );
    listed.set(asked, list);
  }
  return list;
}

/** Kinds of operations whose sizes are the model's. */
const ofModel = [
  ...['norm', 'qkvProjection', 'attentionScores', 'attentionValues', 'attentionCore'],
  ...['outputProjection', 'feedForward', 'router', 'experts', 'lmHead', 'embedding', 'kvRead'],
  'layer',
];

/** Does the group matter in this input? An operation has a model or a mesh only if it needs one. */
function groupMatters({ groups }: Description, input: Input, group: GroupName): boolean {
  if (!input.operation || (group !== 'model' && group !== 'mesh')) return true;
  const { default: fallback } = groups.operation.find(({ key }) => key === 'kind')!;
  const kind = (input.operation.kind ?? fallback) as string;
  return group === 'mesh' ? kind === 'shardedMatmul' : ofModel.includes(kind);
}

/** Does the field matter in this input? */
export function matters(description: Description, input: Input, { group, field }: Place): boolean {
  if (!groupMatters(description, input, group)) return false;
  if (!field.when) return true;
  const { field: key, choices } = field.when;
  const other = description.groups[group].find((info) => info.key === key)!;
  // The field that decides has to matter itself.
  if (!matters(description, input, { group, field: other, name: `${group}.${key}` })) return false;
  const given = input[group]?.[key];
  const value = given === undefined ? other.default : given;
  if (other.kind === 'text') {
    if (choices.length === 0) return typeof value !== 'string' || value.trim() === '';
    return typeof value === 'string' && choices.some((letter) => value.includes(letter));
  }
  if (choices.length > 0) return choices.includes(value as string);
  return typeof value === 'number' && value > 0;
}

/** The value of a field that an input leaves out. */
export const usual = (field: FieldInfo, given: Record<string, unknown> | undefined): unknown =>
  Object.entries(field.instead?.while ?? {}).some(([key, of]) => of.includes(String(given?.[key])))
    ? field.instead!.default
    : field.default;

/** The fault of a field's value, if any. */
export function fault(field: FieldInfo, given: unknown): Issue['code'] | undefined {
  const value = given === undefined ? field.default : given;
  if (field.kind === 'text') return typeof value === 'string' ? undefined : 'notText';
  if (value === null) return field.optional ? undefined : 'notANumber';
  if (field.kind === 'choice') {
    return field.choices.includes(value as string) ? undefined : 'unknownChoice';
  }
  if (field.kind === 'flag') return typeof value === 'boolean' ? undefined : 'unknownChoice';
  if (typeof value !== 'number' || Number.isNaN(value)) return 'notANumber';
  if (!Number.isFinite(value)) return 'notFinite';
  if (value < field.min) return 'belowMinimum';
  if (value > field.max) return 'aboveMaximum';
  return field.kind === 'count' && !Number.isInteger(value) ? 'notWhole' : undefined;
}
