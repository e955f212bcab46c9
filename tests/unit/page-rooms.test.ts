// The rooms of web/src: each folder knows those on lower floors only, and no module imports itself.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { charts } from '../../web/src/model/views.ts';
import { filesUnder, root } from '../../web/tools/run.mjs';

/**
 * Rooms from the lowest to the highest. A room is a folder with its subfolders; `*` makes each
 * subfolder a room of its own. Rooms on one floor do not know each other.
 */
const floors = [
  ['engine'],
  ['dom', 'pwa'],
  ['i18n'],
  ['number'],
  ['model'],
  ['link'],
  ['compare', 'custom', 'export', 'math'],
  ['launch'],
  ['library'],
  ['charts/kit'],
  ['charts/*'],
  ['charts'],
  ['ui/kit'],
  ['ui/parts'],
  ['ui/views/*', 'ui/features/*'],
  ['ui/views'],
  ['ui/shell'],
  ['embed', 'asking'],
  ['mcp'],
  ['cli'],
  ['.'],
];

const sources = path.join(root, 'web/src');
const files = filesUnder('web/src')
  .filter((file) => /\.[jt]s$/.test(file))
  .map((file) => path.relative('web/src', file));

/** The files of web/src that a file imports: types, values, and what loads later. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(sources, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]*)/g;
  return [...text.matchAll(specifiers)]
    .map(([, to = '']) => path.join(path.dirname(file), to))
    .filter((to) => !to.startsWith('..'));
}
const imports = new Map(files.map((file) => [file, importsOf(file)]));

interface Room {
  name: string;
  floor: number;
}

/** The room whose folder is nearest to the file. */
function roomOf(file: string): Room | undefined {
  const folders = path.dirname(file).split('/');
  for (let depth = folders.length; depth > 0; --depth) {
    const name = folders.slice(0, depth).join('/');
    const each = [...folders.slice(0, depth - 1), '*'].join('/');
    const floor = floors.findIndex((rooms) => rooms.includes(name) || rooms.includes(each));
    if (floor >= 0) return { name, floor };
  }
  return undefined;
}

/** Files that import each other, directly or through others; each list is one knot. */
function cycles(): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const to of imports.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      else if (!stack.includes(to)) continue;
      low.set(file, Math.min(low.get(file)!, low.get(to)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const knot = stack.splice(stack.indexOf(file));
    if (knot.length > 1 || imports.get(file)?.includes(file)) found.push(knot.sort());
  };
  for (const file of files) if (!index.has(file)) visit(file);
  return found;
}

/**
 * The side effects of a module on import: imports that bind no name, and statements. A module may fill tables of its own.
 */
function doesOnImport(file: string): string[] {
  const text = readFileSync(path.join(sources, file), 'utf8');
  const { body } = parseSync(file, text).program;
  const own = new Set(
    body.flatMap((node) => {
      const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      return declared?.type === 'FunctionDeclaration' ? [declared.id?.name] : [];
    }),
  );
  return body
    .filter((node) => {
      if (node.type === 'ImportDeclaration') return node.specifiers.length === 0;
      if (node.type !== 'ExpressionStatement') return /Statement$/.test(node.type);
      const { expression } = node;
      const called = expression.type === 'CallExpression' && expression.callee;
      return !(called && called.type === 'Identifier' && own.has(called.name));
    })
    .map(({ start, end }) => text.slice(start, end));
}

describe('the rooms of web/src', () => {
  test('hold every file', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !roomOf(file))).toEqual([]);
  });

  test('are all there', () => {
    const rooms = new Set(files.map((file) => roomOf(file)?.name));
    const missing = floors.flat().filter((room) => !room.includes('*') && !rooms.has(room));
    expect(missing).toEqual([]);
  });

  test('know lower floors only', () => {
    const upward = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((to) => {
          const from = roomOf(file)!;
          const other = roomOf(to)!;
          return other.name !== from.name && other.floor >= from.floor;
        })
        .map((to) => `${file} imports ${to}`),
    );
    expect(upward).toEqual([]);
  });

  test('have no modules that import each other', () => {
    expect(cycles()).toEqual([]);
  });

  test('do something on import in entries alone, as the package says', () => {
    const { sideEffects } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      sideEffects: string[];
    };
    const entries = sideEffects.filter((file) => file.startsWith('./web/'));
    const doing = files
      .filter((file) => /(?<!\.d)\.ts$/.test(file) && doesOnImport(file).length > 0)
      .map((file) => `./web/src/${file}`);
    expect(doing.sort()).toEqual(entries.sort());
  });

  test('define elements by one function', () => {
    const defining = files.filter((file) =>
      /customElements\s*\.\s*define\(/.test(readFileSync(path.join(sources, file), 'utf8')),
    );
    expect(defining).toEqual(['dom/define.ts']);
  });
});

test('each chart has a folder for its drawing and one for its data', () => {
  const named = charts.map((chart) =>
    chart.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const explored = path.join(root, 'web/src/ui/parts/explorer/charts');
  expect(readdirSync(explored).sort()).toEqual(named.sort());
  for (const folder of named) {
    expect(existsSync(path.join(explored, folder, 'chart.ts')), folder).toBe(true);
    expect(existsSync(path.join(root, 'web/src/charts', folder)), folder).toBe(true);
  }
});
