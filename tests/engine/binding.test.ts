// The modules as embind binds them, without the TypeScript in front of them: whatever values of
// whatever types come in, a call gives an answer or throws, and the module goes on as before. What
// the core has no room for, or does not have, it refuses by itself: with null.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RawInput } from '../../web/src/engine/core.ts';
import { encodeInput, writeInput } from '../../web/src/engine/input.ts';
import type { Description, QuestionName } from '../../web/src/engine/index.ts';
import { modules as names, startModule } from '../../web/tools/modules.mjs';
import { bases } from './inputs.ts';

type Bound = (...args: unknown[]) => unknown;
type Module = Record<string, Bound>;

const place = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** A module of its own, as the build made it. */
const started = startModule as (name: string) => Promise<Module>;

/** All functions that a module binds; embind writes down how many arguments each has. */
const bound = Object.fromEntries(
  await Promise.all(
    names.map(async (name) => {
      const functions = Object.entries(await started(name)).filter(
        ([, each]) => typeof each === 'function' && 'argCount' in each,
      );
      return [name, functions.map(([key]) => key)];
    }),
  ),
) as Record<string, string[]>;

/** More arguments than any function takes. */
const enough = 8;

/**
 * The number of arguments of a function. Embind of Emscripten 3.1.6 reports it if there are too
 * many; later versions ignore surplus arguments, so that enough will do.
 */
function arityOf(bound: Bound): number {
  try {
    bound(...Array<undefined>(30).fill(undefined));
  } catch (error) {
    const expected = /expected (\d+) arg/.exec(String(error))?.[1];
    if (expected) return Number(expected);
  }
  return enough;
}

const { groups, questions } = (await started('first')).describe!() as Description;

/** The question that a function is asked. */
function questionOf(bound: string): QuestionName {
  const verb = /^(estimate|sweep|map|crossings|explain|turn|solve|start)(\w+?)(Turns)?$/.exec(
    bound,
  );
  const named = verb?.[2]!.toLowerCase();
  if (named !== undefined && Object.hasOwn(questions, named)) return named as QuestionName;
  if (['roofs', 'schedule'].includes(bound)) return 'collective';
  return ['divide', 'frontier', 'bought'].includes(bound) ? 'serving' : 'plan';
}

const plan = {
  ...bases.training[1],
  model: {
    layers: 12,
    hidden: 2048,
    feedForward: 6144,
    heads: 16,
    kvHeads: 8,
    headDim: 128,
    vocabulary: 32000,
  },
  run: { chips: 8, batchTokens: 4096 * 8 },
};

const given = [...bases.training, ...bases.operation, ...bases.collective, plan];
/** An input as it crosses. */
const rawOf = (question: QuestionName, input: object): RawInput =>
  encodeInput(questions[question].groups, groups, input, []);
const inputsOf = (question: QuestionName): RawInput[] =>
  given.map((input) => rawOf(question, input));

const write = (module: Module, raw: RawInput): void => {
  writeInput(module.input!() as Uint8Array, raw);
};

// --- arbitrary values ---

const odd: unknown[] = [
  ...[NaN, Infinity, -Infinity, -0, 0.5, -1, 1e300, 5e-324, 255, 256, 4096, 4097],
  ...[65535, 65536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 53 + 2, -(2 ** 31)],
  ...[null, undefined, true, '', '5', 'constructor', '__proto__', [], {}, 5n, Symbol('odd')],
  ...[() => 5, Object.create(null), new Date(0), new Float64Array(3), new Proxy({}, {})],
  { valueOf: () => NaN },
  {
    valueOf: () => {
      throw new Error('no value');
    },
  },
];
const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.double() },
  { weight: 2, arbitrary: fc.integer({ min: -2, max: 40 }) },
  { weight: 1, arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true }) },
);

/** Bytes of an input that is right but for some of its numbers and texts, or of nothing of the kind. */
const bytesOf = (question: QuestionName): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...inputsOf(question)),
          fc.array(fc.tuple(fc.nat(), fc.oneof(fc.double(), fc.integer({ min: -2, max: 40 }))), {
            maxLength: 4,
          }),
          fc.option(fc.string({ maxLength: 900 })),
        )
        .map(([{ numbers, texts }, changes, text]) => {
          const changed = [...numbers];
          for (const [at, value] of changes) changed[at % changed.length] = value;
          const bytes = new Uint8Array(1 << 14);
          writeInput(bytes, { numbers: changed, texts: texts.map((each) => text ?? each) });
          return bytes;
        }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 1 << 14 }) },
  );

