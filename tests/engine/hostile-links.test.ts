// Keys that every object has stand in no list of choices, flags, presets or questions: not in a
// link, not in what it keeps for comparison, not in a message to a frame.

import { beforeAll, describe, expect, test } from 'vitest';
import { stateIn } from '../../web/src/embed/received.ts';
import { createEngine, type Description, type Engine } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { chartKeys } from '../../web/src/link/chart-links.ts';
import { FieldLinks } from '../../web/src/link/field-links.ts';
import type { FieldId } from '../../web/src/model/fields.ts';
import { initialState, inputOf } from '../../web/src/model/state.ts';

/** All that an object has from `Object.prototype`, and arrays, functions and maps from theirs. */
const inherited = [Object, Array, Function, Map].flatMap((type) =>
  Object.getOwnPropertyNames(type.prototype),
);

let engine: Engine;
let description: Description;

beforeAll(async () => {
  engine = await createEngine();
  description = engine.describe();
});

/** Every key that a link may have. */
const keys = (): string[] => {
  const links = FieldLinks.of(description);
  const fields = links.ids.map((id) => links.key(id));
  return [...fields, ...chartKeys, 'view', 'figures', 'chip', 'model', 'optimizer'];
};

/** Fields that hold a text, whatever it is. */
const textIds = (): FieldId[] => {
  const links = FieldLinks.of(description);
  return links.ids.filter((id) => links.info(id).kind === 'text');
};

describe('inherited keys', () => {
  test('are no value of anything in a link', () => {
    const texts = textIds().map((id) => FieldLinks.of(description).key(id));
    for (const key of keys().filter((each) => !texts.includes(each))) {
      for (const value of inherited) {
        const { state, problems } = readAddress(description, `${key}=${value}`);
        expect(problems, `${key}=${value}`).toEqual([{ reason: 'badValue', key, value }]);
        // A link of a budget counts as the book does, unless it says otherwise.
        const counting = state.view === 'budget' ? 'book' : initialState.counting;
        expect(state).toEqual({ ...initialState, view: state.view, counting });
      }
    }
  });

  test('are words of a text, which the core refuses as it does any that it can’t read', () => {
    expect(textIds()).toEqual([
      'model.layerPattern',
      'layout.stageLayers',
      'serving.promptLengths',
      'serving.answerLengths',
      'reward.answerLengths',
    ]);
    for (const value of inherited) {
      const { state, problems } = readAddress(description, `model.layerPattern=${value}`);
      expect(problems, value).toEqual([]);
      expect(state).toEqual({
        ...initialState,
        edits: { ...initialState.edits, model: { layerPattern: value }, run: expect.anything() },
      });
      const [chip, model, run] = (['chip', 'model', 'run'] as const).map((group) =>
        inputOf(description, state, group),
      );
      const outcome = engine.estimate({ chip, model, run } as never);
      const [issue] = outcome.ok ? [] : outcome.issues;
      expect(issue, value).toMatchObject({
        code: 'patternUnreadable',
        field: 'model.layerPattern',
      });
    }
  });

  test('are no keys of a link', () => {
    // Some are fields, too: `op.length`, `op.keys`; a model may have a name.
    const known = new Set([...keys(), 'model.name', 'chip.name']);
    for (const key of inherited) {
      for (const name of [key, `model.${key}`, `op.${key}`].filter((each) => !known.has(each))) {
        const { state, problems } = readAddress(description, `${name}=1`);
        expect(problems, name).toEqual([{ reason: 'unknownKey', key: name, value: '1' }]);
        expect(state).toEqual(initialState);
      }
    }
  });

  test('keep a pin from being read', () => {
    const pin = 'model.tiedEmbeddings=constructor';
    const { state, problems } = readAddress(description, `pin=${encodeURIComponent(pin)}`);
    expect(problems).toEqual([{ reason: 'badValue', key: 'pin', value: pin }]);
    expect(state.pinned).toBeUndefined();
  });

  test('pass through a message as words, and are then no values either', () => {
    const link = stateIn({
      scalingCalculator: { v: 1, set: { 'model.tiedEmbeddings': 'constructor', view: 'valueOf' } },
    })!;
    const { state, problems } = readAddress(description, link);
    expect(problems.length).toBe(2);
    expect(writeAddress(description, state)).toBe('view=training');
  });

  test('whatever a link says, what is read of it can be written, and has no NaN in it', () => {
    const everything = keys().map((key, index) => `${key}=${inherited[index % inherited.length]}`);
    const { state } = readAddress(description, everything.join('&'));
    expect(writeAddress(description, state)).not.toContain('NaN');
    for (const edits of Object.values(state.edits)) {
      for (const value of Object.values(edits)) {
        expect(['string', 'number', 'boolean', 'object']).toContain(typeof value);
      }
    }
  });
});
