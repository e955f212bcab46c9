// What the tables of servers have in common.

import { has } from '../model/own-value.ts';
import { isSparse, type Check } from './software.ts';
import {
  choice,
  follows,
  number,
  numberOf,
  toggle,
  type Read,
  type Row,
  type Value,
  type Write,
} from './values.ts';

/** All ways by which an instance's experts can be divided. */
export const spread = (of: { number(id: `serving.${string}`): number }): number =>
  of.number('serving.tensor') * of.number('serving.attentionData');

/** The chips of an instance. */
export const instance = (of: { number(id: `serving.${string}`): number }): number =>
  spread(of) * of.number('serving.pipeline');

/** Whole copies of a model of which each has its own requests. */
export const copies = (ours: Write): number =>
  Math.max(1, Math.floor(ours.number('serving.chips') / instance(ours)));

/** The chips of all that the command starts. */
export const chips = (copies: (read: Read) => number): Row =>
  follows((read) => ({ 'serving.chips': instance(read) * copies(read) }));

/** Weights in a format that the software makes of 16 bits itself, or that its checkpoints name. */
export const weights = (key: string): Row => ({
  keys: [key],
  put: (ours) =>
    ours.of('server.weights') === 'fp8' && ours.of('server.published') !== 'fp8'
      ? 'fp8'
      : undefined,
  take: (value) => {
    const format = formatNamed(String(value));
    return format === undefined ? undefined : format === 'none' ? {} : { 'server.weights': format };
  },
});

/** The format of weights by the name of a method, or by the end of a checkpoint's name. */
export function formatNamed(name: string): string | undefined {
  const text = name.toLowerCase();
  if (/^(none|null|auto|)$/.test(text)) return 'none';
  if (/mxfp4/.test(text)) return 'mxfp4';
  if (/nvfp4|modelopt_fp4|fp4/.test(text)) return 'nvfp4';
  if (/w4a16|w4a8|int4|awq|gptq|4bit|bitsandbytes|bnb/.test(text))
    return /int8|8bit/.test(text) ? 'int8' : 'int4';
  if (/fp8|w8a8_fp8|fbgemm/.test(text)) return 'fp8';
  if (/w8a8|w8a16|int8|8bit/.test(text)) return 'int8';
  if (/modelopt|compressed-tensors|marlin|gguf|mxfp8/.test(text)) return 'none';
  return undefined;
}

/** Part of a value in JSON, such as the number of drafts in a config of speculation. */
export function inJson(value: Value, ...names: string[]): Value | undefined {
  let found: unknown;
  try {
    found = JSON.parse(String(value));
  } catch {
    return undefined;
  }
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !has(found, name)) continue;
    const inner = (found as Record<string, unknown>)[name];
    if (typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean')
      return inner;
  }
  return undefined;
}

export const drafts = (value: Value | undefined): { 'serving.draftTokens': number } | undefined => {
  const count = numberOf(value);
  return Number.isInteger(count) && count >= 0 ? { 'serving.draftTokens': count } : undefined;
};

const exchanges = (of: { number(id: `serving.${string}` | `model.${string}`): number }): boolean =>
  isSparse(of) && of.number('serving.expert') > 1;

/** How tokens reach their experts, where they travel. */
export const dispatch = (key: string, words: Readonly<Record<string, readonly string[]>>): Row =>
  choice(key, 'server.expertDispatch', words, {
    if: (ours) => exchanges(ours) && ours.of('server.expertDispatch') !== 'usual',
    usual: (read) => (exchanges(read) ? { 'server.expertDispatch': 'usual' } : undefined),
  });

/** Two halves of a step that take turns, so that one computes while the other's tokens travel. */
export const twoBatches = (key: string): Row =>
  toggle(
    key,
    (ours) => exchanges(ours) && ours.of('server.twoBatches') === true,
    (on) => ({ 'server.twoBatches': on }),
    { usual: (read) => (exchanges(read) ? { 'server.twoBatches': false } : undefined) },
  );

/** What the commands that load a server for a benchmark say of requests. */
export const load: readonly Row[] = [
  ...(
    [
      ['random-input-len', 'serving.promptTokens'],
      ['random-output-len', 'serving.answerTokens'],
    ] as const
  ).map(([key, id]): Row => ({
    ...number([key, key.replace('random-', '')], id),
    put: () => undefined,
  })),
  {
    keys: ['max-concurrency'],
    put: () => undefined,
    take: (value) =>
      numberOf(value) >= 1
        ? { 'serving.load': 'closed', 'serving.users': numberOf(value) }
        : undefined,
  },
  {
    keys: ['request-rate'],
    put: () => undefined,
    take: (value, read) => {
      if (/^inf/i.test(String(value))) return {};
      if (!(numberOf(value) > 0)) return undefined;
      return read.on('max-concurrency')
        ? {}
        : { 'serving.load': 'open', 'serving.requestRate': numberOf(value) };
    },
  },
];

/** Heads by tensor ways, in the words of one software. */
export const heads = (says: (heads: number, ways: number) => string): Check => ({
  field: 'serving.tensor',
  says: (ours) => {
    const [count, ways] = [ours.number('model.heads'), ours.number('serving.tensor')];
    return count % ways !== 0 && says(count, ways);
  },
});
