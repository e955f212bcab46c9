// The presets of a first view; states and links wait for the others.

import { describe, expect, test } from 'vitest';
import { chipEntries, first, modelEntries } from 'virtual:presets';
import { more } from 'virtual:more-presets';
import chipFile from '../../shared/chips.json' with { type: 'json' };
import modelFile from '../../shared/models.json' with { type: 'json' };
import { canReadAddress, longestLink } from '../../web/src/link/address.ts';
import { chipOf, chips, isLoaded, modelOf, models } from '../../web/src/model/presets.ts';
import { initialState } from '../../web/src/model/state.ts';
import { examples } from '../../web/src/model/views.ts';

const chipIds = chipFile.chips.map(({ id }) => id);
const modelIds = modelFile.models.map(({ id }) => id);

describe('the parts of the presets', () => {
  test('together are the files, in their order', () => {
    expect(chipEntries.map(({ id }) => id)).toEqual(chipIds);
    expect(modelEntries.map(({ id }) => id)).toEqual(modelIds);
    expect(chips.map(({ id }) => id)).toEqual(chipIds);
    expect(models.map(({ id }) => id)).toEqual(modelIds);
    for (const chip of chipFile.chips) expect(chipOf(chip.id)).toMatchObject(chip);
    for (const model of modelFile.models) expect(modelOf(model.id)).toMatchObject(model);
  });

  test('have nothing twice', () => {
    const [one, other] = [first, more].map(({ chips, models }) => [
      ...Object.keys(chips),
      ...Object.keys(models),
    ]);
    expect(one!.filter((id) => other!.includes(id))).toEqual([]);
    expect(one!.length + other!.length).toBe(chipIds.length + modelIds.length);
    expect(other!.length).toBeGreaterThan(5 * one!.length);
  });

  test('the first are those that the page starts with and offers', () => {
    const offered = examples.map(([, link]) => new URLSearchParams(link));
    const named = (kind: 'chip' | 'model'): string[] => [
      ...new Set([initialState[kind], ...offered.flatMap((pairs) => pairs.get(kind) ?? [])]),
    ];
    expect(Object.keys(first.chips).sort()).toEqual(named('chip').sort());
    expect(Object.keys(first.models).sort()).toEqual(named('model').sort());
  });

  test('a chip is known by its generation before its figures are there', () => {
    const generations = chipFile.chips.map(({ figures }) => figures.generation.value);
    expect(chipEntries.map(({ generation }) => generation)).toEqual(generations);
  });
});

describe('with all presets loaded', () => {
  test('every link can be read', () => {
    expect(isLoaded('chip', 'no-such-chip')).toBe(true);
    for (const link of ['', 'chip=no-such-chip', 'model=own', 'overlay=a,b', 'pin=chip%3Db200-sxm'])
      expect(canReadAddress(link)).toBe(true);
    expect(canReadAddress('x'.repeat(longestLink + 1))).toBe(true);
  });
});
