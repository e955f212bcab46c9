// Derivations: how answers came about.

import { makeAsking } from './asking.ts';
import { choicesOf, readDerivation } from './derivation.ts';
import { deriveModule, type Explain, type Turn } from './derive-module.ts';
import { nameOf, placeOf, questionOf } from './sampling.ts';
import { encodeTarget } from './turns.ts';
import type { Derivations, Description, QuestionName, TurnedQuestion } from './types.ts';

export async function startDerivations(description: Description): Promise<Derivations> {
  const module = await deriveModule.get();
  const { take } = makeAsking(description);
  const choices = choicesOf(description);
  const explaining: Record<QuestionName, Explain> = {
    training: module.explainTraining,
    operation: module.explainOperation,
    collective: module.explainCollective,
    plan: module.explainPlan,
    serving: module.explainServing,
    budget: module.explainBudget,
  };
  const turning: Record<TurnedQuestion, Turn> = {
    training: module.turnTraining,
    operation: module.turnOperation,
    collective: module.turnCollective,
    serving: module.turnServing,
    budget: module.turnBudget,
  };
  return {
    explain: (question, input, key) => {
      const { answers } = questionOf(description, question);
      const index = answers.findIndex((info) => info.key === key);
      const told = take(module, question, input, () => explaining[question](index));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(key, told, choices) };
    },
    explainTurn: (question, input, target, id) => {
      if (!Object.hasOwn(turning, question)) {
        throw new RangeError(`${nameOf(question)} is not solved for a field`);
      }
      const [place, , value] = encodeTarget(description, question, target);
      const { group, field } = placeOf(description, question, id);
      const told = take(module, question, input, () =>
        turning[question](place, group, field, value),
      );
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(id, told, choices) };
    },
  };
}
