// States as links, and links as states.

import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createEngine,
  type Description,
  type FieldValue,
  type GroupName,
} from '../../web/src/engine/index.ts';
import type { ChartSettings } from '../../web/src/model/charts.ts';
import { charts, pages, questions } from '../../web/src/model/views.ts';
import { chips, own, presetIds } from '../../web/src/model/presets.ts';
import { cleanName, longestLink, readAddress, writeAddress } from '../../web/src/link/address.ts';
import { FieldLinks } from '../../web/src/link/field-links.ts';
import { meaning, meantBy } from '../../web/src/link/meant.ts';
import {
  initialState,
  inputOf,
  withField,
  withView,
  withLayoutBest,
  withPreset,
  type State,
} from '../../web/src/model/state.ts';
import golden from '../golden/links.json' with { type: 'json' };

describe('the codec', () => {
  let description: Description;
  beforeAll(async () => {
    const engine = await createEngine();
    description = engine.describe();
  });

  const value = (field: Description['groups']['run'][number]): fc.Arbitrary<unknown> => {
    if (field.kind === 'choice') return fc.constantFrom(...field.choices);
    if (field.kind === 'flag') return fc.boolean();
    if (field.kind === 'text') return fc.constantFrom('3xad.58xae', '2x(m-,-e) ad', '');
    const number =
      field.kind === 'count'
        ? fc.integer({ min: Math.ceil(field.min), max: Math.min(field.max, 2 ** 53 - 1) })
        : fc.double({ min: field.min, max: field.max, noNaN: true });
    const positive = number.map((given) => (given === 0 ? 0 : given));
    return field.optional ? fc.option(positive, { nil: null }) : positive;
  };

  const chartSettings = (): fc.Arbitrary<ChartSettings> => {
    const ids = Object.entries(description.groups).flatMap(([group, list]) =>
      list.map((field) => ({ id: `${group as GroupName}.${field.key}` as const, field })),
    );
    const numeric = ids.filter(({ field }) => ['number', 'count'].includes(field.kind));
    const axis = fc.tuple(fc.constantFrom(...numeric), fc.boolean()).map(([{ id, field }, bare]) =>
      bare
        ? { field: id }
        : {
            field: id,
            range: [field.min || (field.kind === 'count' ? 1 : 1e-9), field.max] as const,
          },
    );
    // Lines differ in numbers, choices and flags: a text, which may hold commas, is refused.
    const lines = fc
      .constantFrom(...ids.filter(({ field }) => field.kind !== 'text'))
      .chain(({ id, field }) =>
        fc
          .uniqueArray(value(field) as fc.Arbitrary<FieldValue>, { minLength: 1, maxLength: 6 })
          .map((values) => ({ fields: [id], values })),
      );
    return fc.record(
      {
        chart: fc.constantFrom(...charts),
        overlay: fc.uniqueArray(fc.constantFrom(...chips.map(({ id }) => id)), {
          minLength: 1,
          maxLength: 4,
        }),
        over: axis,
        against: axis,
        answer: fc.constantFrom('lowerBound', 'collectiveTime'),
        lines,
        map: fc.constantFrom(['tensor', 'pipeline'] as const, ['data', 'microBatch'] as const),
        scaling: fc.constantFrom('strong' as const, 'weak' as const),
        kernels: fc.constant('shown'),
        runs: fc.constantFrom('chip:h100-sxm,stack:none', 'kind:moe,chips:1024,parameters:405B'),
        by: fc.constantFrom('source', 'kind'),
        run: fc.constantFrom('mt-nlg-530b-3360', 'a.b_c+d'),
        measured: fc.constantFrom('step:4.45', 'speed:1.2M'),
      },
      { requiredKeys: [] },
    );
  };

  /** Names may be anything, once it is one short line. */
  const names = fc
    .string({ unit: 'binary', maxLength: 80 })
    .map(cleanName)
    .filter((name) => name !== '');

  const unpinned = () => {
    const fields = Object.entries(description.groups).flatMap(([group, list]) =>
      list.map((field) => value(field).map((given) => [group, field.key, given] as const)),
    );
    return fc
      .record({
        view: fc.constantFrom(...questions, ...pages),
        figures: fc.constantFrom('book' as const, 'vendor' as const),
        chip: fc.constantFrom(...presetIds.chip),
        model: fc.constantFrom(...presetIds.model),
        optimizer: fc.constantFrom(...presetIds.optimizer),
        names: fc.record({ chip: names, model: names }, { requiredKeys: [] }),
        charts: chartSettings(),
        set: fc.array(fc.oneof(...fields), { maxLength: 12 }),
      })
      .map(({ set, view, ...presets }) =>
        set.reduce<State>(
          (state, [group, key, given]) =>
            withField(description, state, `${group as GroupName}.${key}`, given as number),
          withView({ ...initialState, ...presets }, view),
        ),
      );
  };
  const states = () =>
    fc
      .tuple(unpinned(), fc.option(unpinned(), { freq: 3 }))
      .map(([state, pinned]) => (pinned ? { ...state, pinned } : state));

  test('reads back what it wrote, for every state', () => {
    fc.assert(
      fc.property(states(), (state) => {
        const link = writeAddress(description, state);
        expect(readAddress(description, link)).toEqual({ state, problems: [], language: null });
        expect(link.length).toBeLessThan(longestLink);
      }),
      { numRuns: 500 },
    );
  });

  test('equal states have equal links, whatever the order of edits', () => {
    const one = readAddress(description, 'tokens=2T&chips=100&chip.memory=80G').state;
    const other = readAddress(description, 'chip.memory=8e10&chips=1e2&tokens=2000000000000').state;
    expect(writeAddress(description, one)).toBe(writeAddress(description, other));
  });

  test('every field at its longest fits, and again in what is kept beside', () => {
    const longest = Object.entries(description.groups).reduce<State>(
      (state, [group, list]) =>
        list.reduce<State>((before, field) => {
          const number = field.kind === 'count' ? 123456789012345 : 0.12345678901234567;
          const words = [...field.choices].sort((one, other) => other.length - one.length);
          const text = field.kind === 'text' ? '.'.repeat(field.max) : undefined;
          const given = text ?? (field.kind === 'flag' ? false : (words[0] ?? number));
          return withField(description, before, `${group as GroupName}.${field.key}`, given);
        }, state),
      {
        ...initialState,
        view: 'collective',
        figures: 'vendor',
        chip: own,
        model: own,
        names: { chip: '中'.repeat(60), model: '😀'.repeat(60) },
      },
    );
    const state = { ...longest, pinned: { ...longest, view: 'operation' as const } };
    const link = writeAddress(description, state);
    expect(link.length).toBeLessThan(longestLink);
    expect(readAddress(description, link)).toEqual({ state, problems: [], language: null });
  });

  test('takes any text without falling over', () => {
    const keys = [
      ...['chips', 'mfu', 'chip', 'op.batch', 'model.layers', 'view', 'pin', 'chip.name', 'lang'],
      ...['__proto__', 'constructor', 'toString', 'over', 'lines', 'map', 'op.chips', ''],
    ];
    const hostile = fc.constantFrom(
      ...['__proto__', 'constructor', 'hasOwnProperty', '\0', '%', '%E0%A4%A', '%00', '%u0041'],
      ...['1e999', '-0', '0x10', 'NaN', 'Infinity', '<script>', 'own', 'none', 'pin=pin=', '🂡'],
    );
    const pairs = fc
      .array(fc.tuple(fc.constantFrom(...keys), fc.oneof(fc.string({ unit: 'binary' }), hostile)))
      .map((list) => list.map((pair) => pair.join('=')).join('&'));
    const nested = fc
      .tuple(pairs, pairs)
      .map(([outer, inner]) => `${outer}&pin=${encodeURIComponent(inner)}`);
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.webQueryParameters(),
      pairs,
      nested,
    );
    fc.assert(
      fc.property(text, (link) => {
        const { state, problems } = readAddress(description, link);
        expect(readAddress(description, writeAddress(description, state)).state).toEqual(state);
        // A note about them is short and tells of the link alone.
        for (const { key, value } of problems) expect(typeof `${key}${value}`).toBe('string');
        expect(Object.getPrototypeOf(state.edits.run)).toBe(Object.prototype);
      }),
      { numRuns: 2000 },
    );
    expect({}).not.toHaveProperty('chips');
  });

  test.each([
    ['1 MB', `chips=${'1'.repeat(1 << 20)}`],
    ['a megabyte of keys', 'a=1&'.repeat(1 << 18)],
  ])('does not read noise: %s', (_, link) => {
    const parser = vi.spyOn(globalThis, 'URLSearchParams');
    expect(readAddress(description, link)).toEqual({
      state: initialState,
      problems: [{ reason: 'tooLong', key: '', value: '' }],
      language: null,
    });
    expect(parser).not.toHaveBeenCalled();
    parser.mockRestore();
  });

  test.each([
    ['chip.name=', 'chip.name'],
    ['model.name=%20%0A%00', 'model.name'],
    ['pin=gpus%3D8', 'pin'],
    ['pin=chips%3Dmany', 'pin'],
    ['optimizer=__proto__', 'optimizer'],
    ['figures=mine', 'figures'],
    ['view=__proto__', 'view'],
    ['scaling=sideways', 'scaling'],
    ['map=tensor', 'map'],
    ['search.tensor=maybe', 'search.tensor'],
  ])('says what cannot be: %s', (link, key) => {
    const { state, problems } = readAddress(description, `${link}&tokens=2T`);
    expect(problems.map((problem) => [problem.reason, problem.key])).toEqual([['badValue', key]]);
    expect(writeAddress(description, state)).toBe('tokens=2T');
  });

  test('names are one line of at most 60 signs', () => {
    const { state } = readAddress(
      description,
      'chip.name=a%0Ab%09%E2%80%AEc&model.name=' + 'é'.repeat(99),
    );
    expect(state.names).toEqual({ chip: 'a b c', model: 'é'.repeat(60) });
  });

  describe('links that were once given out', () => {
    test.each(golden.links.map(({ note, ...given }) => ({ name: note ?? given.link, ...given })))(
      '$name',
      ({ link, gives, edits }) => {
        const { state, problems } = readAddress(description, link);
        expect(problems).toEqual([]);
        expect(writeAddress(description, state)).toBe(gives);
        const set = Object.entries(state.edits).flatMap(([group, fields]) =>
          Object.entries(fields).map(([key, given]) => [`${group}.${key}`, given]),
        );
        expect(Object.fromEntries(set)).toEqual(edits);
      },
    );

    test('every word that a link ever had is understood', () => {
      const pairs = [
        ...Object.entries(golden.presets).flatMap(([key, ids]) => ids.map((id) => [key, id])),
        ...Object.entries(golden.keys).flatMap(([key, words]) =>
          (
            ({ number: ['1'], flag: ['yes', 'no'], text: ['80xad'] })[words as string] ??
            (words as string[])
          ).map((word) => [key, word]),
        ),
      ];
      expect(pairs.length).toBeGreaterThan(400);
      for (const pair of pairs) {
        const { problems } = readAddress(description, pair.join('='));
        expect(problems, pair.join('=')).toEqual([]);
      }
    });

    test('and every field and choice that a link can have today is among them', () => {
      const links = FieldLinks.of(description);
      const known: Record<string, unknown> = golden.keys;
      for (const id of links.ids) {
        const { kind, choices } = links.info(id);
        const words = known[links.key(id)];
        if (kind === 'choice') expect(words, id).toEqual(expect.arrayContaining([...choices]));
        else expect(words, id).toBe(['flag', 'text'].includes(kind) ? kind : 'number');
      }
    });
  });

  test.each([
    ['op.kind=splitMatmul', 'view=operation&mesh.x=2&op.kind=shardedMatmul'],
    ['op.kind=splitMatmul&op.chips=8', 'view=operation&mesh.x=8&op.kind=shardedMatmul'],
    ['op.kind=splitMatmul&mesh.x=16', 'view=operation&mesh.x=16&op.kind=shardedMatmul'],
    ['op.chips=8&mesh.x=16', 'view=operation&mesh.x=16'],
    ['view=operation&op.chips=4', 'view=operation'], // the mesh's default
    // These links are from before rates were measured: stated values hold, even those equal to
    // defaults.
    ['assume.overlapTensor=50%25', 'view=plan&assume.rates=stated&assume.overlapTensor=50%25'],
    ['view=plan&assume.memoryEfficiency=85%25', 'view=plan&assume.rates=stated'],
    ['view=plan&assume.overlapData=1&assume.rates=measured', 'view=plan'],
    ['pin=view%3Dplan%26assume.overlapData%3D1', 'pin=view=plan%26assume.rates=stated'],
    ['view=plan&assume.usableMemory=90%25', 'view=plan&assume.usableMemory=90%25'],
  ])('a link of an earlier version: %s', (old, link) => {
    const { state, problems } = readAddress(description, old);
    expect(problems).toEqual([]);
    expect(new Set(writeAddress(description, state).split('&'))).toEqual(new Set(link.split('&')));
  });

  test.each([
    'chart=sweep',
    'overlay=h100-sxm,tpu-v5p',
    'over=op.batch',
    'over=op.batch:1..1M',
    'against=chip.memoryBandwidth:100G..10T',
    'answer=lowerBound',
    'lines=op.contraction:1024,4096',
    'lines=op.contraction=op.output:1024,4096',
    'lines=op.weightFormat:bf16,int8',
    'lines=coll.inNetworkReduction:no,yes',
    'over=batch:1M..4M',
    'kernels=shown',
    'runs=chip:h100-sxm,format:fp8,kind:dense',
    'runs=generation:hopper,chips:1024,parameters:405B',
    'by=source',
    'run=mt-nlg-530b-3360',
    'measured=step:4.45',
    'measured=speed:1.2M',
  ])('what charts show, in readable keys: %s', (link) => {
    const { state, problems } = readAddress(description, link);
    expect(problems).toEqual([]);
    expect(writeAddress(description, state)).toBe(link);
  });

  test.each([
    'chart=pie',
    'overlay=abacus',
    'overlay=h100-sxm,,',
    'over=op.nothing',
    'over=op.weightFormat',
    'over=op.batch:0..8',
    'over=op.batch:8..8',
    'over=op.batch:1.5..8',
    'over=op.batch:1..2..3',
    'over=op.batch:1..1e99',
    'answer=bound',
    'answer=__proto__',
    'lines=op.contraction:',
    'lines=op.contraction:-1',
    'lines=op.contraction:1,2,3,4,5,6,7',
    'lines=op.weightFormat:bf17',
    'lines=op.weightFormat=op.batch:bf16',
    'lines=model.layerPattern:80xad',
    'over=model.layerPattern',
    'lines=:1',
    'runs=',
    'runs=model:<b>',
    'run=<script>',
    'measured="1"',
  ])('and refused where it makes no sense: %s', (link) => {
    const { state, problems } = readAddress(description, link);
    expect(problems.map(({ reason, key }) => [reason, key])).toEqual([
      ['badValue', link.split('=')[0]],
    ]);
    expect(state).toEqual(initialState);
  });

  describe('the formats of weights', () => {
    const server = (state: State) => inputOf(description, state, 'server');

    test('are those of the published model, until the reader or a link sets them', () => {
      const { state } = readAddress(description, 'view=serving&model=kimi-k2.5');
      expect(server(state)).toMatchObject({
        weights: 'bf16',
        expertWeights: 'int4',
        groupSize: 32,
        zeroPoints: 'none',
      });
      const other = withPreset(state, 'model', 'deepseek-v4-pro');
      expect(server(other)).toMatchObject({ weights: 'fp8Block', expertWeights: 'mxfp4' });
      const dense = withPreset(other, 'model', 'llama-3.1-8b');
      expect(server(dense)).toMatchObject({ weights: 'bf16', expertWeights: 'asWeights' });
      const named = readAddress(description, 'model=kimi-k2.5&server.weights=int4').state;
      expect(server(named)).toMatchObject({
        weights: 'int4',
        expertWeights: 'asWeights',
        groupSize: 128,
        zeroPoints: 'sixteen',
      });
    });

    test('stay as the reader set them, whatever the model', () => {
      const { state } = readAddress(description, 'model=llama-3.1-8b&server.weights=fp8');
      const other = withPreset(state, 'model', 'gpt-oss-120b');
      expect(server(other)).toMatchObject({ weights: 'fp8', expertWeights: 'mxfp4' });
      const set = withField(description, other, 'server.expertWeights', 'asWeights');
      const next = withPreset(set, 'model', 'kimi-k2.5');
      expect(server(next)).toMatchObject({ weights: 'fp8', expertWeights: 'asWeights' });
    });

    test.each([...presetIds.model])('of %s stand in a link that names one', (model) => {
      const start = withPreset(initialState, 'model', model);
      for (const key of ['weights', 'attentionWeights', 'expertWeights', 'headWeights']) {
        for (const value of ['bf16', 'fp8Block', 'mxfp4']) {
          const state = withField(description, start, `server.${key}`, value);
          const link = writeAddress(description, state);
          const read = readAddress(description, link).state;
          expect(server(read)).toEqual(server(state));
          expect(writeAddress(description, read)).toBe(link);
        }
      }
    });
  });

  describe('the layout of a plan', () => {
    const fixed = (link: string): string => readAddress(description, link).state.layout;

    test('is the best way, and in no link, until it is fixed', () => {
      const { state } = readAddress(description, 'view=plan&chips=64');
      expect(state.layout).toBe('best');
      const found = { of: '', fields: { tensor: 4, context: 1, microBatch: 2, schedule: 'zbv' } };
      const there: State = { ...state, found };
      const layout = inputOf(description, there, 'layout');
      // Fields that are not left to the search stay unchanged.
      expect(layout).toMatchObject({ tensor: 4, context: 1, microBatch: 2 });
      expect(layout.schedule).not.toBe('zbv');
      expect(writeAddress(description, there)).toBe('view=plan&chips=64');
      const set = withField(description, there, 'layout.tensor', 8);
      expect(set.layout).toBe('fixed');
      expect(inputOf(description, set, 'layout')).toMatchObject({ tensor: 8, microBatch: 2 });
      expect(writeAddress(description, set)).toBe(
        'view=plan&chips=64&layout.context=1&layout.microBatch=2',
      );
      const again = withLayoutBest(description, set);
      expect(writeAddress(description, again)).toBe('view=plan&chips=64');
    });

    test.each([
      ['view=plan', 'best'],
      ['view=plan&layout.optimizer=lion&layout.schedule=zbv', 'best'],
      ['view=plan&layout.tensor=8', 'fixed'],
      ['view=plan&layout.tensor=4', 'fixed'],
      ['view=plan&layout.tensor=4&search.tensor=no', 'best'],
      ['search.tensor=no&layout.tensor=4&view=plan', 'best'],
      ['view=plan&layout.context=1&search.tensor=no', 'fixed'],
      ['view=plan&search.schedule=yes&layout.schedule=zbv', 'fixed'],
    ])('%s: %s', (link, how) => expect(fixed(link)).toBe(how));

    test('of an earlier link is what it was: what it leaves out is as it starts', () => {
      const { state } = readAddress(description, 'view=plan&layout.pipeline=16');
      const layout = inputOf(description, state, 'layout');
      expect(layout).toMatchObject({ tensor: 8, context: 2, pipeline: 16 });
    });

    test('stays as it was found where the search is told to leave it', () => {
      const { state } = readAddress(description, 'view=plan');
      const there: State = { ...state, found: { of: '', fields: { tensor: 4, pipeline: 2 } } };
      const pinned = withField(description, there, 'search.tensor', false);
      expect([pinned.layout, pinned.edits.layout]).toEqual(['best', { tensor: 4 }]);
      const other = withField(description, pinned, 'layout.tensor', 2);
      expect([other.layout, other.edits.layout]).toEqual(['best', { tensor: 2 }]);
      const open = withField(description, other, 'search.tensor', true);
      expect([open.layout, open.edits.layout]).toEqual(['best', {}]);
    });
  });

  describe('the batch', () => {
    const batchOf = (state: State): unknown => inputOf(description, state, 'run').batchTokens;
    const read = (link: string): State => readAddress(description, link).state;

    test('starts as one number, whatever the question', () => {
      expect(batchOf(read(''))).toBe(2 ** 22);
      expect(batchOf(read('view=plan'))).toBe(2 ** 22);
      expect([read('').edits.run, read('view=plan').edits.run]).toEqual([{}, {}]);
      for (const view of questions) {
        expect(batchOf({ ...initialState, view })).toBe(2 ** 22);
        expect(batchOf({ ...read('mfu=30%25'), view })).toBe(4e6);
      }
    });

    test.each([
      ['mfu=30%25', 4e6],
      ['chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T', 4e6],
      ['view=training&chips=64', 4e6],
      ['chart=sweep', 4e6],
      ['view=plan&chips=64', 2 ** 22],
      ['view=plan&layout.tensor=4', 2 ** 22],
      ['mfu=30%25&batch=4Mi', 2 ** 22],
      ['mfu=30%25&batchTokens=2M', 2e6],
    ])('of a link that leaves it out is what it was: %s', (link, batch) => {
      expect(batchOf(read(link))).toBe(batch);
      expect(batchOf(read(writeAddress(description, read(link))))).toBe(batch);
    });

    test('and of what is kept for comparison', () => {
      expect(batchOf(read('tokens=2T&pin=').pinned!)).toBe(4e6);
      expect(batchOf(read('tokens=2T&pin=view=plan').pinned!)).toBe(2 ** 22);
      const kept = { ...initialState, pinned: initialState };
      expect(writeAddress(description, kept)).toBe('batch=4194304&pin=batch=4194304');
      expect(read(writeAddress(description, kept))).toEqual(kept);
    });

    test('stands in a link that would mean another without it', () => {
      const set = (state: State, key: string, value: number): State =>
        withField(description, state, `run.${key}`, value);
      expect(writeAddress(description, set(initialState, 'mfu', 0.3))).toBe(
        'batch=4194304&mfu=30%25',
      );
      expect(writeAddress(description, set(initialState, 'batchTokens', 4e6))).toBe('batch=4M');
      const plan: State = { ...initialState, view: 'plan' };
      expect(writeAddress(description, set(plan, 'chips', 64))).toBe('view=plan&chips=64');
      expect(writeAddress(description, set(plan, 'batchTokens', 4e6))).toBe('view=plan&batch=4M');
    });

    test('stays where a mistake in a link is mended', () => {
      const { state, problems } = readAddress(description, 'chip=b200');
      const meant = meantBy(description, problems[0]!)!;
      expect(batchOf(meaning(description, state, meant).state)).toBe(batchOf(state));
    });
  });

  describe('a key of another view', () => {
    const found = (link: string) => readAddress(description, link).problems;
    const mended = (link: string): string => {
      const { state, problems } = readAddress(description, link);
      const meant = meantBy(description, problems[0]!)!;
      return writeAddress(description, meaning(description, state, meant, problems[0]).state);
    };

    test.each([
      ['view=serving&chip=b200-sxm&chips=4', 'chips', 'serve.chips'],
      ['view=serving&layout.tensor=4', 'layout.tensor', 'serve.tensor'],
      [
        'view=serving&assume.memoryEfficiency=70%25',
        'assume.memoryEfficiency',
        'server.memoryEfficiency',
      ],
      ['view=plan&serve.chips=64', 'serve.chips', 'chips'],
      ['view=plan&serve.tensor=4', 'serve.tensor', 'layout.tensor'],
      ['view=training&serve.chips=64', 'serve.chips', 'chips'],
      ['view=budget&serve.chips=64', 'serve.chips', 'chips'],
      ['view=operation&batch=256', 'batch', 'op.batch'],
    ])('%s is told to have no use there', (link, key, meant) => {
      expect(found(link)).toMatchObject([{ reason: 'otherView', key, meant }]);
      const view = readAddress(description, link).state.view;
      const pairs = new URLSearchParams(mended(link));
      expect(readAddress(description, mended(link)).state.view).toBe(view);
      expect(pairs.has(meant)).toBe(true);
      expect(pairs.has(key)).toBe(false);
      expect(found(pairs.toString())).toEqual([]);
    });

    test('is not, where its link says what it means', () => {
      expect(found('view=serving&chips=4&serve.chips=8')).toEqual([]);
      expect(found('view=plan&chips=64&tokens=2T')).toEqual([]);
      expect(found('view=serving&tokens=2T&sequence=8192')).toEqual([]);
      expect(found('view=evidence&serve.chips=4')).toEqual([]);
      expect(found('view=serving&chips=4&also=training')).toEqual([]);
      expect(found('view=serving&pin=chips%3D4')).toEqual([]);
    });

    test.each([
      ['serve.chips=4&chip=h100-sxm', 'serving'],
      ['serve.users=50&server.weights=fp8', 'serving'],
      ['op.batch=256', 'operation'],
      ['mesh.x=16&coll.bytes=4M', 'collective'],
      ['layout.tensor=8&assume.overlapData=0', 'plan'],
      ['budget.money=5M', 'budget'],
      ['chips=64', 'training'],
      ['chip.memory=80G', 'training'],
      ['view=training&serve.users=50', 'training'],
    ])('is all that a link has: %s opens %s', (link, view) => {
      const { state, problems } = readAddress(description, link);
      expect([state.view, problems]).toEqual([view, []]);
      expect(readAddress(description, writeAddress(description, state)).state).toEqual(state);
    });

    test.each([
      ['chips=64&serve.users=50', 'training', [['serve.users', undefined]]],
      ['chips=64&layout.tensor=8', 'training', [['layout.tensor', undefined]]],
      ['tokens=2T&serve.chips=8', 'training', [['serve.chips', 'chips']]],
      ['chips=64&serve.chips=8', 'training', []],
      [
        'serve.users=4&op.batch=1',
        'training',
        [
          ['op.batch', 'batch'],
          ['serve.users', undefined],
        ],
      ],
    ])('is told where a link names no view: %s', (link, view, told) => {
      const { state, problems } = readAddress(description, link);
      expect(state.view).toBe(view);
      expect(problems.map(({ reason }) => reason)).toEqual(told.map(() => 'otherView'));
      expect(problems.map(({ key, meant }) => [key, meant]).sort()).toEqual(told);
    });

    test('leads to its view, where the other keys are then told', () => {
      const { state, problems } = readAddress(description, 'chips=64&serve.users=50');
      const meant = meantBy(description, problems[0]!)!;
      expect(meant).toEqual(['view', 'serving']);
      const there = meaning(description, state, meant, problems[0]);
      expect(there.state.view).toBe('serving');
      expect(inputOf(description, there.state, 'serving').users).toBe(50);
      expect(there.problems).toMatchObject([{ key: 'chips', meant: 'serve.chips' }]);
    });

    test.each([...questions])('is said to be one by the page, whatever has loaded: %s', (view) => {
      const { serving: _, server: __, budget: ___, ...groups } = description.groups;
      const { serving: ____, budget: _____, ...asked } = description.questions;
      const little = { ...description, groups, questions: asked } as Description;
      const state = withView(withField(description, initialState, 'run.chips', 64), view);
      const link = writeAddress(description, state);
      expect(writeAddress(little, state)).toBe(link);
      expect(readAddress(description, link)).toMatchObject({ state: { view }, problems: [] });
    });

    test('that no view has goes by its name, too', () => {
      expect(found('view=collective&bytes=4M')).toMatchObject([
        { reason: 'unknownKey', key: 'bytes', meant: 'coll.bytes' },
      ]);
      expect(found('view=serving&users=64')).toMatchObject([{ meant: 'serve.users' }]);
    });

    test('keeps what is kept for comparison', () => {
      const pin = encodeURIComponent('view=serving&chips=4');
      expect(readAddress(description, `view=serving&pin=${pin}`).state.pinned?.view).toBe(
        'serving',
      );
    });
  });

  describe('the key that was meant', () => {
    const meant = (key: string, view = 'plan'): string | undefined => {
      const { problems } = readAddress(description, `view=${view}&${key}=1`);
      return meantBy(description, problems[0]!)?.[0];
    };

    test.each([
      ['ask', undefined],
      ['at', undefined],
      ['ten', undefined],
      ['mask', undefined],
      ['zzz', undefined],
      ['gpus', undefined],
      ['per', undefined],
      ['chps', 'chips'],
      ['sequense', 'sequence'],
      ['tensor', 'layout.tensor'],
      ['layout.tensr', 'layout.tensor'],
      ['tokns', 'tokens'],
      ['attentionMsk', 'attentionMask'],
    ])('%s: %s', (key, expected) => {
      expect(meant(key)).toBe(expected);
    });
  });

  test('long names are understood beside the short ones', () => {
    const { state } = readAddress(description, 'batchTokens=1M&sequenceLength=2048');
    expect(writeAddress(description, state)).toBe('batch=1M&sequence=2048');
  });
});
