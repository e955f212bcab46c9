// Reads configs as the page does, and counts their models by the core.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import type { Engine, FieldInfo } from '../../web/src/engine/index.ts';
import { readConfig, type Reading, type Refusal } from '../../web/src/custom/config.ts';

const folder = path.resolve(import.meta.dirname, '../golden/configs');

/** A published file. */
export const configOf = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(path.join(folder, `${name}.json`), 'utf8').replaceAll('Infinity', '1e9'),
  ) as Record<string, unknown>;

export let engine: Engine;
export let infos: readonly FieldInfo[];

/** Loads the core before the tests of a file. */
export function useEngine(): void {
  beforeAll(async () => {
    engine = await createEngine();
    infos = engine.describe().groups.model;
  });
}

export function read(text: string): Reading {
  const result = readConfig(text, infos);
  if (!result.ok) throw new Error(JSON.stringify(result.reason));
  return result;
}

/** The reason why a text is refused. */
export function refusedText(text: string): Refusal['reason'] {
  const result = readConfig(text, infos);
  if (result.ok) throw new Error('it was read');
  return result.reason;
}

export const readJson = (config: object): Reading => read(JSON.stringify(config));
export const refused = (config: object): Refusal['reason'] => refusedText(JSON.stringify(config));

export function counted({ model }: Reading): { all: number; active: number } {
  const chip = { memory: 8e10, memoryBandwidth: 3e12, peakBf16: 1e15 };
  const outcome = engine.estimate({ chip, model: model as object, run: { chips: 1 } });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  const { computedParameters, computedActiveParameters } = outcome.answers;
  return { all: Number(computedParameters), active: Number(computedActiveParameters) };
}

/** Vocabulary, hidden and feed-forward size, layers, query and key/value heads. */
export const sizes = (...[vocabulary, hidden, feedForward, layers, heads, kvHeads]: number[]) => ({
  vocab_size: vocabulary,
  hidden_size: hidden,
  intermediate_size: feedForward,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: kvHeads,
});
