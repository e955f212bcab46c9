// dist/engine.js as a program of someone else takes it: typed, in plain Node, from anywhere.

import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import { answersTo } from './inputs.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'engine-'));
  for (const name of ['engine.js', 'engine.d.ts']) {
    const file = path.join(root, 'dist', name);
    if (!existsSync(file)) throw new Error(`${file} is missing: npm run build`);
    copyFileSync(file, path.join(folder, name));
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The compiler's messages on a program that imports the engine; empty if it is content. */
async function compile(text: string): Promise<string> {
  const file = write('program.ts', text);
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes'];
  const environment = ['--target', 'es2022', '--module', 'nodenext', '--types', ''];
  try {
    await run(process.execPath, [compiler, ...options, ...environment, file], { cwd: folder });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const program = `
import { createEngine } from './engine.js';
import type { PackagedEngine, ChipFields, ModelFields, Issue, Step } from './engine.js';

const chip: Partial<ChipFields> = {
  memory: 96e9,
  memoryBandwidth: 2.8e12,
  peakBf16: 4.59e14,
  network: 'torus',
  torusX: 16,
  torusY: 20,
  torusZ: 28,
  wraparound: 'cubes',
  linkBandwidth: 9e10,
  price: null,
};
const model: Partial<ModelFields> = {
  layers: 80,
  hidden: 8192,
  feedForward: 28672,
  heads: 64,
  kvHeads: 8,
  headDim: 128,
  vocabulary: 128256,
};
const engine: PackagedEngine = await createEngine();
`;

describe('engine.d.ts', () => {
  test('serves a program that asks, reads and explains', async () => {
    const faults = await compile(`${program}
const outcome = engine.estimate({ chip, model, run: { chips: 8960, computeFormat: 'bf16' } });
if (outcome.ok) {
  const { trainingTime, bound } = outcome.answers;
  const days: number = typeof trainingTime === 'number' ? trainingTime / 86400 : NaN;
  const why: string = typeof trainingTime === 'object' ? trainingTime.absent : '';
  const word: 'compute' | 'memory' | 'network' | '' = typeof bound === 'string' ? bound : '';
  const notices: Issue[] = outcome.notices;
  void [days, why, word, notices];
} else {
  const first: string = outcome.issues[0]!.field;
  void first;
}
const derivations = await engine.derivations();
const explanation = derivations.explain('training', { chip, model, run: {} }, 'trainingTime');
const steps: Step[] = explanation.ok ? explanation.derivation.steps : [];
const time = engine.roofline({ chip, operation: { kind: 'matmul', batch: 256 } });
const symbols: string[] = engine.describe().groups.run.map(({ symbol }) => symbol);
const collective = engine.collective({ chip, mesh: { x: 16 }, collective: { kind: 'allToAll' } });
const slow: 'bandwidth' | 'latency' | '' =
  collective.ok && typeof collective.answers.collectiveBound === 'string'
    ? collective.answers.collectiveBound
    : '';
const input = { chip, mesh: {}, operation: { kind: 'shardedMatmul' } } as const;
const batches = { field: 'operation.batch', values: new Float64Array([64, 128]) };
const sweep = engine.sweep('operation', input, batches, ['flops', 'bound']);
const flops: Float64Array | undefined = sweep.ok ? sweep.series.flops.values : undefined;
const kinds = { field: 'operation.kind', values: ['matmul', 'layer'] };
const map = engine.map('operation', { ...input, model }, kinds, batches, 'lowerBound');
const reasons: Uint8Array | undefined = map.ok ? map.absent : undefined;
const range = { field: 'operation.batch', from: 1, to: 1e6 };
const crossings = engine.crossings('operation', input, range, 'bound');
const places: number[] = crossings.ok ? crossings.crossings.map(({ at }) => at) : [];
const roofs = engine.roofs({ chip });
const ridge: number | undefined = roofs.ok ? roofs.ridges[0]?.[0] : undefined;
const schedule = engine.schedule({ chip, mesh: { x: 4 }, collective: { kind: 'allGather' } });
const holds: Uint8Array | undefined = schedule.ok ? schedule.holds : undefined;
void [steps, time, symbols, slow, flops, reasons, places, ridge, holds];
`);
    expect(faults).toBe('');
  });

  test('refuses what the engine would refuse', async () => {
    const mistakes = [
      `engine.estimate({ chip, model, run: { chips: '8960' } });`,
      `engine.estimate({ chip, model, run: { chip: 8960 } });`,
      `engine.estimate({ chip, model, run: { chips: null } });`,
      `engine.estimate({ chip, model, run: { weightFormat: 'tf32' } });`,
      `engine.estimate({ chip: { network: 'ring' }, model, run: {} });`,
      `engine.roofline({ chip, operation: { kind: 'conv' } });`,
      `(await engine.derivations()).explain('training', { chip, model, run: {} }, 'lowerBound');`,
      `engine.collective({ chip, mesh: { w: 4 } });`,
      `engine.collective({ chip, collective: { kind: 'broadcast' } });`,
      `engine.sweep('operation', { chip }, { field: 'operation.batch', values: [1] }, ['cost']);`,
      `engine.map('training', { chip }, { field: 'run.chips', values: [1] }, 5, 'cost');`,
      `engine.crossings('operation', { chip }, { field: 'operation.batch', from: 1 }, 'bound');`,
      `engine.schedule({ chip, operation: {} });`,
      `const outcome = engine.estimate({ chip, model, run: {} }); outcome.answers;`,
      `const outcome = engine.roofline({ chip, operation: {} });
       if (outcome.ok) outcome.answers.lowerBound * 2;`,
    ];
    const faults = await compile(
      `${program}\n${mistakes.map((mistake) => `{ ${mistake.replaceAll(/\n\s*/g, ' ')} }`).join('\n')}`,
    );
    const first = program.split('\n').length + 1;
    const lines = [...faults.matchAll(/program\.ts\((\d+),/g)].map(([, line]) => Number(line));
    expect([...new Set(lines)]).toEqual(mistakes.map((_mistake, index) => first + index));
  });
});

/** The programs of a manual in one, as a reader would put them together. */
function programOf(manual: string): string {
  const text = readFileSync(path.join(root, manual), 'utf8');
  return [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code).join('');
}

describe.each(['README.md', 'web/README.md'])('the program of %s', (manual) => {
  test('runs as it stands', async () => {
    const file = write('manual.js', programOf(manual));
    const { stdout, stderr } = await run(process.execPath, [file]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^memory 240\.24/);
  });
});

describe('engine.js', () => {
  test('answers in plain Node as the engine does here', async () => {
    const chip = { memory: 16e9, memoryBandwidth: 8.2e11, peakBf16: 1.97e14 };
    const input = { chip, operation: { kind: 'matmul', batch: 256 } };
    const file = write(
      'program.js',
      `import { createEngine } from './engine.js';
const engine = await createEngine();
const outcome = engine.roofline(${JSON.stringify(input)});
console.log(JSON.stringify(outcome.answers));`,
    );
    const { stdout, stderr } = await run(process.execPath, [file]);
    expect(stderr).toBe('');
    const engine = await createEngine();
    expect(JSON.parse(stdout)).toEqual(answersTo(engine, 'operation', input));
  });

  test('has the planner with it', async () => {
    const chip = { memory: 80e9, memoryBandwidth: 3.35e12, peakBf16: 9.9e14 };
    const model = {
      layers: 4,
      hidden: 1024,
      feedForward: 4096,
      heads: 8,
      kvHeads: 8,
      headDim: 128,
    };
    const input = {
      chip,
      model: { ...model, vocabulary: 1000 },
      run: { chips: 1, batchTokens: 8192 },
    };
    const file = write(
      'planner.js',
      `import { createEngine } from './engine.js';
const planner = await (await createEngine()).planner();
const begun = planner.search(${JSON.stringify(input)});
while (!begun.search.advance(1000).done);
console.log(JSON.stringify(begun.search.best()));`,
    );
    const { stdout, stderr } = await run(process.execPath, [file]);
    expect(stderr).toBe('');
    const planner = await (await createEngine()).planner();
    const begun = planner.search(input);
    if (!begun.ok) throw new Error(JSON.stringify(begun.issues));
    while (!begun.search.advance(1000).done);
    const best = begun.search.best();
    expect(best.length).toBe(1);
    expect(JSON.parse(stdout)).toEqual(best);
  });

  test('runs in a worker', async () => {
    const file = write(
      'worker.js',
      `import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createEngine } from './engine.js';
if (isMainThread) {
  new Worker(new URL(import.meta.url)).on('message', (keys) => console.log(keys));
} else {
  parentPort.postMessage(Object.keys((await createEngine()).describe().questions).join());
}`,
    );
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout.trim()).toBe('training,operation,collective,plan,serving,reward,budget');
  });

  test('keeps to itself: no globals, no handler of errors, no process kept alive', async () => {
    const file = write(
      'globals.js',
      `const before = new Set(Object.getOwnPropertyNames(globalThis));
const { createEngine } = await import('./engine.js');
await createEngine();
console.log(Object.getOwnPropertyNames(globalThis).filter((key) => !before.has(key)).join());
console.log(process.listenerCount('uncaughtException'));`,
    );
    const { stdout } = await run(process.execPath, [file], { timeout: 240_000 });
    expect(stdout).toBe('\n0\n');
  });
});

test('launches are written and read', async () => {
  const program = write(
    'launches.mjs',
    `import { createEngine } from './engine.js';
const engine = await createEngine();
const out = await engine.flags('sglang', { chip: 'h200-sxm', model: 'deepseek-v3', serving: { chips: 16, tensor: 1, attentionData: 16, expert: 16 } });
const back = await engine.fromFlags(out.text);
const served = engine.serve({ chip: 'h200-sxm', ...back.input });
const none = await engine.fromFlags('hello');
const wrong = await engine.flags('vllm', { chip: 'h200-sxm', model: 'none' });
console.log(JSON.stringify({ text: out.text, software: back.software, model: back.input.model, tensor: back.input.serving.tensor, expert: back.input.serving.expert, served: served.ok, none: none.ok, wrong: wrong.ok }));`,
  );
  const { stdout } = await run(process.execPath, [program]);
  const told = JSON.parse(stdout) as Record<string, unknown>;
  expect(told['text']).toContain('--tp-size 16');
  expect(told).toMatchObject({
    ...{ software: 'sglang', model: 'deepseek-v3', tensor: 1, expert: 16 },
    ...{ served: true, none: false, wrong: false },
  });
});
