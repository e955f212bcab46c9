// The module of derivations: how answers came about, for those who ask.

import start from '@core/derivations.js';
import deflated from '@core/derivations.wasm?deflated';
import { makeAsking } from './asking.ts';
import type { RawExplanation, RawInput } from './core.ts';
import { inflate } from './inflate.ts';
import type { Derivations, Description, QuestionName } from './types.ts';

type Module = Record<QuestionName, (input: RawInput, answer: number) => RawExplanation>;

export async function startDerivations(description: Description): Promise<Derivations> {
  const module = (await start({ wasmBinary: await inflate(deflated) })) as Module;
  const { explain } = makeAsking(description);
  return {
    explain: (question, input, key) =>
      explain(question, input, key, (raw, answer) => module[question](raw, answer)),
  };
}
