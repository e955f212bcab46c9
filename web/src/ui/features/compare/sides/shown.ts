// Keeps the sides that each calculator shows, for cards that draw them elsewhere.

import type { Actions } from '../../../kit/render-context.ts';
import type { Drawn } from './differences.ts';

const shown = new WeakMap<Actions, Drawn>();

/** Keeps the sides of a calculator, as far as they are known. */
export function show(drawn: Drawn): void {
  shown.set(drawn.ctx.actions, drawn);
}

/** The sides that a calculator showed last; none before that. */
export const lastShown = (actions: Actions): Drawn | undefined => shown.get(actions);
