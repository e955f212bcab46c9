// Models by the names under which software finds them.

import hub from '../../../shared/hub.json';
import type { FieldValue } from '../engine/index.ts';
import { ownValue } from '../model/own-value.ts';
import { architectureOf, modelEntries, modelOf } from '../model/presets.ts';
import { byId, type Ours } from './values.ts';

/** Names on Hugging Face by preset: the first is written, the others are read, too. */
const names: Readonly<Record<string, readonly string[]>> = hub.models;

export const hubName = (id: string): string | undefined =>
  Object.hasOwn(names, id) ? names[id]![0] : undefined;

/** Ends of names that say how weights were trained or stored, not which model it is. */
const ends =
  /-(instruct|pretrain|finetune|sft|config|recipe|chat|base|hf|it|pt|thinking|reasoning|preview|exp|fp8|fp4|nvfp4|mxfp4|awq|gptq|int4|int8|w4a16|w8a8|w8a16|bf16|fp16|4bit|8bit|dynamic|block|quantized|gguf|marlin|autoround|unsloth|bnb|mtp|eagle3?|dev|latest|instruct2?|v0\.\d|\d{4}|\d{6,8}|fp8dynamic|fp8kv|kv|turbo|original)$/;

/** The parts of a name that tell one model from another. */
function plain(name: string): string {
  let text = name
    .toLowerCase()
    .replaceAll(/[_\s:@]+/g, '-')
    .replace(/^meta-/, '')
    .replace(/(-\d{5}-of-\d{5})?\.gguf$/, '')
    .replace(/-(ud-)?i?q\d(-[a-z0-9]+){0,2}$/, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(ends, '');
  }
  return text.replaceAll(/[^a-z0-9]/g, '');
}

let known: ReadonlyMap<string, string> | undefined;

/** The preset that a name or a path stands for. */
export function presetNamed(written: string): string | undefined {
  known ??= new Map([
    ...modelEntries.flatMap(({ id, name }): [string, string][] => [
      [plain(name), id],
      [plain(id), id],
    ]),
    ...Object.entries(names).flatMap(([id, list]) =>
      list.map((each): [string, string] => [plain(each.split('/').pop()!), id]),
    ),
  ]);
  // A path names folders, too; snapshots of a cache have the name before them.
  const parts = written
    .replace(/^[a-z]+:\/\//, '')
    .split(/[\\/]/)
    .filter(Boolean)
    .reverse();
  for (const part of parts.slice(0, 6)) {
    const cached = /^models--[^-]+(?:-[^-]+)*--(.+)$/.exec(part)?.[1];
    const found = known.get(plain(cached ?? part));
    if (found) return found;
  }
  return undefined;
}

/** Sizes that tell models apart; others follow conventions that files differ in. */
const telling = [
  'layers',
  'hidden',
  'heads',
  'kvHeads',
  'headDim',
  'feedForward',
  'experts',
  'expertFeedForward',
  'expertsPerToken',
  'kvRank',
];

/** Presets by their sizes. */
export const architectureAlike = {
  /** All fields of a preset's architecture. */
  of: (id: string): Ours => byId({ model: architectureOf(modelOf(id), 'vendor') }),
  /** The preset that has these sizes, the one that is named before others. */
  find(
    given: readonly (readonly [key: string, value: FieldValue])[],
    named: string | undefined,
    /** Tokens of a sequence, which the model must take. */
    sequence: number,
  ): string | undefined {
    const sizes = given.filter(([key]) => telling.includes(key));
    const context = given.find(([key]) => key === 'contextLength')?.[1];
    const vocabulary = given.find(([key]) => key === 'vocabulary')?.[1];
    const alike = modelEntries
      .map(({ id }) => id)
      .filter((id) => {
        const own = architectureOf(modelOf(id), 'vendor');
        return sizes.every(([key, value]) => (ownValue(own, key) ?? 0) === value);
      });
    if (named !== undefined && alike.includes(named)) return named;
    const of = (id: string, key: string): FieldValue =>
      ownValue(architectureOf(modelOf(id), 'vendor'), key) ?? 0;
    // A vocabulary may be padded to whole parts.
    const near = alike.filter((id) => {
      const own = Number(of(id, 'vocabulary'));
      return vocabulary === undefined || Math.abs(Number(vocabulary) - own) <= 0.02 * own;
    });
    return (
      near.find((id) => of(id, 'contextLength') === context) ??
      near.find((id) => Number(of(id, 'contextLength')) >= sequence) ??
      near[0]
    );
  },
};
