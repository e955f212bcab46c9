// The wasm module of derivations and of questions asked backward, as the binding exports it. Started
// once.

import start from '@core/derive.js';
import deflated from '@core/derive.wasm?deflated';
import type { Asked, RawExplanation } from './core.ts';
import { Lazy } from './lazy.ts';
import { started } from './start.ts';
import type { QuestionName } from './types.ts';
import type { RawSearches, RawSolution } from './turns.ts';

export type Explain = (answer: number) => RawExplanation;
/** The equation of an answer, solved for a field. */
export type Turn = (answer: number, group: number, field: number, value: number) => RawExplanation;

export type Solve = (answer: number, wanted: number, value: number) => RawSolution;

export const deriveModule = new Lazy(
  async () =>
    (await started(start, deflated)) as Asked &
      RawSearches &
      Record<`explain${Capitalize<QuestionName>}`, Explain>,
);