/** A copy. That of a view holds only what it shows: a structured clone would take all of the memory
 * below. */
function copyOf(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return (value as Float64Array).slice();
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)]));
}

/** The result of the call, read at once: views hold until the next call. */
function outcome(bound: Bound, args: unknown[]): unknown {
  try {
    return copyOf(bound(...args));
  } catch (error) {
    // A trap leaves a module in no state to go on.
    if (error instanceof WebAssembly.RuntimeError || !(error instanceof Error)) {
      throw new Error(`trapped: ${String(error)}`, { cause: error });
    }
    return error.name;
  }
}

describe.each(names)('%s', (name) => {
  let module: Module;

  beforeAll(async () => {
    module = await started(name);
  });

  /** The module's answers to valid calls. */
  const sound = (): unknown[] => {
    const asked = bound[name]!.filter((each) => /^(estimate|stages|timeline|roofs)/.test(each));
    return asked.flatMap((each) =>
      inputsOf(questionOf(each)).map((raw) => {
        write(module, raw);
        return outcome(module[each]!, []);
      }),
    );
  };

  test('binds what its sources name', () => {
    const linked = /add_module\((\w+) \w+ \S+ ([^)]*)\)/g;
    const lists = [...readFileSync(place('CMakeLists.txt'), 'utf8').matchAll(linked)];
    const [, , sources = ''] = lists.find(([, module]) => module === name) ?? [];
    const source = sources
      .split(' ')
      .map((each) => readFileSync(place(`wasm/bind/${each}.cpp`), 'utf8'))
      .join('');
    const found = [...source.matchAll(/\bfunction\("(\w+)"/g)].map(([, named]) => named);
    const verbs = [...source.matchAll(/\bbind_of<"(\w+)"/g)].map(([, verb]) => verb!);
    expect(found.length + verbs.length).toBeGreaterThan(0);
    for (const named of found) expect(bound[name]).toContain(named);
    for (const verb of verbs) {
      expect(bound[name]!.some((each) => each.startsWith(verb))).toBe(true);
    }
  });

  test.each(bound[name]!)('%s(): any values give an answer or throw', (called) => {
    const arity = arityOf(module[called]!);
    const before = sound();
    const args = fc.array(anything, { minLength: arity, maxLength: arity });
    fc.assert(
      fc.property(bytesOf(questionOf(called)), args, (bytes, args) => {
        // Something to go on with: of no search there is nothing to ask.
        if (name === 'search' && !/^start/.test(called)) {
          write(module, rawOf('plan', plan));
          module.startSearch!(0, 2);
        }
        (module.input!() as Uint8Array).set(bytes);
        outcome(module[called]!, args);
      }),
      { numRuns: 150 },
    );
    expect(sound()).toEqual(before);
  });
});

