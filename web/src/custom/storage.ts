// The reader's own chips and models, kept in the browser's storage where that is allowed. Entries
// that are not understood, be they damaged or of a newer version, are kept as they are.

import { has } from '../model/own-value.ts';
import type { Description } from '../engine/index.ts';
import { entriesOf, isAbove, readObject, textOf, type Entries, type Json } from './json.ts';
import { backupKey, storageKey } from './storage-key.ts';
import { readCustomPreset, type Kind, type CustomPreset } from './custom-presets.ts';

const version = 1;

/** The most custom presets, so that they don't crowd out the others. */
export const mostCustomPresets = 100;

/** The reason why something could not be kept, or could not be read back. */
export type StorageProblem = 'forbidden' | 'full' | 'newer' | 'damaged' | 'unreadable' | 'many';

/** An item of what is kept, and what is understood of it. */
interface Item {
  raw: Json;
  preset?: CustomPreset;
}

interface Stored {
  presets: readonly CustomPreset[];
  trouble?: StorageProblem;
  items: readonly Item[];
  /** All that stands in the storage beside the items. */
  others: Entries;
  /** Entries that could not be read. */
  unreadable?: string;
}

interface Kept {
  presets: readonly CustomPreset[];
  trouble?: StorageProblem;
}

const empty: Stored = { presets: [], items: [], others: new Map() };

let last: { raw: string | null; description: Description; stored: Stored } | undefined;

/** The stored entries. They are read each time, since another tab may have changed them. */
export function kept(description: Description): Kept {
  const { presets, trouble } = readStorage(description);
  return trouble ? { presets, trouble } : { presets };
}

function readStorage(description: Description): Stored {
  let raw: string | null;
  try {
    raw = localStorage.getItem(storageKey);
  } catch {
    return { ...empty, trouble: 'forbidden' };
  }
  if (last?.raw !== raw || last.description !== description) {
    last = { raw, description, stored: read(description, raw) };
  }
  return last.stored;
}

/** The stored form of entries that hold more than this version reads. */
const rawOf = new WeakMap<CustomPreset, Json>();

function read(description: Description, raw: string | null): Stored {
  if (raw === null) return empty;
  const text = readObject(raw);
  if (!has(text, 'entries')) return { ...empty, trouble: 'unreadable', unreadable: raw };
  const { entries: others } = text;
  if (isAbove(others.get('version'), version)) return { ...empty, trouble: 'newer' };
  const list = others.get('things');
  if (!Array.isArray(list)) return { ...empty, trouble: 'unreadable', unreadable: raw };
  let whole = true;
  const items = list.map((each: Json): Item => {
    const entries = entriesOf(each);
    const reading = entries && readCustomPreset(description, entries);
    if (!reading?.preset.name || reading.problems.length > 0) whole = false;
    if (!reading?.preset.name) return { raw: each };
    rawOf.set(reading.preset, each);
    return { raw: each, preset: reading.preset };
  });
  const presets = customPresetsOf(items);
  const stored = { presets: presets.slice(0, mostCustomPresets), items, others };
  return whole && presets.length <= mostCustomPresets ? stored : { ...stored, trouble: 'damaged' };
}

const customPresetsOf = (items: readonly Item[]): CustomPreset[] =>
  items.flatMap(({ preset }) => (preset ? [preset] : []));

/** Puts a preset into the storage; one of its kind and name makes way. */
export function keep(description: Description, preset: CustomPreset): StorageProblem | undefined {
  const item: Item = { raw: rawOf.get(preset) ?? { ...preset }, preset };
  return change(description, (items) => {
    const at = items.findIndex((each) => isCalled(each, preset));
    return at < 0 ? [...items, item] : items.map((each, index) => (index === at ? item : each));
  });
}

export function rename(
  description: Description,
  preset: CustomPreset,
  name: string,
): StorageProblem | undefined {
  return change(description, (items) =>
    items.map((each) =>
      isCalled(each, preset) ? { ...each, raw: { ...(each.raw as object), name } as Json } : each,
    ),
  );
}

export function remove(description: Description, preset: CustomPreset): StorageProblem | undefined {
  return change(description, (items) => items.filter((each) => !isCalled(each, preset)));
}

const isCalled = ({ preset }: Item, { kind, name }: CustomPreset): boolean =>
  preset?.kind === kind && preset.name === name;

export const find = (presets: readonly CustomPreset[], kind: Kind, name: string): number =>
  presets.findIndex((each) => each.kind === kind && each.name === name);

function change(
  description: Description,
  by: (items: readonly Item[]) => readonly Item[],
): StorageProblem | undefined {
  const { trouble, items, others, unreadable } = readStorage(description);
  if (trouble === 'forbidden' || trouble === 'newer') return trouble;
  const next = by(items);
  if (next.length > items.length && customPresetsOf(next).length > mostCustomPresets) return 'many';
  const written = new Map<string, Json>(others);
  written.set('version', version).set(
    'things',
    next.map(({ raw }) => raw),
  );
  try {
    if (unreadable !== undefined) setAside(unreadable);
    localStorage.setItem(storageKey, textOf(Object.fromEntries(written)));
    return undefined;
  } catch {
    return 'full';
  }
}

/** Copies what could not be read to where nothing is yet, so that someone may still mend it. */
function setAside(raw: string): void {
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? backupKey : `${backupKey} ${n}`;
    const there = localStorage.getItem(key);
    if (there === raw) return;
    if (there !== null) continue;
    localStorage.setItem(key, raw);
    return;
  }
}
