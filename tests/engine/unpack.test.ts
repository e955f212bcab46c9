import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packedCore from '@core/core.wasm?packed';
import packedPlanner from '@core/planner.wasm?packed';
import packedTraining from '@core/training.wasm?packed';
import { unpack } from '../../web/src/engine/unpack.ts';
import { coreLetters, forItsGlue } from '../../web/tools/one-glue.ts';
import { lzma } from '../../web/tools/pack.ts';
import { withDataJoined, withLetters } from '../../web/tools/wasm-parts.ts';

const place = (name: string) => fileURLToPath(new URL(`../../build/wasm/${name}`, import.meta.url));

const linked = (name: string) => withDataJoined(forItsGlue(place(`${name}.wasm`)));

const pack = (bytes: Buffer) => ({ base64: lzma(bytes), size: bytes.length });

/** Bytes that only look like chance, the same in each run. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 1;
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

describe('modules are packed', () => {
  it.each([
    ['core', packedCore],
    ['planner', packedPlanner],
    ['training', packedTraining],
  ])('%s is, unpacked, as it was', async (name, packed) => {
    const file = linked(name);
    expect(packed.base64.length).toBeLessThan(file.length / 2);
    expect(Buffer.compare(Buffer.from(await unpack(packed)), file)).toBe(0);
  });

  const inputs: Record<string, Buffer> = {
    'no byte': Buffer.alloc(0),
    'one byte': Buffer.from([7]),
    'one byte many times': Buffer.alloc(100_000, 3),
    'what repeats nothing': noise(5_000),
    // Distances of all sizes, up to those whose middle bits have no probabilities.
    'repetitions from far and near': Buffer.concat(
      [1, 2, 3, 5, 9, 100, 3_000, 40_000, 300_000].flatMap((length) => {
        const part = noise(length);
        return [part, part.subarray(length >> 1), part.subarray(0, 273), Buffer.from('xyxyx')];
      }),
    ),
    'words that come again with a letter changed': Buffer.from(
      Array.from({ length: 3_000 }, (_, i) => `word ${i % 7} of ${i % 11}, ${i * i}`).join('; '),
    ),
  };
  it.each(Object.keys(inputs))('%s comes back', async (name) => {
    const input = inputs[name]!;
    expect(Buffer.compare(Buffer.from(await unpack(pack(input))), input)).toBe(0);
  });
});

describe('modules have one glue', () => {
  const named = (name: string, letters = new Map<string, string>()) => {
    const file = readFileSync(place(`${name}.wasm`));
    const module = new WebAssembly.Module(new Uint8Array(withLetters(file, letters)));
    const of = (list: { name: string; kind: string }[]) =>
      list.map(({ name, kind }) => `${kind} ${name}`).sort();
    return {
      imports: of(WebAssembly.Module.imports(module)),
      exports: of(WebAssembly.Module.exports(module)),
    };
  };

  // Later versions of Emscripten write glue that differs in more than letters.
  const isShared = /asmLibraryArg=\{/.test(readFileSync(place('core.js'), 'utf8'));
  const isAsLinked = (name: string) =>
    Buffer.compare(forItsGlue(place(name)), readFileSync(place(name))) === 0;

  it.each(['training', 'planner', 'kernels', 'serving', 'targets', 'derivations'])(
    '%s imports and exports what the core does, or keeps its own glue',
    (name) => {
      const letters = coreLetters(place(`${name}.js`));
      if (!isShared) {
        expect(letters).toBeUndefined();
        expect(isAsLinked(`${name}.wasm`)).toBe(true);
        return;
      }
      expect(letters).toBeDefined();
      expect(new Set(letters!.values()).size).toBe(letters!.size);
      expect(named(name, letters)).toEqual(named('core'));
    },
  );

  it('changes nothing but names', () => {
    const file = readFileSync(place('planner.wasm'));
    const letters = coreLetters(place('planner.js')) ?? new Map<string, string>();
    expect(letters.size > 0).toBe(isShared);
    const back = new Map([...letters].map(([own, core]) => [core, own]));
    expect(Buffer.compare(withLetters(withLetters(file, letters), back), file)).toBe(0);
  });
});

describe('data in one segment', () => {
  // One that writes 7 at 1,000 and 8, 9 at 1,100, of 64 kB.
  const bytes = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    [5, 3, 1, 0, 1],
    [7, 5, 1, 1, 0x6d, 2, 0],
    [11, 16, 2, 0, 0x41, 0xe8, 7, 0x0b, 1, 7, 0, 0x41, 0xcc, 8, 0x0b, 2, 8, 9],
  ].flat();

  const memoryOf = (module: Uint8Array) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(module)));
    return Buffer.from((exports['m'] as WebAssembly.Memory).buffer);
  };

  it('leaves the memory as it was', () => {
    const joined = memoryOf(withDataJoined(Buffer.from(bytes)));
    expect([joined[1000], joined[1001], joined[1100], joined[1101]]).toEqual([7, 0, 8, 9]);
    expect(Buffer.compare(joined, memoryOf(Uint8Array.from(bytes)))).toBe(0);
  });

  it('is what modules have', () => {
    const bytes = Buffer.from(linked('core'));
    expect(bytes.length).toBeGreaterThan(readFileSync(place('core.wasm')).length);
    expect(WebAssembly.validate(new Uint8Array(bytes))).toBe(true);
  });
});
