// The messages that the page around a frame may send.

import { longestLink } from '../link/address.ts';

/** `{ scalingCalculator: { v: 1, set } }`: a link's text, or its keys and values. */
export function stateIn(data: unknown): string | undefined {
  const { v, set } = own(own(data)['scalingCalculator']);
  if (v !== 1) return undefined;
  if (typeof set === 'string') return set.length <= longestLink ? set : undefined;
  if (typeof set !== 'object' || set === null) return undefined;
  const pairs = Object.entries(set)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, mostKeys);
  return new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
}

/** The most entries that are read: more than there are fields. */
const mostKeys = 500;

const own = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
