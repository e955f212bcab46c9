// The reader's own chips and models as files and in storage: what goes out comes back, and of
// anything else only what is sound is taken.

import fc from 'fast-check';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import type { Description, FieldInfo, FieldValue } from '../../web/src/engine/index.ts';
import { backupKey, storageKey } from '../../web/src/custom/storage-key.ts';
import { keep, kept, mostCustomPresets, remove, rename } from '../../web/src/custom/storage.ts';
import {
  kinds,
  readCustomPresetFile,
  stateWith,
  customPresetOf,
  writeCustomPreset,
} from '../../web/src/custom/custom-presets.ts';
import type { CustomPreset } from '../../web/src/custom/custom-presets.ts';
import { presetIds } from '../../web/src/model/presets.ts';
import { initialState } from '../../web/src/model/state.ts';
import { fault } from './inputs.ts';

let description: Description;

beforeAll(async () => {
  description = (await createEngine()).describe();
});
afterEach(() => vi.unstubAllGlobals());

/** A value that the field can have. */
function valueOf(info: FieldInfo): fc.Arbitrary<FieldValue> {
  if (info.kind === 'flag') return fc.boolean();
  if (info.kind === 'choice') return fc.constantFrom(...info.choices);
  if (info.kind === 'text') return fc.string({ maxLength: 20 });
  const { min, max } = info;
  const number =
    info.kind === 'count'
      ? fc.integer({ min, max: Math.min(max, Number.MAX_SAFE_INTEGER) })
      : fc.double({ min, max, noNaN: true });
  return info.optional ? fc.option(number) : number;
}

function anyThing(): fc.Arbitrary<CustomPreset> {
  return fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      name: fc.constantFrom('A', '自己的', 'x'.repeat(60), '__proto__', '<b>'),
      base: fc.constantFrom(...presetIds[kind]),
      fields: fc
        .record(
          Object.fromEntries(description.groups[kind].map((info) => [info.key, valueOf(info)])),
          { requiredKeys: [] },
        )
        // Keys that are left out are not there at all, which the type does not tell.
        .map((fields) => fields as CustomPreset['fields']),
    }),
  );
}

/** A preset that was read holds nothing that the core would not take. */
function isSound({ kind, name, base, fields }: CustomPreset): void {
  expect(presetIds[kind].has(base)).toBe(true);
  expect([...name].length).toBeLessThanOrEqual(60);
  const infos = new Map(description.groups[kind].map((info) => [info.key, info]));
  for (const [key, value] of Object.entries(fields)) {
    expect(fault(infos.get(key)!, value), `${key} ${value}`).toBeUndefined();
  }
}

test('a file gives back what it was made of', () => {
  fc.assert(
    fc.property(anyThing(), (thing) => {
      const reading = readCustomPresetFile(description, writeCustomPreset(thing));
      expect(reading).toEqual({ ok: true, preset: thing, problems: [] });
      const state = stateWith(description, initialState, thing);
      expect(state[thing.kind]).toBe(thing.base);
      // A state holds the preset again, without the fields that are as the preset has them.
      const again = customPresetOf(state, thing.kind, thing.name);
      expect(stateWith(description, initialState, again)).toEqual(state);
    }),
  );
});

test('of any file only what is sound is taken', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(-1, 1e300, '32', null, {}, []));
  const file = fc.record(
    {
      format: fc.constant('scaling-calculator'),
      version: fc.oneof(fc.constant(1), odd),
      kind: fc.oneof(fc.constantFrom<unknown>('chip', 'model', 'constructor'), odd),
      name: fc.oneof(fc.string(), odd),
      base: fc.oneof(fc.constantFrom('own', 'h100-sxm', 'toString'), odd),
      fields: fc.oneof(
        fc.dictionary(
          fc.constantFrom('layers', 'memory', 'network', 'norm', 'power', 'valueOf'),
          odd,
        ),
        odd,
      ),
    },
    { requiredKeys: ['format'] },
  );
  fc.assert(
    fc.property(file, (each) => {
      const reading = readCustomPresetFile(description, JSON.stringify(each));
      if (reading.ok) isSound(reading.preset);
      else expect(['notAThing', 'newerFile', 'tooDeep']).toContain(reading.reason.code);
    }),
    { numRuns: 1000 },
  );
  // An object that cannot be converted to a number was once compared with the version.
  const hostile = '{"format":"scaling-calculator","version":{"toString":false},"kind":"chip"}';
  expect(readCustomPresetFile(description, hostile).ok).toBe(true);
  const text = '{"kind":"chip","fields":{"__proto__":{"memory":1},"memory":2e10}}';
  expect(readCustomPresetFile(description, text)).toMatchObject({
    preset: { base: 'own', fields: { memory: 2e10 } },
    problems: [{ code: 'unknownField', key: '__proto__' }],
  });
});

