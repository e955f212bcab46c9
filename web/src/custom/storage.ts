// The reader's own chips and models, kept in the browser's storage where that is allowed. What is there
// and not understood, be it damaged or of a newer version, is kept as it is.

import type { Description } from '../engine/index.ts';
import { entriesOf, isAbove, readObject, textOf, type Entries, type Json } from './json.ts';
import { backupKey, storageKey } from './storage-key.ts';
import { readCustomPreset, type Kind, type CustomPreset } from './custom-presets.ts';

const version = 1;

/** More would make the list of presets a list of these. */
export const mostCustomPresets = 100;

/** Why something could not be kept, or what was kept not be read. */
export type StorageProblem = 'forbidden' | 'full' | 'newer' | 'damaged' | 'unreadable' | 'many';

/** An item of what is kept, and what is understood of it. */
interface Item {
  raw: Json;
  thing?: CustomPreset;
}

interface Stored {
  things: readonly CustomPreset[];
  trouble?: StorageProblem;
  items: readonly Item[];
  /** All that stands in the storage beside the items. */
  others: Entries;
  /** What could not be read at all. */
  unreadable?: string;
}

interface Kept {
  things: readonly CustomPreset[];
  trouble?: StorageProblem;
}

const empty: Stored = { things: [], items: [], others: new Map() };

let last: { raw: string | null; description: Description; shelf: Stored } | undefined;

/** What is kept: read anew each time, since another tab may have changed it. */
export function kept(description: Description): Kept {
  const { things, trouble } = readStorage(description);
  return trouble ? { things, trouble } : { things };
}

function readStorage(description: Description): Stored {
  let raw: string | null;
  try {
    raw = localStorage.getItem(storageKey);
  } catch {
    return { ...empty, trouble: 'forbidden' };
  }
  if (last?.raw !== raw || last.description !== description) {
    last = { raw, description, shelf: read(description, raw) };
  }
  return last.shelf;
}

/** As it was kept, what is more than a thing of this version. */
const rawOf = new WeakMap<CustomPreset, Json>();

function read(description: Description, raw: string | null): Stored {
  if (raw === null) return empty;
  const text = readObject(raw);
  if (!('entries' in text)) return { ...empty, trouble: 'unreadable', unreadable: raw };
  const { entries: others } = text;
  if (isAbove(others.get('version'), version)) return { ...empty, trouble: 'newer' };
  const list = others.get('things');
  if (!Array.isArray(list)) return { ...empty, trouble: 'unreadable', unreadable: raw };
  let whole = true;
  const items = list.map((each: Json): Item => {
    const entries = entriesOf(each);
    const reading = entries && readCustomPreset(description, entries);
    if (!reading?.thing.name || reading.problems.length > 0) whole = false;
    if (!reading?.thing.name) return { raw: each };
    rawOf.set(reading.thing, each);
    return { raw: each, thing: reading.thing };
  });
  const things = customPresetsOf(items);
  const shelf = { things: things.slice(0, mostCustomPresets), items, others };
  return whole && things.length <= mostCustomPresets ? shelf : { ...shelf, trouble: 'damaged' };
}

const customPresetsOf = (items: readonly Item[]): CustomPreset[] =>
  items.flatMap(({ thing }) => (thing ? [thing] : []));

/** Puts a thing on the shelf; one of its kind and name makes way. */
export function keep(description: Description, thing: CustomPreset): StorageProblem | undefined {
  const item: Item = { raw: rawOf.get(thing) ?? { ...thing }, thing };
  return change(description, (items) => {
    const at = items.findIndex((each) => isCalled(each, thing));
    return at < 0 ? [...items, item] : items.map((each, index) => (index === at ? item : each));
  });
}

export function rename(
  description: Description,
  thing: CustomPreset,
  name: string,
): StorageProblem | undefined {
  return change(description, (items) =>
    items.map((each) =>
      isCalled(each, thing) ? { ...each, raw: { ...(each.raw as object), name } as Json } : each,
    ),
  );
}

export function remove(description: Description, thing: CustomPreset): StorageProblem | undefined {
  return change(description, (items) => items.filter((each) => !isCalled(each, thing)));
}

const isCalled = ({ thing }: Item, { kind, name }: CustomPreset): boolean =>
  thing?.kind === kind && thing.name === name;

export const find = (things: readonly CustomPreset[], kind: Kind, name: string): number =>
  things.findIndex((each) => each.kind === kind && each.name === name);

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
