// How the parts of a server's memory and of a request's time look, in the drawing and in "Why".

import { looks, type Look, type Part } from '../../../charts/kit/looks.ts';
import type { Results } from '../../kit/results.ts';
import { shapes, type Bound } from '../../parts/answers/bound.ts';

/** The colour of a bound: reading weights or the cache is memory's, launches have none. */
export const boundOf = (choice: string): Bound | undefined =>
  choice === 'weights' || choice === 'cache'
    ? 'memory'
    : Object.hasOwn(shapes, choice)
      ? (choice as Bound)
      : undefined;

/** The word of a bound without a shape. */
export const unshaped = (choice: string): 'host' | 'launches' =>
  choice === 'host' ? 'host' : 'launches';

/** The look of each answer: a read has that of the memory that it reads. */
const parts = {
  weightsOnChip: 'parameters',
  reservedOnChip: 'runtime',
  cacheUsed: 'cache',
  placeTime: 'waiting',
  queueTime: 'queue',
  transferTime: 'handOver',
  fetchTime: 'host',
  beginTime: 'launch',
  firstToken: 'whole',
  decodeMatmuls: 'parameters',
  decodeExperts: 'expertReads',
  decodeAttention: 'cache',
  decodeNetwork: 'tensor',
  decodeElementwise: 'elementwise',
  decodeHead: 'head',
  decodeLaunches: 'launch',
  decodeHost: 'host',
  mixedStep: 'prefill',
  tokenTime: 'whole',
  others: 'whole',
} as const satisfies Record<string, Part>;

/** Prefill in the colour of what bounds it. */
const prefills = { compute: 'prefill', memory: 'prefillReads', network: 'prefillSends' } as const;

/** The part that an answer is drawn as. */
export function partOf(results: Results, key: keyof typeof parts | 'prefillTime'): Part {
  if (key !== 'prefillTime') return parts[key];
  const bound = boundOf(results.choice('prefillBound'));
  return bound ? prefills[bound] : 'whole';
}

export const lookOf = (results: Results, key: Parameters<typeof partOf>[1]): Look =>
  looks[partOf(results, key)];
