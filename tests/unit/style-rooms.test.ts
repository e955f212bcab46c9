// The style sheets of rooms, which share the tree of a page with all that other rooms draw there.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesUnder, root } from '../../web/tools/run.mjs';

const sources = 'web/src/ui';
const files = filesUnder(sources);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const inRooms = /\/(views|features|parts)\//;

/** The names of classes that a module gives to what it draws. */
function drawnIn(file: string): Set<string> {
  const given = read(file).matchAll(/\bclass(?:Name)?=(?:"([^"]*)"|\$\{[^}]*'([^']*)'[^}]*\})/g);
  return new Set(
    [...given].flatMap(([, one = '', other = '']) => `${one} ${other}`.split(/[\s${}]+/)),
  );
}
const drawn = new Map(
  files.filter((file) => file.endsWith('.ts')).map((file) => [file, drawnIn(file)]),
);

/** The selectors of a list, without what stands in brackets. */
function listed(list: string): string[] {
  const bare = list.replace(/\((?![^()]*data-field)[^()]*\)/g, '');
  return bare === list ? list.split(',') : listed(bare);
}

/** The selectors of a sheet that no other selector is around. */
function selectorsIn(file: string): string[] {
  const found: string[] = [];
  const around: string[] = [];
  const text = read(file).replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, before = '', mark] of text.matchAll(/([^{};]*)([{};])/g)) {
    if (mark === '}') around.pop();
    if (mark !== '{') continue;
    const prelude = before.trim();
    const isScoped = around.some((each) => !each.startsWith('@'));
    if (!prelude.startsWith('@') && !isScoped) found.push(...listed(prelude));
    around.push(prelude);
  }
  return found.map((each) => each.trim());
}

/** The classes that selectors begin with: what they style, wherever it is. A field is one of a kind. */
const rootsIn = (file: string): Set<string> =>
  new Set(
    selectorsIn(file)
      .filter((each) => !each.includes('[data-field='))
      .flatMap((each) => /^\.([\w-]+)/.exec(each)?.[1] ?? []),
  );

/** The folder whose modules a sheet is for. */
const roomOf = (file: string): string => path.dirname(file);

describe('a sheet of a room styles what the room draws alone', () => {
  const sheets = files.filter((file) => file.endsWith('.css') && inRooms.test(file));
  test.each(sheets)('%s', (sheet) => {
    const others = [...rootsIn(sheet)].flatMap((name) =>
      [...drawn]
        .filter(([file, classes]) => !file.startsWith(`${roomOf(sheet)}/`) && classes.has(name))
        .map(([file]) => `.${name} of ${path.relative(sources, file)}`),
    );
    expect(others).toEqual([]);
  });
});
