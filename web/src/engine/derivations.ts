// Derivations: how answers came about.

import { callOf, makeQuestionCodec, nameOf, questionOf } from './asking.ts';
import { choicesOf, readDerivation } from './derivation.ts';
import { deriveModule, type Explain, type Turn } from './derive-module.ts';
import { placeOf } from './sampling.ts';
import { encodeTarget } from './turns.ts';
import type { Derivations, Description } from './types.ts';

export async function start(description: Description): Promise<Derivations> {
  const module = await deriveModule.get();
  const { take } = makeQuestionCodec(description);
  const choices = choicesOf(description);
  const names = module.turnNames();
  return {
    explain: (question, input, key) => {
      const { answers } = questionOf(description, question);
      const index = answers.findIndex((info) => info.key === key);
      const told = take(module, question, input, () =>
        callOf<Explain>(module, 'explain', question)!(index),
      );
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(key, told, choices) };
    },
    explainTurn: (question, input, target, id) => {
      questionOf(description, question);
      const turn = callOf<Turn>(module, 'turn', question);
      if (!turn) throw new RangeError(`${nameOf(question)} is not solved for a field`);
      const [place, , value] = encodeTarget(names, description, question, target);
      const { group, field } = placeOf(description, question, id);
      const told = take(module, question, input, () => turn(place, group, field, value));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(id, told, choices) };
    },
  };
}