/** Storage in memory, with what `stored` says in it. */
function storage(stored?: string): Map<string, string> {
  const items = new Map<string, string>(stored === undefined ? [] : [[storageKey, stored]]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
  return items;
}

test('any storage gives sound things, and takes one more', () => {
  const stored = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(fc.oneof(fc.jsonValue(), anyThing()))
      .map((things) => JSON.stringify({ version: 1, things })),
  );
  fc.assert(
    fc.property(stored, anyThing(), (text, thing) => {
      storage(text);
      const before = kept(description);
      before.presets.forEach(isSound);
      if (before.trouble === 'newer') return;
      expect(keep(description, thing)).toBeUndefined();
      const { presets: things } = kept(description);
      expect(things).toContainEqual(thing);
      // Nothing else is lost; only one of its own name makes way.
      for (const each of before.presets) {
        if (each.kind !== thing.kind || each.name !== thing.name)
          expect(things).toContainEqual(each);
      }
    }),
    { numRuns: 300 },
  );
});

// Comparing such an object with the version used to throw.
test('a version that is no number is no newer one', () => {
  storage('{"version":{"toString":false},"things":[]}');
  expect(kept(description).trouble).toBeUndefined();
  storage('{"version":1e400,"things":[]}');
  expect(kept(description).trouble).toBe('newer');
});

// Keeping one thing used to write back only what this version understood of the others.
test('what a newer version wrote stays as it is', () => {
  const cluster = { kind: 'cluster', name: 'C', nodes: [1, 2.5, 'x'] };
  const chip = { kind: 'chip', name: 'A', base: 'h100-sxm', fields: { memory: 1e11, cooling: 3 } };
  const unnamed = { kind: 'chip', name: '', base: 'own', fields: {} };
  const stored = {
    version: 1,
    folders: { mine: ['A'] },
    things: [cluster, chip, unnamed, null, 7],
  };
  const items = storage(JSON.stringify(stored));
  const now = (): typeof stored => JSON.parse(items.get(storageKey)!);
  const other: CustomPreset = { kind: 'model', name: 'M', base: 'own', fields: { layers: 2 } };

  expect(kept(description)).toMatchObject({ presets: [{ name: 'A' }], trouble: 'damaged' });
  expect(keep(description, other)).toBeUndefined();
  expect(now()).toEqual({ ...stored, things: [...stored.things, other] });
  expect(rename(description, kept(description).presets[0]!, 'B')).toBeUndefined();
  expect(now().things[1]).toEqual({ ...chip, name: 'B' });
  // Deleted and put back, it is what it was.
  const [b] = kept(description).presets;
  expect(remove(description, b!)).toBeUndefined();
  expect(now().things).toHaveLength(5);
  expect(keep(description, b!)).toBeUndefined();
  expect(now().things).toContainEqual({ ...chip, name: 'B' });
  expect(now().folders).toEqual(stored.folders);
  expect(items.has(backupKey)).toBe(false);
});

test('what can’t be read is set aside before anything is written', () => {
  const thing: CustomPreset = { kind: 'chip', name: 'A', base: 'own', fields: {} };
  const odd = [
    '{"version":1,"things":[{"kind":"chip"',
    '{"version":1,"things":{}}',
    '[]',
    '<html>',
  ];
  odd.forEach((stored) => {
    const items = storage(stored);
    expect(kept(description)).toEqual({ presets: [], trouble: 'unreadable' });
    expect(items.get(storageKey)).toBe(stored);
    expect(keep(description, thing)).toBeUndefined();
    expect(items.get(backupKey)).toBe(stored);
    expect(kept(description)).toEqual({ presets: [thing] });
    // A second time, with what was set aside before still there.
    items.set(storageKey, `${stored} again`);
    expect(keep(description, thing)).toBeUndefined();
    expect([...items.values()]).toEqual(
      expect.arrayContaining([stored, `${stored} again`, items.get(storageKey)]),
    );
  });
  // Nothing is written if there is no room for that.
  const items = storage('broken');
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (key !== storageKey) throw new Error('full');
      items.set(key, value);
    },
  });
  expect(keep(description, thing)).toBe('full');
  expect(items.get(storageKey)).toBe('broken');
});

test('storage has its limit, and its troubles have names', () => {
  const thing = (name: string): CustomPreset => ({ kind: 'chip', name, base: 'own', fields: {} });
  storage();
  for (let index = 0; index < mostCustomPresets; index += 1) {
    expect(keep(description, thing(`chip ${index}`))).toBeUndefined();
  }
  expect(keep(description, thing('one more'))).toBe('many');
  expect(keep(description, thing('chip 7'))).toBeUndefined(); // in the place of what is there
  expect(rename(description, thing('chip 7'), 'seven')).toBeUndefined();
  expect(remove(description, thing('chip 8'))).toBeUndefined();
  const names = kept(description).presets.map(({ name }) => name);
  expect(names).toHaveLength(mostCustomPresets - 1);
  expect(names[7]).toBe('seven');

  const items = storage('{"version": 2}');
  expect(keep(description, thing('A'))).toBe('newer');
  expect(items.get(storageKey)).toBe('{"version": 2}');
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  });
  expect(keep(description, thing('A'))).toBe('full');
  vi.stubGlobal('localStorage', undefined);
  expect(kept(description)).toEqual({ presets: [], trouble: 'forbidden' });
  expect(keep(description, thing('A'))).toBe('forbidden');
});
