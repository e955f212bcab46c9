// Writes a layout as a launch of some software, and says what it can't say: what is written is read
// again, by the same table, and whatever comes back otherwise is named.

import type { Description, FieldValue } from '../engine/index.ts';
import { fieldInfo, type FieldId } from '../model/fields.ts';
import { has } from '../model/own-value.ts';
import { applies } from '../model/state.ts';
import { hubName } from './names.ts';
import { readLaunch, software } from './read.ts';
import { instance } from './serving-rows.ts';
import { isSparse, replicas, type Options, type Software, type SoftwareId } from './software.ts';
import type { Ours, Value, Write } from './values.ts';

/** A question's input, as far as a launch takes it. */
export interface Given {
  /** All fields of the input, by their ids. */
  fields: Ours;
  /** The preset that the model is. */
  model: string;
  /** The fields that the model's preset fills, its formats among them. */
  preset: Ours;
  /** Shares of layers that are computed again as needed, by answer. */
  again?: Readonly<Record<string, number>>;
}

/** The shares of layers that are computed again, among a plan's answers. */
export const recomputed = (answers: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(answers).filter(
      (each): each is [string, number] =>
        each[0].startsWith('again') && typeof each[1] === 'number',
    ),
  );

/** A field that the software has no word for. */
export interface Lost {
  field: FieldId;
  value: FieldValue;
  /** What the software does instead, where that is known. */
  becomes: FieldValue | undefined;
}

/** What the software refuses, in its own words. */
export interface Refusal {
  field: FieldId;
  says: string;
}

export interface Written {
  text: string;
  lost: Lost[];
  refusals: Refusal[];
  /** Whether the model is no part of what is written. */
  withoutModel: boolean;
  /** Instances that have to be started: the command starts one. */
  instances: number;
}

/** The software that a question is handed out for. */
export const softwareFor = (question: string): readonly SoftwareId[] =>
  Object.values(software)
    .filter((each) => each.question === question && each.text)
    .map(({ id }) => id);

/** The fields that launches are about. */
const launched: Readonly<Record<Software['question'], readonly FieldId[]>> = {
  plan: [
    ...(
      [
        ...['chips', 'slices', 'tokens', 'batchTokens', 'sequenceLength', 'computeFormat'],
        'trained',
      ] as const
    ).map((key): FieldId => `run.${key}`),
    ...(
      [
        ...[
          'tensor',
          'sequenceParallel',
          'context',
          'contextKind',
          'pipeline',
          'schedule',
          'virtualStages',
        ],
        ...[
          'stageLayers',
          'expert',
          'expertTensor',
          'expertNodes',
          'microBatch',
          'sharding',
          'shardGroup',
        ],
        ...[
          'recompute',
          'recomputeLayers',
          'savedCopies',
          'optimizer',
          'masterFormat',
          'gradientFormat',
        ],
        ...['fp8Matmuls', 'offload', 'hostActivations', 'attentionKernel', 'dropout'],
      ] as const
    ).map((key): FieldId => `layout.${key}`),
    'stack.selective',
  ],
  serving: [
    ...(
      [
        ...['chips', 'tensor', 'attentionData', 'expert', 'pipeline', 'apart', 'prefillChips'],
        ...['prefillTensor', 'prefillExpert', 'prefillData', 'draftTokens'],
        ...['hostLayers', 'hostExperts'],
      ] as const
    ).map((key): FieldId => `serving.${key}`),
    ...(
      [
        ...[
          'weights',
          'attentionWeights',
          'expertWeights',
          'cacheFormat',
          'blockTokens',
          'divideByBatch',
        ],
        ...[
          'longestSequence',
          'shareOf',
          'memoryShare',
          'tokenBudget',
          'mostSequences',
          'streamInterval',
        ],
        ...['redundantExperts'],
      ] as const
    ).map((key): FieldId => `server.${key}`),
  ],
};

const ofTraining: readonly FieldId[] = [
  'run.chips',
  'run.tokens',
  'run.batchTokens',
  'run.sequenceLength',
];

/** Makes what writes a row of fields. */
const writing = (fields: Ours, again: Given['again'] = {}): Write => ({
  of: (id) => fields[id] ?? null,
  number: (id) => Number(fields[id] ?? 0),
  again: (answer) => again[answer] ?? 0,
});

function optionsOf({ rows, sizes = [] }: Software, ours: Write): Options {
  const of = (place: 'launcher' | undefined) =>
    rows
      .filter((row) => row.place === place && row.keys.length > 0)
      .flatMap((row): [string, Value][] => {
        const value = row.put(ours);
        return value === undefined ? [] : [[row.keys[0]!, value]];
      });
  return {
    program: of(undefined),
    launcher: of('launcher'),
    model: sizes.flatMap(({ keys, put }): [string, Value][] => {
      const value = put(ours);
      return value === undefined ? [] : [[keys[0]!, value]];
    }),
  };
}

/** The instance that prefills, as one that answers. */
const prefilling = (fields: Ours): Ours => ({
  ...fields,
  'serving.tensor': fields['serving.prefillTensor'] ?? 1,
  'serving.attentionData': fields['serving.prefillData'] ?? 1,
  'serving.expert': fields['serving.prefillExpert'] ?? 1,
  'serving.pipeline': 1,
  'serving.chips': fields['serving.prefillChips'] ?? 1,
  'serving.draftTokens': 0,
});

