// What a frame takes from the page around it.

import { longestLink } from '../link/address.ts';
import { messageIn } from './message.ts';

/** The most entries that are read: more than there are fields. */
const mostKeys = 500;

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
