// The reader's own chips and models, kept in the browser's storage where that is allowed.

import type { Description } from '../engine/index.ts';
import { entriesOf, readObject } from './json.ts';
import { shelfKey } from './key.ts';
import { readThing, type Kind, type Thing } from './things.ts';

const version = 1;

/** More would make the list of presets a list of these. */
export const most = 100;

/** Why something could not be kept, or what was kept not be read. */
export type Trouble = 'forbidden' | 'full' | 'newer' | 'damaged' | 'many';

interface Kept {
  things: readonly Thing[];
  trouble?: Trouble;
}

let last: { raw: string | null; description: Description; kept: Kept } | undefined;

/** What is kept: read anew each time, since another tab may have changed it. */
export function kept(description: Description): Kept {
  let raw: string | null;
  try {
    raw = localStorage.getItem(shelfKey);
  } catch {
    return { things: [], trouble: 'forbidden' };
  }
  if (last?.raw !== raw || last.description !== description) {
    last = { raw, description, kept: read(description, raw) };
  }
  return last.kept;
}

function read(description: Description, raw: string | null): Kept {
  if (raw === null) return { things: [] };
  const text = readObject(raw);
  if (!('entries' in text)) return { things: [], trouble: 'damaged' };
  if (Number(text.entries.get('version')) > version) return { things: [], trouble: 'newer' };
  const list = text.entries.get('things');
  if (!Array.isArray(list)) return { things: [], trouble: 'damaged' };
  const things: Thing[] = [];
  let whole = list.length <= most;
  for (const each of list.slice(0, most)) {
    const entries = entriesOf(each);
    const reading = entries && readThing(description, entries);
    if (!reading?.thing.name || reading.problems.length > 0) whole = false;
    if (reading?.thing.name) things.push(reading.thing);
  }
  return whole ? { things } : { things, trouble: 'damaged' };
}

/** Puts a thing on the shelf; one of its kind and name makes way. */
export function keep(description: Description, thing: Thing): Trouble | undefined {
  return change(description, (things) => {
    const at = find(things, thing.kind, thing.name);
    return at < 0 ? [...things, thing] : things.map((each, i) => (i === at ? thing : each));
  });
}

export function rename(
  description: Description,
  { kind, name }: Thing,
  to: string,
): Trouble | undefined {
  return change(description, (things) =>
    things.map((each) => (each.kind === kind && each.name === name ? { ...each, name: to } : each)),
  );
}

export function remove(description: Description, { kind, name }: Thing): Trouble | undefined {
  return change(description, (things) =>
    things.filter((each) => each.kind !== kind || each.name !== name),
  );
}

export const find = (things: readonly Thing[], kind: Kind, name: string): number =>
  things.findIndex((each) => each.kind === kind && each.name === name);

function change(
  description: Description,
  by: (things: readonly Thing[]) => readonly Thing[],
): Trouble | undefined {
  const before = kept(description);
  if (before.trouble === 'forbidden' || before.trouble === 'newer') return before.trouble;
  const things = by(before.things);
  if (things.length > most) return 'many';
  try {
    localStorage.setItem(shelfKey, JSON.stringify({ version, things }));
    return undefined;
  } catch {
    return 'full';
  }
}
