// Targets for the answers of serving: the chips are divided anew for each load that is looked at.

import type { Target } from '../../../engine/index.ts';
import { evaluate } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { withField } from '../../../model/state.ts';
import type { Forward } from '../../kit/forward.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** Asks servers forward. */
export function servingForward(
  { description, engine, state }: RenderContext,
  target: Target,
): Forward {
  const answer = (there: typeof state): Forward['now'] => {
    const reply = evaluate(engine, there);
    return reply.ok ? reply.answers[target.answer] : undefined;
  };
  return {
    now: answer(state),
    *ask({ field, value }) {
      const reached = answer(withField(description, state, field as FieldId, value));
      yield;
      return reached;
    },
    found: {},
  };
}
