// Servers side by side: on the chips that they need for their load and their targets.

import { inputOf } from '../../../model/state.ts';
import type { View } from '../../parts/view.ts';
import { stepParts as parts } from './answers.ts';
import { holdsLoadOf } from './fewest-chips.ts';

export const sides: Required<View>['sides'] = {
  time: 'tokenTime',
  cost: 'costAll',
  timeUnit: 1e-3,
  keepsLimits: false,
  fields: ['serving.promptTokens', 'serving.chips', 'server.weights'],
  facts: [
    ...['tokenTime', 'costAll', 'firstToken', 'outputSpeed', 'outputSpeedPerChip'],
    ...['memoryOfLoad', 'decodeBound', 'tokensPerJoule'],
  ],
  fits: ({ servingFits }) => servingFits === 'yes',
  holds: holdsLoadOf,
  isOverloaded: ({ meetsTargets }) => meetsTargets !== 'no',
  hasTargets({ description, state }) {
    const { firstTarget, tokenTarget } = inputOf(description, state, 'serving');
    return (firstTarget ?? tokenTarget ?? null) !== null;
  },
  parts: Object.fromEntries(parts.map((part) => [part, [part]])),
  rate: 'outputSpeed',
  // Besides its own steps, a token without drafts waits for prompts.
  rest: (ctx) =>
    Number(ctx.value('serving.draftTokens'))
      ? undefined
      : ctx.choiceOfAnswer('targetLimit', 'prompts'),
};

/** The cheaper, the better: each chip stands on as many as the load takes. */
export const best: Required<View>['best'] = { key: sides.cost };
