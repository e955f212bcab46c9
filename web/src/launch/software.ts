// What a software's table has.

import type { Entries, Json } from '../custom/json.ts';
import type { FieldId } from '../model/fields.ts';
import type { Row, Value, Write } from './values.ts';

/** An option as it is written: its name and its value. */
export type Option = readonly [key: string, value: Value];

/** All that a launch consists of, by place. */
export interface Options {
  program: readonly Option[];
  launcher: readonly Option[];
  model: readonly Option[];
}

/** A size of a model under its name in some software. */
export interface Size {
  keys: readonly string[];
  /** The name in a config.json, by which it is read. */
  config: string;
  put: (ours: Write) => Value | undefined;
  /** The value as a config.json has it; as it is without. */
  take?: (value: Value) => Json | undefined;
  is?: 'switch';
}

/** A rule by which the software itself refuses what it is asked. */
export interface Check {
  /** Its own words, with its numbers in place; undefined where it takes the layout. */
  says: (ours: Write) => string | false;
  /** The field to change. */
  field: FieldId;
}

export interface Software {
  id: SoftwareId;
  name: string;
  question: 'plan' | 'serving';
  /** The id of the preset that has what the software does without options; none where what it says
   *  is no layout, which then stays. */
  preset?: string;
  rows: readonly Row[];
  /** Names of sizes of the model; without, the model has no place in its options. */
  sizes?: readonly Size[];
  /** What a config of the software's own means where it leaves a size out. */
  usualSizes?: (sizes: Entries) => Iterable<readonly [string, Json]>;
  /** Options that change what it does, for which the calculator has no field. */
  unplaced: RegExp;
  /** Options that change nothing here: paths, ports, logs. */
  quiet: RegExp;
  /** Whether an option with that value says what goes without saying. */
  isNothing?: (value: Value) => boolean;
  checks: readonly Check[];
  /** Puts a launch together; `model`: its name where models are found. None where it is only read. */
  text?: (options: Options, named: Named) => string;
}

export interface Named {
  /** The name on Hugging Face; a variable where there is none. */
  model: string;
  /** What an instance is for, where prefill and decode are apart. */
  role: 'prefill' | 'decode' | undefined;
}

export const softwareIds = [
  'megatron',
  'torchtitan',
  'maxtext',
  'deepspeed',
  'peft',
  'vllm',
  'sglang',
  'tensorrt',
  'llama-cpp',
] as const;
export type SoftwareId = (typeof softwareIds)[number];
/** Software that layouts are written for. */
export type LauncherId = Exclude<SoftwareId, 'peft' | 'llama-cpp'>;

/** A text as a shell reads it, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A value as a word of a shell, quoted where it must be. */
export const word = (value: Value): string => {
  const text = Array.isArray(value) ? value.map(String).join(',') : String(value);
  return /^[\w@%+=:,./${}-]+$/.test(text) ? text : quoted(text);
};

/** Options as a shell takes them, one a line. */
export const flags = (options: readonly Option[], dash = '--'): string[] =>
  options.map(([key, value]) => {
    if (value === true) return `${dash}${key}`;
    if (Array.isArray(value))
      return `${dash}${key} ${value.map((each: Value) => word(each)).join(' ')}`;
    return `${dash}${key} ${word(value)}`;
  });

/** Lines of one command. */
export const joined = (lines: readonly string[]): string => `${lines.join(' \\\n  ')}\n`;

/** The chips of a node: those that a launcher starts processes for together. */
export function node(ours: { number(id: FieldId): number; of(id: FieldId): unknown }): number {
  const chips = ours.number('run.chips');
  const domain = ours.number('chip.scaleUpChips');
  // Racks are trays of four chips; what is joined in pairs, or not at all, stands in eights.
  const most =
    domain >= 4 && domain <= 16
      ? domain
      : domain > 16 && ours.of('chip.network') === 'switched'
        ? 4
        : 8;
  for (let count = Math.min(most, chips); count > 1; count -= 1)
    if (chips % count === 0) return count;
  return 1;
}

/** Whether the model has experts. */
export const isSparse = (of: { number(id: `model.${string}`): number }): boolean =>
  of.number('model.experts') > 0;

/** Chips of one replica's tensors, stages and sequences. */
export const ways = (of: { number(id: FieldId): number }): number =>
  of.number('layout.tensor') * of.number('layout.context') * of.number('layout.pipeline');

/** Data-parallel replicas. */
export const replicas = (of: { number(id: FieldId): number }): number =>
  of.number('run.chips') / ways(of);

/** Sequences of a batch. */
export const sequences = (of: { number(id: FieldId): number }): number =>
  of.number('run.batchTokens') / of.number('run.sequenceLength');