describe('what the core refuses by itself', () => {
  test('fields, answers and counts that there are not', async () => {
    const module = await started('operations');
    const { sweepOperation, mapOperation, crossingsOperation } = module as Record<string, Bound>;
    write(module, rawOf('operation', bases.operation[3]!));
    const none = [99, 1e9, -1, 2 ** 32 - 1];
    expect(sweepOperation!(3, 0, 4096, 0)).not.toBeNull();
    for (const bad of none) {
      expect(sweepOperation!(bad, 0, 1, 0), `group ${bad}`).toBeNull();
      expect(sweepOperation!(0, bad, 1, 0), `field ${bad}`).toBeNull();
      expect(sweepOperation!(3, 0, 1, bad), `answer ${bad}`).toBeNull();
      expect(mapOperation!(bad, 0, 1, 3, 0, 1, 0)).toBeNull();
      expect(mapOperation!(3, 0, 1, 3, bad, 1, 0)).toBeNull();
      expect(mapOperation!(3, 0, 1, 3, 0, 1, bad)).toBeNull();
      expect(crossingsOperation!(bad, 0, 1, 2, 0)).toBeNull();
      expect(crossingsOperation!(0, bad, 1, 2, 0)).toBeNull();
      expect(crossingsOperation!(3, 0, 1, 2, bad)).toBeNull();
    }
    for (const count of [4097, 65537, 2 ** 31, -1]) {
      expect(sweepOperation!(3, 0, count, 0), `${count} values`).toBeNull();
      expect(mapOperation!(3, 0, count, 3, 1, 1, 0)).toBeNull();
      expect(mapOperation!(3, 0, 1, 3, 1, count, 0)).toBeNull();
    }
    expect(mapOperation!(3, 0, 256, 3, 1, 256, 0)).not.toBeNull();
    expect(mapOperation!(3, 0, 257, 3, 1, 256, 0)).toBeNull();
    expect(mapOperation!(3, 0, 4096, 3, 1, 1, 0)).toBeNull();
  });

  test('ways of servers that there are not', async () => {
    const serving = await started('search');
    write(serving, rawOf('serving', bases.training[1]!));
    const open = (serving.wayColumns!() as string[]).map(() => NaN);
    const divided = (ways: number[]): unknown => {
      (serving.ways!() as Float64Array).set(ways);
      return serving.divide!();
    };
    expect(open.length).toBeGreaterThan(8);
    expect(divided(open)).toMatchObject({ ways: { length: open.length } });
    for (const at of open.keys()) {
      for (const bad of [Infinity, -2, 0.5, 5e-324, 1e9, 2 ** 31, 1e300]) {
        expect(divided(open.with(at, bad)), `${at}: ${bad}`).toBeNull();
      }
    }
  });

  test('what is asked of a search before there is one', async () => {
    const planner = await started('search');
    expect(planner.advance!(1)).toBeNull();
    for (const ask of ['best', 'front', 'bestMap', 'lower', 'limit']) {
      expect(planner[ask]!(), ask).toBeNull();
    }
    write(planner, rawOf('plan', plan));
    expect(planner.startSearch!(0, 2)).toEqual({ begun: true });
    expect(planner.advance!(1)).toMatchObject({ done: false, leftOut: [] });
  });

  test('fields of a map, levers and numbers of chips that there are not', async () => {
    const planner = await started('search');
    write(planner, rawOf('plan', plan));
    for (const bad of [6, 8, 256, 65536, -1, 2 ** 32 - 1]) {
      expect(planner.startSearch!(bad, 0)).toBeNull();
      expect(planner.startSearch!(0, bad)).toBeNull();
      if (bad >= 8 || bad < 0) expect(planner.startPulled!(bad)).toBeNull();
    }
    for (const torus of [false, true]) {
      const { chip } = torus ? bases.training[0]! : plan;
      write(planner, rawOf('plan', { ...plan, chip }));
      for (const chips of [NaN, Infinity, -Infinity, 0, -8, 0.5, 1e300, 2 ** 53, 2e9]) {
        const reply = planner.startScaled!(chips, false);
        expect(reply, `${chips} chips`).toMatchObject({ begun: false });
      }
    }
    expect(planner.advance!(1)).toBeNull();
  });
});

describe('functions are inlined', () => {
  /** Functions that a linked module defines. */
  function functionsIn(bytes: Uint8Array): number {
    let at = 8; // the magic number and the version
    const number = (): number => {
      let value = 0;
      for (let place = 1; ; place *= 128) {
        const byte = bytes[at++]!;
        value += (byte & 127) * place;
        if (byte < 128) return value;
      }
    };
    while (at < bytes.length) {
      const section = bytes[at++];
      const end = number() + at;
      if (section === 3) return number();
      at = end;
    }
    return 0;
  }

  // Without -finline-functions, em++ calls a function for each sum of two quantities: a search takes
  // nine times as long, and no answer and hardly a size shows it. Functions have half as many bytes.
  test.each([
    ['first', 480],
    ['operations', 480],
    ['search', 900],
    ['training', 600],
  ])('%s: %i bytes a function', (name, least) => {
    const bytes = readFileSync(place(`build/wasm/${name}.wasm`));
    const functions = functionsIn(bytes);
    expect(functions).toBeGreaterThan(20);
    expect(bytes.length / functions).toBeGreaterThan(least);
  });
});
