import { has } from '../model/own-value.ts';
import type { Description } from '../engine/index.ts';
import { readEntries, type Reading, type Refusal } from './config.ts';
import { readObject } from './json.ts';
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
  const read = readObject(text);
  if (has(read, 'unreadable')) return { is: 'refused', reason: read.unreadable };
  if (isCustomPresetFile(read.entries)) {
    const found = readCustomPresetFile(description, text);
    if (!found.ok) return { is: 'refused', reason: found.reason };
    return { is: 'preset', preset: found.preset, problems: found.problems };
  }
  const reading = readEntries(read.entries, description.groups.model);
  return reading.ok ? { is: 'config', reading } : { is: 'refused', reason: reading.reason };
}
