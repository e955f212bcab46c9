// In a fresh clone a command runs before its packages are there: it sets them up itself. So none may
// load more than Node has until then.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';
import { root } from '../../web/tools/run.mjs';

const folder = path.join(root, 'web/tools/commands');

/** The packages that a script loads as it starts, by itself or by what it imports. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const names: string[] = [];
  const load = (source: { value: unknown } | null) => {
    if (source) names.push(String(source.value));
  };
  new Visitor({
    ImportDeclaration: ({ source }) => load(source),
    ExportNamedDeclaration: ({ source }) => load(source),
    ExportAllDeclaration: ({ source }) => load(source),
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return names.flatMap((name) => {
    if (name.startsWith('node:')) return [];
    if (!name.startsWith('.')) return [`${path.relative(root, file)}: ${name}`];
    const next = path.resolve(path.dirname(file), name);
    return existsSync(next) && next.endsWith('.mjs') ? packagesOf(next, seen) : [];
  });
}

describe('commands load no package before they have set it up', () => {
  const commands = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
  test.each(commands)('%s', (name) => {
    expect(packagesOf(path.join(folder, name))).toEqual([]);
  });
});
