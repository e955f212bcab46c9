import { has } from '../model/own-value.ts';
import type { Description } from '../engine/index.ts';
import { readEntries, type Reading, type Refusal } from './config.ts';
import { ggufFile } from './gguf-file.ts';
import { readKeys } from './gguf.ts';
import type { Entries } from './json.ts';
import {
  isCustomPresetFile,
  readCustomPresetFile,
  type CustomPreset,
  type CustomPresetProblem,
} from './custom-presets.ts';

/** The kind of a text: a model's config, one of the calculator's own files, or neither. */
export type Found =
  | { is: 'config'; reading: Reading }
  | { is: 'preset'; preset: CustomPreset; problems: CustomPresetProblem[] }
  | { is: 'refused'; reason: Reason };

export type Reason = Refusal['reason'] | { code: 'notAThing' | 'newerFile' | 'notReadable' };

export function readText(description: Description, text: string): Found {
  const read = readKeys(text);
  if (has(read, 'unreadable')) return { is: 'refused', reason: read.unreadable };
  if (isCustomPresetFile(read.entries)) {
    const found = readCustomPresetFile(description, text);
    if (!found.ok) return { is: 'refused', reason: found.reason };
    return { is: 'preset', preset: found.preset, problems: found.problems };
  }
  return foundIn(description, read.entries);
}

/** Reads the beginning of a model's own file; undefined where it is none of llama.cpp's. */
export function readBytes(description: Description, bytes: ArrayBuffer): Found | undefined {
  const metadata = ggufFile(bytes);
  return metadata && foundIn(description, metadata);
}

function foundIn(description: Description, entries: Entries): Found {
  const reading = readEntries(entries, description.groups.model);
  return reading.ok ? { is: 'config', reading } : { is: 'refused', reason: reading.reason };
}
