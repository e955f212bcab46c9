// The messages between a frame and the page around it: `{ scalingCalculator: { v: 1, … } }`.

import { longestLink } from '../link/address.ts';

/** `set` of a message to a frame: a link's text, or its keys and values. */
export function stateIn(data: unknown): string | undefined {
  const { set } = messageIn(data);
  if (typeof set === 'string') return set.length <= longestLink ? set : undefined;
  if (typeof set !== 'object' || set === null) return undefined;
  const pairs = Object.entries(set)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, mostKeys);
  return new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
}

/** `theme` of a message to a frame. */
export function themeIn(data: unknown): string | undefined {
  const { theme } = messageIn(data);
  return typeof theme === 'string' ? theme : undefined;
}

/** The most entries that are read: more than there are fields. */
const mostKeys = 500;

/** What a message holds; nothing if it is none of this version. */
export function messageIn(data: unknown): Record<string, unknown> {
  const message = own(own(data)['scalingCalculator']);
  return message['v'] === 1 ? message : {};
}

const own = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
