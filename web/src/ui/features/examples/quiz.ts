// Worked questions as the page keeps them.

import { writeAddress } from '../../../link/address.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** Parts of the page, by which it keeps what is open and what was answered. */
export const openPart = (id: string): string => `example ${id}`;
export const answeredPart = (id: string): string => `answered ${id}`;

const links = new WeakMap<State, string>();

/** The state as a link holds it, whatever the charts show and whatever it is compared with. */
export function linkOf({ description, state }: RenderContext): string {
  let link = links.get(state);
  if (link === undefined) {
    link = writeAddress(description, { ...state, pinned: undefined, charts: {} });
    links.set(state, link);
  }
  return link;
}
