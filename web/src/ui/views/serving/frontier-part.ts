// The drawing of the frontier of several chips. Only the page provides it; elements in posts draw
// that of their own chip.

import type { RenderContext } from '../../kit/render-context.ts';
import type { Answers } from '../../../model/evaluate.ts';

type Draw = (ctx: RenderContext, answers: Answers | undefined) => unknown;

let draw: Draw | undefined;

export const provideFrontiers = (given: Draw): void => void (draw = given);

/** Undefined where nobody has provided it. */
export const drawFrontiers = (ctx: RenderContext, answers: Answers | undefined): unknown =>
  draw?.(ctx, answers);
