// The wasm module of derivations and of questions asked backward, as the binding exports it. Started
// once.

import start from '@core/derive.js';
import deflated from '@core/derive.wasm?deflated';
import type { Asked, RawExplanation } from './core.ts';
import { Lazy } from './lazy.ts';
import { started } from './start.ts';
import type { RawSearches, RawSolution } from './turns.ts';
import type { QuestionName, TargetQuestion, TurnedQuestion } from './types.ts';

export type Explain = (answer: number) => RawExplanation;
/** The equation of an answer, solved for a field. */
export type Turn = (answer: number, group: number, field: number, value: number) => RawExplanation;

type RawDerivations = Asked &
  Record<`explain${Capitalize<QuestionName>}`, Explain> &
  Record<`turn${Capitalize<TurnedQuestion>}`, Turn>;

export type Solve = (answer: number, wanted: number, value: number) => RawSolution;

/** Questions asked backward, as the binding exports them. */
type RawTargets = RawSearches & Asked & Record<`solve${Capitalize<TargetQuestion>}`, Solve>;

export const deriveModule = new Lazy(
  async () => (await started(start, deflated)) as RawDerivations & RawTargets,
);
