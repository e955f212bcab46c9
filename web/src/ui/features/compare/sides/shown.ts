// What a page shows side by side, for those who draw it elsewhere.

import type { Drawn } from './differences.ts';

let shown: Drawn | undefined;

/** Tells what is shown, as far as it is known. */
export function show(drawn: Drawn): void {
  shown = drawn;
}

/** What was shown last; nothing before that. */
export const lastShown = (): Drawn | undefined => shown;
