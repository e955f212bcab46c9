// A reader's own chip or model: a preset, or nothing, and what differs from it.

import { has } from '../model/own-value.ts';
import type { Description, FieldInfo, FieldValue } from '../engine/index.ts';
import { cleanName } from '../link/address.ts';
import { own, presetIds, type InputGroup } from '../model/presets.ts';
import { baseOf, initialState, withField, withPreset, type State } from '../model/state.ts';
import {
  brief,
  entriesOf,
  isAbove,
  readObject,
  type Entries,
  type Json,
  type Unreadable,
} from './json.ts';

export const kinds = ['model', 'chip'] as const;
export type Kind = (typeof kinds)[number];

export interface CustomPreset {
  kind: Kind;
  name: string;
  /** The preset that the fields differ from; `own`: none. */
  base: string;
  fields: InputGroup;
}

/** A problem in a file or a stored entry; the rest is used. */
export interface CustomPresetProblem {
  code: 'unknownField' | 'badField' | 'badChoice' | 'unknownBase';
  key: string;
  written: string;
}

/** The mark that tells such files from others, and its version. */
const format = 'scaling-calculator';
const version = 1;

/** The state's chip or model under a name. */
export function customPresetOf({ edits, ...state }: State, kind: Kind, name: string): CustomPreset {
  return { kind, name: cleanName(name), base: state[kind], fields: edits[kind] };
}

/** The state with the preset in it: all else stays. */
export function stateWith(description: Description, state: State, preset: CustomPreset): State {
  const { kind, name, base, fields } = preset;
  let next: State = withPreset(state, kind, base);
  for (const [key, value] of Object.entries(fields)) {
    next = withField(description, next, `${kind}.${key}`, value);
  }
  return { ...next, names: { ...next.names, [kind]: name } };
}

/** The preset without fields that are as its base has them. */
export function normalized(description: Description, preset: CustomPreset): CustomPreset {
  return customPresetOf(stateWith(description, initialState, preset), preset.kind, preset.name);
}

/** Whether they differ in their names at most. */
export function isSame(description: Description, one: CustomPreset, other: CustomPreset): boolean {
  const [a, b] = [normalized(description, one).fields, normalized(description, other).fields];
  const holds = (these: InputGroup, those: InputGroup): boolean =>
    Object.keys(these).every((key) => these[key] === those[key]);
  return one.kind === other.kind && one.base === other.base && holds(a, b) && holds(b, a);
}

/** Whether the state has just this, by this name. */
export const isIn = (description: Description, state: State, preset: CustomPreset): boolean =>
  state.names[preset.kind] === preset.name &&
  isSame(description, preset, customPresetOf(state, preset.kind, preset.name));

/** The number of fields that differ from its base. */
export const changesOf = (description: Description, state: State, preset: CustomPreset): number => {
  const base = baseOf(description, withPreset(state, preset.kind, preset.base), preset.kind);
  return Object.entries(preset.fields).filter(([key, value]) => base[key] !== value).length;
};

export function writeCustomPreset(preset: CustomPreset): string {
  return `${JSON.stringify({ format, version, ...preset }, undefined, 2)}\n`;
}

/** Whether entries are those of a file that the calculator wrote. */
export const isCustomPresetFile = (entries: Entries): boolean => entries.get('format') === format;

type CustomPresetReading =
  | { ok: true; preset: CustomPreset; problems: CustomPresetProblem[] }
  | { ok: false; reason: Unreadable | { code: 'notAThing' | 'newerFile' } };

export function readCustomPresetFile(description: Description, text: string): CustomPresetReading {
  const read = readObject(text);
  if (has(read, 'unreadable')) return { ok: false, reason: read.unreadable };
  const { entries } = read;
  if (isAbove(entries.get('version'), version)) return { ok: false, reason: { code: 'newerFile' } };
  return readCustomPreset(description, entries) ?? { ok: false, reason: { code: 'notAThing' } };
}

/** Takes of an entry what the core knows; nothing if it does not say what it is of. */
export function readCustomPreset(
  description: Description,
  entries: Entries,
): Extract<CustomPresetReading, { ok: true }> | undefined {
  const kind = kinds.find((each) => each === entries.get('kind'));
  if (!kind) return undefined;
  const problems: CustomPresetProblem[] = [];
  const given = entries.get('base') ?? own;
  const known = typeof given === 'string' && presetIds[kind].has(given);
  if (!known) problems.push({ code: 'unknownBase', key: 'base', written: brief(given) });
  const fields: Record<string, FieldValue> = {};
  const infos = new Map(description.groups[kind].map((info) => [info.key, info]));
  for (const [key, value] of entriesOf(entries.get('fields')) ?? []) {
    const info = infos.get(key);
    const code = info ? fault(info, value) : 'unknownField';
    if (code) problems.push({ code, key: cleanName(key), written: brief(value) });
    else fields[key] = value as FieldValue;
  }
  const name = entries.get('name');
  const base = known ? given : own;
  return {
    ok: true,
    preset: { kind, name: typeof name === 'string' ? cleanName(name) : '', base, fields },
    problems,
  };
}

function fault(info: FieldInfo, value: Json): CustomPresetProblem['code'] | undefined {
  if (value === null) return info.optional ? undefined : 'badField';
  if (info.kind === 'flag') return typeof value === 'boolean' ? undefined : 'badChoice';
  if (info.kind === 'choice') {
    return typeof value === 'string' && info.choices.includes(value) ? undefined : 'badChoice';
  }
  if (info.kind === 'text') {
    return typeof value === 'string' && value.length <= info.max ? undefined : 'badField';
  }
  const inRange = typeof value === 'number' && value >= info.min && value <= info.max;
  const whole = info.kind !== 'count' || Number.isInteger(value);
  return inRange && whole ? undefined : 'badField';
}
