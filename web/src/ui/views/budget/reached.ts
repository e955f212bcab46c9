// What a predicted budget takes from its plan: the MFU with failures, and how sure it is.

import { rangeOf } from '../../../model/bounds.ts';
import { mfuWithFailures, planned, type Answers } from '../../../model/evaluate.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext, View } from '../../kit/render-context.ts';

/** The answers of the plan whose MFU a prediction takes. */
export function planOf({ engine, state }: RenderContext): Answers | undefined {
  const plan = planned(engine, state);
  return plan?.ok ? plan.answers : undefined;
}

/** The MFU with failures. */
export const mfuOf = (ctx: RenderContext, plan: Answers): string =>
  ctx.format.say(mfuWithFailures(plan), '%');

/** The range in which the tokens are likely to lie: the step of the plan has one. */
export function tokensLikely(
  ctx: RenderContext,
  state: State,
  { budgetTokens }: Answers,
): readonly [number, number] | undefined {
  const plan = planOf(ctx.at(state));
  if (!plan || typeof budgetTokens !== 'number') return undefined;
  const band = rangeOf(ctx.description.questions.plan, plan, 'tokensPerSecond');
  return band?.map((speed) => (budgetTokens * speed) / Number(plan['tokensPerSecond'])) as
    readonly [number, number] | undefined;
}

/** The more tokens, the better. */
export const best: Required<View>['best'] = { key: 'budgetTokens', most: true, band: tokensLikely };
