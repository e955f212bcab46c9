// llms.txt, which tells programs what there is: all that it names is there and works.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/src/engine/index.ts';
import * as library from '../../web/src/library/index.ts';
import { readAddress } from '../../web/src/link/address.ts';
import { FieldLinks } from '../../web/src/link/field-links.ts';
import { evaluate } from '../../web/src/model/evaluate.ts';
import { presetIds } from '../../web/src/model/presets.ts';
import { questions } from '../../web/src/model/views.ts';
import { root } from '../../web/tools/run.mjs';

const run = promisify(execFile);
const program = path.join(root, 'build/cli/cli.js');
const text = readFileSync(path.join(root, 'web/public/llms.txt'), 'utf8');

/** The text below a heading. */
function section(heading: string): string {
  const [, body] = text.split(`\n## ${heading}\n`);
  if (body === undefined) throw new Error(`no section ${heading}`);
  return body.split('\n## ')[0]!;
}
const spansOf = (part: string): string[] =>
  [...part.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
const targets = [...text.matchAll(/\]\(\.\/([^)]*)\)/g)].map(([, target = '']) => target);

let engine: Engine;
beforeAll(async () => {
  if (!existsSync(program)) throw new Error(`${program} is missing: npm run build`);
  engine = await createEngine();
});

test('it ends up beside the page, as it is', () => {
  expect(readFileSync(path.join(root, 'dist/llms.txt'), 'utf8')).toBe(text);
});

test('its questions are those of the calculator', () => {
  const listed = [...text.split('\n## ')[0]!.matchAll(/^- `(\w+)`:/gm)].map(([, word]) => word);
  expect(listed).toEqual(questions);
});

test('its files lie beside it', () => {
  const files = targets.filter((target) => !target.startsWith('#'));
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect(existsSync(path.join(root, 'dist', file)), file).toBe(true);
});

test('its links ask all questions, and every word of theirs is read', () => {
  const links = targets.filter((target) => target.startsWith('#')).map((target) => target.slice(1));
  const views = links.map((link) => {
    const { state, problems } = readAddress(engine.describe(), link);
    expect(problems, link).toEqual([]);
    return state.view;
  });
  expect(views).toEqual(questions);
  const { state } = readAddress(engine.describe(), links[0]!);
  expect(evaluate(engine, state).ok).toBe(true);
});

test('each word of links that it names is one', () => {
  const links = FieldLinks.of(engine.describe());
  const listed = [...section('Links').matchAll(/^- (`.*?`):/gm)].flatMap(([, list]) =>
    spansOf(list!),
  );
  expect(listed.length).toBeGreaterThan(20);
  const whole = ['view', 'counting', 'chip', 'model'];
  for (const word of listed) {
    if (!whole.includes(word)) expect(links.find(word), word).toBeDefined();
  }
});

test('the presets that it names are there', () => {
  const [, sentence = ''] = /are presets with ids, such as ([^.]*\.[^.]*)\./.exec(text) ?? [];
  const ids = spansOf(sentence);
  expect(ids.length).toBe(3);
  for (const id of ids) expect([...presetIds.chip, ...presetIds.model]).toContain(id);
});

test('the library exports what it names', () => {
  const names = spansOf(section('Library'));
  expect(names.length).toBe(2);
  for (const name of names) expect(library).toHaveProperty(name);
});

const commands = [...text.matchAll(/^npx scaling-calculator (.*)$/gm)].map(([, words]) => words!);

describe('its commands answer', () => {
  test.each(commands)('%s', async (command) => {
    const words = command.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''));
    const { stdout } = await run(process.execPath, [program, ...words]);
    expect(stdout.length).toBeGreaterThan(100);
  });

  test('all of them', () => {
    expect(commands.map((command) => command.split(' ')[0])).toEqual(
      expect.arrayContaining([...questions, 'explain']),
    );
  });
});

test('the settings of an agent name a command that there is', async () => {
  const [, snippet = ''] = /```json\n([^]*?)```/.exec(section('MCP server')) ?? [];
  const { mcpServers } = JSON.parse(snippet) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [[name, { command, args }]] = Object.entries(mcpServers) as [
    [string, { command: string; args: string[] }],
  ];
  const packageFile = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as object;
  expect(packageFile).toMatchObject({ name, bin: expect.anything() as unknown });
  expect([command, ...args.slice(0, 2)]).toEqual(['npx', '-y', name]);
  const { stdout } = await run(process.execPath, [program, ...args.slice(2), '--help']);
  expect(stdout).toContain('--page');
  expect(stdout).toContain(`${args[2]} [options]`);
});
