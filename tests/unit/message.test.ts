// Input from host pages: messages to a frame, attributes of an element. Nothing of it may do
// more than name a state.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateIn } from '../../web/src/embed/received.ts';
import { attributes, readSettings, type Attribute } from '../../web/src/embed/settings.ts';
import { longestLink } from '../../web/src/link/address.ts';
import { viewNames } from '../../web/src/embed/views.ts';

const message = (set: unknown, v: unknown = 1): unknown => ({ scalingCalculator: { v, set } });

describe('a message to a frame', () => {
  test('names a state, as a link or by its keys', () => {
    expect(stateIn(message('chips=64&model=gpt2'))).toBe('chips=64&model=gpt2');
    expect(stateIn(message({ chips: 64, 'op.kind': 'matmul', countLmHead: true }))).toBe(
      'chips=64&op.kind=matmul&countLmHead=true',
    );
    expect(stateIn(message(''))).toBe('');
  });

  test.each([
    ['another version', message('chips=1', 2)],
    ['no version', { scalingCalculator: { set: 'chips=1' } }],
    ['a number', message(5)],
    ['too long a link', message('x'.repeat(longestLink + 1))],
    ['no object', 'chips=1'],
    ['nothing', null],
    ['others’ messages', { source: 'react-devtools', payload: {} }],
  ])('%s is passed over', (_name, data) => {
    expect(stateIn(data)).toBeUndefined();
  });

  test('values that are no texts, numbers or flags are left out, and keys beyond the most', () => {
    const hostile = {
      chips: { toString: 1, valueOf: 1 },
      model: ['gpt2'],
      tokens: null,
      mfu: Number.NaN,
      ['__proto__']: 'x',
      batch: '<script>',
    };
    expect(stateIn(message(hostile))).toBe('mfu=NaN&__proto__=x&batch=%3Cscript%3E');
    const many = Object.fromEntries(Array.from({ length: 1e4 }, (_, n) => [`k${n}`, n]));
    expect(stateIn(message(many))!.split('&').length).toBe(500);
  });

  test('any message gives a text or nothing', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true });
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          anything.map((set) => message(set)),
        ),
        (data) => {
          expect(['string', 'undefined']).toContain(typeof stateIn(data));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('attributes', () => {
  const read = (given: Partial<Record<Attribute, string>>) => {
    const unknown: string[] = [];
    const settings = readSettings(
      (name) => given[name] ?? null,
      undefined,
      undefined,
      (name, value) => unknown.push(`${name}=${value}`),
    );
    return { ...settings, unknown };
  };

  test('name a view, presets and a state', () => {
    const { shown, link, unknown } = read({ view: 'memory', chip: 'h100-sxm', state: '#chips=8' });
    expect(shown).toMatchObject({ question: 'training', rows: ['memoryPerChip'] });
    expect(Object.fromEntries(new URLSearchParams(link))).toEqual({
      chips: '8',
      chip: 'h100-sxm',
      view: 'training',
    });
    expect(unknown).toEqual([]);
  });

  test('a chart can be of a collective, by its state', () => {
    const { shown, link } = read({ view: 'sweep', state: 'view=collective&coll.bytes=4M' });
    expect(shown).toMatchObject({ question: 'collective', chart: 'sweep' });
    expect(new URLSearchParams(link).get('view')).toBe('collective');
  });

  test('a view that there is not is told, and the usual taken', () => {
    for (const view of ['nonsense', '__proto__', 'toString', 'constructor']) {
      const { shown, unknown } = read({ view });
      expect(shown.question).toBe('training');
      expect(unknown).toEqual([`view=${view}`]);
    }
  });

  test('controls are all, those of the sentence, none, or named', () => {
    expect(read({}).controls).toBe('sentence');
    expect(read({ controls: 'all' }).controls).toBe('all');
    expect(read({ controls: 'none' }).controls).toEqual(new Set());
    expect(read({ controls: 'chip, model  chips' }).controls).toEqual(
      new Set(['chip', 'model', 'chips']),
    );
  });

  test('any texts give a view that there is', () => {
    const texts = Object.fromEntries(
      attributes.map((name) => [
        name,
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...viewNames, '%', '&&=', '#?')),
      ]),
    );
    fc.assert(
      fc.property(fc.record(texts, { requiredKeys: [] }), (given) => {
        const { shown, link } = read(given as Partial<Record<Attribute, string>>);
        expect(new URLSearchParams(link).get('view')).toBe(shown.question);
      }),
      { numRuns: 2000 },
    );
  });
});
