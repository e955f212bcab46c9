// The best way to divide the chips of servers: the core's search, asked with the ways that are given.

import type { RawIssue } from './core.ts';
import type { Inputs, ServingDivision } from './types.ts';

type Input = Inputs['serving'];

/** The ways in the order of the module; those of servers that prefill follow those that answer. */
const answering = ['tensor', 'attentionData', 'expert', 'pipeline'] as const;
const prefilling = ['prefillChips', 'prefillTensor', 'prefillData', 'prefillExpert'] as const;
const keys = [...answering, ...prefilling];

/** The ways that the search chooses. */
const open = 0;
const openCache = -1;

type Given = readonly number[];
export type Divide = (...given: Given) => {
  issues?: RawIssue[];
  ways?: Float64Array;
} | null;

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : otherwise;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** A group of the input; none where it is no object, of which the module tells. */
const groupIn = (input: unknown, name: 'serving' | 'server'): Record<string, unknown> => {
  const group = isObject(input) && Object.hasOwn(input, name) ? input[name] : undefined;
  // Some pages give properties to all objects; these are no fields.
  return isObject(group) ? { __proto__: null, ...group } : { __proto__: null };
};

/** The input without its ways, which the search is given apart from it, and these. */
export function openWays(input: Input): { input: Input; given: Given } {
  const serving = groupIn(input, 'serving');
  const { divideByBatch } = groupIn(input, 'server');
  const others = Object.entries(serving).filter(([key]) => !keys.includes(key as never));
  const bare = { serving: Object.fromEntries(others) as NonNullable<Input['serving']> };
  return {
    input: isObject(input) && isObject(input.serving) ? { ...input, ...bare } : input,
    given: [
      ...keys.map((key) => numberOf(serving[key], open)),
      typeof divideByBatch === 'boolean' ? Number(divideByBatch) : openCache,
    ],
  };
}

/** The ways that were found; what is given, and else one of each, where the input is not valid. */
export function readWays(input: Input, found: ArrayLike<number> | undefined): ServingDivision {
  const given = groupIn(input, 'serving');
  const ways = keys.map((key, index) => found?.[index] ?? numberOf(given[key], 1));
  const these = (names: readonly string[], from: number) =>
    Object.fromEntries(names.map((key, index) => [key, ways[from + index]!]));
  const byBatch = found
    ? found[keys.length] === 1
    : groupIn(input, 'server').divideByBatch === true;
  return {
    serving: {
      ...these(answering, 0),
      ...(given.apart === true ? these(prefilling, answering.length) : {}),
    } as ServingDivision['serving'],
    server: { divideByBatch: byBatch },
  };
}

/** The input divided so. */
export const withWays = (input: Input, { serving, server }: ServingDivision): Input => ({
  ...input,
  serving: { ...input.serving, ...serving },
  server: { ...input.server, ...server },
});
