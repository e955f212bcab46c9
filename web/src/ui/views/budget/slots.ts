// The verdict on a budget: the tokens that it buys, the largest model, how long it takes and its cost.

import { isPlanned } from '../../../model/state.ts';
import type { Slot } from '../../parts/picture/picture.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { tokensLikely } from './reached.ts';

export const verdictKeys = ['budgetTokens', 'largestParameters', 'trainingTime', 'cost'];

export function verdictOf(ctx: RenderContext, results: Results): Slot[] {
  const likely = tokensLikely(ctx, ctx.state, results.all);
  const unit = results.spoken('budgetTokens');
  return verdictKeys.map((key) => ({
    key,
    large: results.say(key),
    note: ctx.answer(key).label,
    // Without a word, two ways of counting would give one answer two numbers.
    ...(key === 'budgetTokens' && !isPlanned(ctx.state) && { also: ctx.text.ui.counting.book }),
    ...(key === 'budgetTokens' && likely && { range: ctx.format.range(...likely, unit) }),
  }));
}
