// Layouts as launches, as the package gives and takes them.

import type { FieldValue } from '../engine/types.ts';

/** Software that a layout can be handed out for: the first four train, the others serve. */
export type LaunchedBy =
  'megatron' | 'torchtitan' | 'maxtext' | 'deepspeed' | 'vllm' | 'sglang' | 'tensorrt';

/** A layout as a launch. */
export interface WrittenLaunch {
  ok: true;
  /** A command for a shell; settings in a file come before it. */
  text: string;
  /** What the software refuses of the layout, in its own words. */
  refusals: { field: string; says: string }[];
  /** Fields that it has no word for; `becomes`: what it does instead. */
  lost: { field: string; value: FieldValue; becomes?: FieldValue }[];
  /** Servers that have to be started. */
  instances: number;
}

/** A launch as an input of the engine. */
export interface ReadLaunch {
  ok: true;
  software: LaunchedBy | 'peft' | 'llama-cpp';
  question: 'plan' | 'serving';
  /** What it asks: an input without the chip, unless the text names it. */
  input: Record<string, Record<string, FieldValue> | string>;
  /** Each field with the option that gives it. */
  used: { key: string; field: string; value: FieldValue }[];
  /** Fields that it leaves out: what the software takes, or what follows from the others. */
  assumed: { field: string; value: FieldValue }[];
  /** Options without a use: values that can't be, options that no field describes, unknown ones. */
  unusable: { key: string; written: string; code: string }[];
  unplaced: string[];
  unknown: string[];
}
