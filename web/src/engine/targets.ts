// Questions asked backward.

import { callOf, makeQuestionCodec } from './asking.ts';
import { deriveModule, type Solve } from './derive-module.ts';
import { nameOf, questionOf } from './sampling.ts';
import {
  encodeAnswer,
  encodeTarget,
  readSolution,
  solveByFields,
  type StartTurns,
} from './turns.ts';
import type { Description, TargetsModule } from './types.ts';

export async function start(description: Description): Promise<TargetsModule> {
  const module = await deriveModule.get();
  const { take } = makeQuestionCodec(description);
  const names = module.turnNames();
  return {
    solve: (question, input, target) => {
      questionOf(description, question);
      const solve = callOf<Solve>(module, 'solve', question);
      if (!solve) throw new RangeError(`${nameOf(question)} is not asked backward here`);
      const asked = encodeTarget(names, description, question, target);
      const told = take(module, question, input, () => solve(...asked));
      if (!told.ok) return told;
      return { ok: true, ...readSolution(names, description, question, asked[0], told) };
    },
    search: (question, input, target, now) => {
      questionOf(description, question);
      const begin = callOf<StartTurns>(module, 'startTurnsOf', question);
      if (!begin) throw new RangeError(`${nameOf(question)} is not searched`);
      const [place, ...wish] = encodeTarget(names, description, question, target);
      const { choices } = description.questions[question].answers[place]!;
      const answered = encodeAnswer(target, choices, now);
      return solveByFields(
        module,
        names,
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
      const [place, ...wish] = encodeTarget(names, description, question, target);
      const { choices } = description.questions[question].answers[place]!;
      return module.isMet(...wish, encodeAnswer(target, choices, answer));
    },
  };
}