/** Fields as they matter: those that say the same in two ways, or nothing, in one way. */
function settled(description: Description, fields: Ours, again: Given['again'] = {}): Ours {
  const ours = writing(fields);
  const next: Record<FieldId, FieldValue> = { ...fields } as Record<FieldId, FieldValue>;
  const usual = (...ids: FieldId[]): void => {
    for (const id of ids) next[id] = fieldInfo(description, id)?.default ?? null;
  };
  if (ours.number('layout.pipeline') === 1)
    usual('layout.schedule', 'layout.virtualStages', 'layout.stageLayers');
  if (ours.of('layout.schedule') === 'oneFOneB') usual('layout.schedule', 'layout.virtualStages');
  if (ours.number('layout.context') === 1) usual('layout.contextKind');
  if (ours.number('layout.tensor') === 1) usual('layout.sequenceParallel');
  if (!isSparse(ours))
    usual('layout.expert', 'layout.expertTensor', 'layout.expertNodes', 'server.expertWeights');
  if (ours.of('layout.sharding') === 'none') usual('layout.shardGroup');
  if (ours.number('layout.shardGroup') === replicas(ours)) usual('layout.shardGroup');
  if (
    ours.of('layout.recompute') === 'cheapest' &&
    !Object.values(again).some((share) => share > 0)
  ) {
    next['layout.recompute'] = 'none';
  }
  if (next['layout.recompute'] !== 'selective') usual('stack.selective');
  const batch = ours.number('run.batchTokens');
  if (batch > 0) next['run.tokens'] = Math.ceil(ours.number('run.tokens') / batch - 1e-9) * batch;
  if (ours.of('serving.apart') !== true) {
    usual(
      'serving.apart',
      'serving.prefillChips',
      'serving.prefillTensor',
      'serving.prefillData',
      'serving.prefillExpert',
    );
  }
  const weights = ours.of('server.weights');
  for (const id of ['server.attentionWeights', 'server.expertWeights'] as const) {
    if (next[id] === weights) next[id] = 'asWeights';
  }
  const groups = ['layout', 'serving', 'server'] as const;
  for (const group of groups) {
    const own = Object.fromEntries(
      Object.entries(next)
        .filter(([id]) => id.startsWith(`${group}.`))
        .map(([id, value]) => [id.slice(group.length + 1), value]),
    );
    for (const key of Object.keys(own)) {
      const id: FieldId = `${group}.${key}`;
      if (fieldInfo(description, id) && !applies(description, id, own)) usual(id);
    }
  }
  return next;
}

/** What the software refuses of a layout. */
const refusedBy = ({ checks }: Software, ours: Write): Refusal[] =>
  checks.flatMap(({ field, says }) => {
    const said = says(ours);
    return said ? [{ field, says: said }] : [];
  });

/** What the software of a launch refuses of it, with all fields of the state that it makes. */
export const refusalsOf = (id: SoftwareId, fields: Ours): Refusal[] =>
  refusedBy(software[id], writing(fields));

/** Writes a layout for some software. */
export async function writeLaunch(
  description: Description,
  id: SoftwareId,
  given: Given,
): Promise<Written> {
  const to = software[id];
  const fields: Ours = {
    ...settled(description, given.fields, given.again),
    'server.published': given.preset['server.weights'] ?? 'bf16',
  };
  const ours = writing(fields, given.again);
  const name = hubName(given.model) ?? '${MODEL}';
  const { text: put } = to;
  if (!put) throw new RangeError(`${to.name} is only read`);
  const text = (own: Write, role: 'prefill' | 'decode' | undefined): string =>
    put(optionsOf(to, own), { model: name, role });
  const isApart = fields['serving.apart'] === true;
  const decode: Ours = isApart
    ? {
        ...fields,
        'serving.chips': ours.number('serving.chips') - ours.number('serving.prefillChips'),
      }
    : fields;
  const parts = isApart
    ? [text(writing(prefilling(fields)), 'prefill'), text(writing(decode), 'decode')]
    : [text(ours, undefined)];
  const body = parts.join('\n');
  const back = await readLaunch(description, body, given.fields);
  if (!back || !has(back, 'fields')) throw new Error(`${to.name}: what is written can't be read`);
  // What a launch leaves open is as the model's preset has it.
  const there = settled(description, {
    ...Object.fromEntries(
      launched[to.question].map((each) => [each, fieldInfo(description, each)?.default ?? null]),
    ),
    ...only(given.fields, 'model.'),
    ...given.preset,
    ...back.fields,
  });
  const lost = launched[to.question].flatMap((field): Lost[] => {
    const value = fields[field] ?? null;
    const other = there[field] ?? null;
    // What a training is of has no default of any software.
    if (ofTraining.includes(field) && back.fields[field] === undefined) {
      return [{ field, value: given.fields[field] ?? null, becomes: undefined }];
    }
    if (field === 'stack.selective' && fields['layout.recompute'] !== 'selective') return [];
    if (value === other || (fieldInfo(description, field)?.kind === 'number' && near(value, other)))
      return [];
    return [
      { field, value: given.fields[field] ?? null, becomes: back.fields[field] ?? undefined },
    ];
  });
  const refusals = [decode, ...(isApart ? [prefilling(fields)] : [])].flatMap((part) =>
    refusedBy(to, writing(part, given.again)),
  );
  return {
    text: body,
    lost,
    refusals,
    withoutModel: back.model === undefined || back.model.by === 'unknown',
    instances:
      to.question === 'serving' && !isApart
        ? ours.number('serving.chips') /
          Math.max(1, Number(back.fields['serving.chips'] ?? instance(ours)))
        : 1,
  };
}

const near = (one: FieldValue, other: FieldValue): boolean =>
  typeof one === 'number' &&
  typeof other === 'number' &&
  Math.abs(one - other) <= 1e-9 * Math.abs(one);

const only = (fields: Ours, start: string): Ours =>
  Object.fromEntries(Object.entries(fields).filter(([id]) => id.startsWith(start)));
