// The module of derivations: how answers came about, for those who ask.

import start from '@core/derivations.js';
import deflated from '@core/derivations.wasm?deflated';
import { makeAsking } from './asking.ts';
import type { RawExplanation, RawInput } from './core.ts';
import { readDerivation } from './derivation.ts';
import { inflate } from './inflate.ts';
import { questionOf } from './sampling.ts';
import type { Derivations, Description, QuestionName } from './types.ts';

type Module = Record<QuestionName, (input: RawInput, answer: number) => RawExplanation>;

export async function startDerivations(description: Description): Promise<Derivations> {
  const module = (await start({ wasmBinary: await inflate(deflated) })) as Module;
  const { take } = makeAsking(description);
  const choices = new Map(
    Object.values(description.questions)
      .flatMap(({ answers }) => answers)
      .filter((answer) => answer.kind === 'choice')
      .map((answer) => [answer.key, answer.choices]),
  );

  return {
    explain: (question, input, key) => {
      const { answers } = questionOf(description, question);
      const index = answers.findIndex((info) => info.key === key);
      const told = take(question, input, (raw) => module[question](raw, index));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(key, told.root, told.nodes, choices) };
    },
  };
}
