// Questions asked backward.

import { makeAsking } from './asking.ts';
import { deriveModule, type Solve } from './derive-module.ts';
import { nameOf } from './sampling.ts';
import { encodeAnswer, encodeTarget, readSolution, searchTurns } from './turns.ts';
import type { Description, TargetQuestion, TargetsModule } from './types.ts';

export async function startTargets(description: Description): Promise<TargetsModule> {
  const module = await deriveModule.get();
  const { take } = makeAsking(description);
  const solving: Record<TargetQuestion, Solve> = {
    training: module.solveTraining,
    operation: module.solveOperation,
    collective: module.solveCollective,
    budget: module.solveBudget,
  };
  const searches = { plan: module.startPlanTurns, serving: module.startServingTurns } as const;

  return {
    solve: (question, input, target) => {
      if (!Object.hasOwn(solving, question)) {
        throw new RangeError(`${nameOf(question)} is not asked backward here`);
      }
      const asked = encodeTarget(description, question, target);
      const told = take(module, question, input, () => solving[question](...asked));
      if (!told.ok) return told;
      return { ok: true, ...readSolution(description, question, asked[0], told) };
    },
    search: (question, input, target, now) => {
      if (!Object.hasOwn(searches, question)) {
        throw new RangeError(`${nameOf(question)} is not searched`);
      }
      const [place, ...wish] = encodeTarget(description, question, target);
      const { choices } = description.questions[question].answers[place]!;
      const answered = encodeAnswer(target, choices, now);
      const begin = searches[question];
      return searchTurns(
        module,
        (index) => {
          const told = take(module, question, input, () => ({
            state: begin(index, ...wish, answered),
          }));
          return told.ok ? told.state : null;
        },
        description,
        question,
        target,
      );
    },
    isMet: (question, target, answer) => {
      const [place, ...wish] = encodeTarget(description, question, target);
      const { choices } = description.questions[question].answers[place]!;
      return module.isMet(...wish, encodeAnswer(target, choices, answer));
    },
  };
}
