// Questions asked backward.

import { callOf, makeQuestionCodec, nameOf, questionOf } from './asking.ts';
import { deriveModule, type Solve } from './derive-module.ts';
import {
  encodeAnswer,
  encodeTarget,
  readSolution,
  solveByFields,
  type StartTurns,
} from './turns.ts';
import { decidesDefaults, defaultOf } from './defaults.ts';
import type { GroupName } from './generated.ts';
import type { Description, TargetsModule, Turn } from './types.ts';

/** A turn with the fields whose default it would change, where the input leaves these out. */
function held({ groups }: Description, input: unknown, turn: Turn): Turn {
  const [group, key] = turn.field.split('.') as [GroupName, string];
  const values = (input as Partial<Record<GroupName, Record<string, unknown>>>)[group];
  const given = (each: string): unknown => values?.[each];
  const also = groups[group]
    .filter((field) => given(field.key) === undefined && decidesDefaults([field], key))
    .map((field) => [`${group}.${field.key}`, defaultOf(field, given)]);
  return also.length === 0 ? turn : { ...turn, also: Object.fromEntries(also) };
}

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
      const { turns, ...solution } = readSolution(names, description, question, asked[0], told);
      return { ok: true, ...solution, turns: turns.map((turn) => held(description, input, turn)) };
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
