import type { Shown } from './types.ts';

/** What tells how people say its numbers: a field, an answer, or a node of a derivation. */
export interface Told {
  unit: string;
  /** Plain where it is left out. */
  shown?: Shown;
}

/** That alone. */
export const toldOf = ({ unit, shown }: Told): Told => ({ unit, ...(shown && { shown }) });
