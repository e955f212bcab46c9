// The package as someone else has it: packed, installed in an empty folder, imported, bundled, run.

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../web/tools/run.mjs';

const run = promisify(execFile);
const program = path.join(root, 'dist/cli.js');
let folder: string;

/** Runs a program of modules in the folder. */
async function node(text: string): Promise<unknown> {
  const file = path.join(folder, 'program.mjs');
  writeFileSync(file, text);
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** The answers that the command line gives, which are the page's. */
async function printed(...words: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [program, ...words, '--format', 'json']);
  return (JSON.parse(stdout) as { answers: Record<string, unknown> }).answers;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'package-'));
  const options = ['--pack-destination', folder, '--ignore-scripts', '--json'];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: root });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const alone = ['--offline', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...alone, `./${filename}`], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const installed = (...names: string[]): string =>
  path.join(folder, 'node_modules/scaling-calculator', ...names);

describe('the package', () => {
  test('has what it exports, and nothing of the sources', () => {
    expect(readdirSync(installed()).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'web',
    ]);
    expect(readdirSync(installed('web'))).toEqual(['CHANGELOG.md']);
    const { exports } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
    };
    for (const each of Object.values(exports)) {
      for (const file of typeof each === 'string' ? [each] : Object.values(each)) {
        expect(readFileSync(installed(file)).length).toBeGreaterThan(100);
      }
    }
  });

  test('knows chips and models by their ids', async () => {
    const told = (await node(`
      import { chips, models } from 'scaling-calculator';
      const ids = (all) => all.map(({ id }) => id);
      const h100 = chips.find(({ id }) => id === 'h100-sxm');
      console.log(JSON.stringify({ chips: ids(chips), models: ids(models), h100 }));
    `)) as { chips: string[]; models: string[]; h100: { fields: { memory: number } } };
    expect(told.chips.length).toBeGreaterThan(50);
    expect(told.models.length).toBeGreaterThan(90);
    expect(told.models).toContain('llama-3.1-405b');
    expect(told.h100.fields.memory).toBe(80e9);
  });

  test('answers as the page does, to the bit', async () => {
    const told = (await node(`
      import { createEngine } from 'scaling-calculator';
      const engine = await createEngine();
      const chip = 'h100-sxm';
      const model = 'llama-3.1-405b';
      console.log(JSON.stringify({
        training: engine.estimate({ chip, model, run: { chips: 16384, tokens: 15.6e12 } }),
        plan: engine.plan({ chip, model, run: { chips: 1024 } }),
        serving: engine.serve({ chip, model: 'deepseek-v3', serving: { chips: 16 } }),
        operation: engine.roofline({ chip, model, operation: { batch: 512 } }),
        budget: engine.budget({ chip, model, budget: { money: 1e6 } }),
      }));
    `)) as Record<string, { ok: boolean; answers: Record<string, unknown> }>;
    const chip = ['--chip', 'h100-sxm'];
    const large = ['--model', 'llama-3.1-405b'];
    const asked: Record<string, string[]> = {
      training: [...chip, ...large, '--chips', '16384', '--tokens', '15.6T'],
      plan: [...chip, ...large, '--chips', '1024'],
      serving: [...chip, '--model', 'deepseek-v3', '--serve.chips', '16'],
      operation: [...chip, ...large, '--op.batch', '512'],
      budget: [...chip, ...large, '--budget.money', '1M'],
    };
    for (const [question, words] of Object.entries(asked)) {
      const { ok, answers } = told[question]!;
      expect(ok, question).toBe(true);
      let compared = 0;
      for (const [key, value] of Object.entries(await printed(question, ...words))) {
        if (value === null) continue;
        expect([question, key, answers[key]]).toEqual([question, key, value]);
        compared += 1;
      }
      expect(compared, question).toBeGreaterThan(8);
    }
  });

  test('refuses a preset that there is not', async () => {
    const told = await node(`
      import { createEngine } from 'scaling-calculator';
      const engine = await createEngine();
      console.log(JSON.stringify(engine.plan({ chip: 'h1000', model: 'nothing' })));
    `);
    expect(told).toEqual({
      ok: false,
      issues: [
        { code: 'unknownChoice', field: 'chip', arguments: {} },
        { code: 'unknownChoice', field: 'model', arguments: {} },
      ],
    });
  });

  test('has the element, which servers can import, too', async () => {
    const told = await node(`
      import * as element from 'scaling-calculator/element';
      console.log(JSON.stringify([Object.keys(element), 'customElements' in globalThis]));
    `);
    expect(told).toEqual([[], false]);
  });

  test('has schemas of all questions', async () => {
    const told = (await node(`
      import { createRequire } from 'node:module';
      const schemas = createRequire(import.meta.url)('scaling-calculator/schema.json');
      console.log(JSON.stringify(Object.keys(schemas.$defs)));
    `)) as string[];
    expect(told.sort()).toEqual([
      'budget',
      'collective',
      'operation',
      'plan',
      'reward',
      'serving',
      'training',
    ]);
  });

  test('runs as a program', async () => {
    const { stdout } = await run('npx', ['scaling-calculator', 'training', '--chips', '64'], {
      cwd: folder,
    });
    expect(stdout).toContain('Training time');
  });

  test('goes through a bundler', async () => {
    writeFileSync(
      path.join(folder, 'main.js'),
      `import { createEngine } from 'scaling-calculator';
export const answer = createEngine().then((engine) =>
  engine.estimate({ chip: 'tpu-v5p', model: 'llama-3-70b' }));`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        outDir: 'bundled',
        lib: { entry: 'main.js', formats: ['es'], fileName: () => 'main.mjs' },
      },
    });
    const told = (await node(`
      import { answer } from './bundled/main.mjs';
      console.log(JSON.stringify(await answer));
    `)) as { ok: boolean };
    expect(told.ok).toBe(true);
  });

  test('keeps the element, and leaves out an engine that nothing asks for', async () => {
    writeFileSync(
      path.join(folder, 'element.js'),
      `import { createEngine } from 'scaling-calculator';
import 'scaling-calculator/element';`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        outDir: 'post',
        // Other chunks are called after an element, too.
        rolldownOptions: { input: 'element.js', output: { entryFileNames: 'entry.js' } },
        emptyOutDir: true,
      },
    });
    const text = readFileSync(path.join(folder, 'post/entry.js'), 'utf8');
    expect(text).toContain('scaling-calculator-whole');
    expect(text.length).toBeLessThan(100_000);
  });
});
