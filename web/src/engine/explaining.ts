// Derivations: how answers came about, by a module that answers some of the questions.

import type { Packed } from '@core/core.wasm?packed';
import { makeAsking } from './asking.ts';
import type { Asked, RawExplanation } from './core.ts';
import { choicesOf, readDerivation } from './derivation.ts';
import { placeOf, questionOf } from './sampling.ts';
import { encodeTarget } from './turns.ts';
import { started, type Start } from './unpack.ts';
import type { Derivations, Description, QuestionName } from './types.ts';

type Module = Asked &
  Partial<Record<QuestionName, (answer: number) => RawExplanation>> & {
    /** The equation of a target of serving. */
    turn?(answer: number, group: number, field: number, value: number): RawExplanation;
  };

/** Starts a module of derivations from its packed bytes. */
export async function startExplaining(
  start: Start,
  packed: Packed,
  description: Description,
): Promise<Derivations> {
  const module = (await started(start, packed)) as Module;
  const { take } = makeAsking(description);
  const choices = choicesOf(description);

  const { turn } = module;
  return {
    ...(turn && {
      explainServingTurn: (input, target, id) => {
        const [answer, , value] = encodeTarget(description, 'serving', target);
        const { group, field } = placeOf(description, 'serving', id);
        const told = take(module, 'serving', input, () => turn(answer, group, field, value));
        if (!told.ok) return told;
        return { ok: true, derivation: readDerivation(id, told.root, told.nodes, choices) };
      },
    }),
    explain: (question, input, key) => {
      const { answers } = questionOf(description, question);
      const call = module[question];
      if (!call) throw new RangeError(`these derivations are not of ${question}`);
      const index = answers.findIndex((info) => info.key === key);
      const told = take(module, question, input, () => call(index));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(key, told.root, told.nodes, choices) };
    },
  };
}
