// What each calculator shows side by side, for those who draw it elsewhere.

import type { Actions } from '../../../kit/render-context.ts';
import type { Drawn } from './differences.ts';

const shown = new WeakMap<Actions, Drawn>();

/** Tells what is shown, as far as it is known. */
export function show(drawn: Drawn): void {
  shown.set(drawn.ctx.actions, drawn);
}

/** What a calculator showed last; nothing before that. */
export const lastShown = (actions: Actions): Drawn | undefined => shown.get(actions);
