// The core's files lie in rooms, and a room knows only the floors below its own.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../wasm/', import.meta.url));

/** A room for each question. */
const questions = readdirSync(path.join(root, 'scaling/questions'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `scaling/questions/${name}`);

/** Rooms from the ground up. Rooms on one floor do not know each other. */
const floors = [
  ['scaling/quantity'],
  ['scaling/schedules'],
  ['scaling/input'],
  ['scaling/model/kernels'],
  ['scaling/model'],
  ['scaling/hardware'],
  ['scaling/training', 'scaling/serving'],
  ['scaling/search'],
  questions,
  ['scaling/questions'],
  ['scaling/views'],
  ['bind'],
];
const roomOf = (file: string) => path.posix.dirname(file);
const floorOf = (file: string) => floors.findIndex((rooms) => rooms.includes(roomOf(file)));

const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[ch]pp$/.test(entry.name))
  .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
  .map((file) => file.split(path.sep).join('/'));

/** The files of the core that a file includes, by their places under wasm/. */
function includesOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^\s*#\s*include\s+"([^"]+)"/gm)].map(([, name]) =>
    name!.includes('/') ? name! : `${roomOf(file)}/${name}`,
  );
}
const includes = new Map(files.map((file) => [file, includesOf(file)]));

describe('rooms of the core', () => {
  it('hold every file', () => {
    expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
  });

  it('have files of at most 500 lines', () => {
    const lines = (file: string) => readFileSync(path.join(root, file), 'utf8').split('\n').length;
    expect(files.filter((file) => lines(file) > 501)).toEqual([]);
  });

  it('include only files that are there', () => {
    const missing = [...includes].flatMap(([file, names]) =>
      names.filter((name) => !includes.has(name)).map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('know only the floors below', () => {
    const wrong = [...includes].flatMap(([file, names]) =>
      names
        .filter((name) => roomOf(name) !== roomOf(file) && floorOf(name) >= floorOf(file))
        .map((name) => `${file} includes ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('include nothing in a circle', () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, way: string[]) => {
      if (way.includes(file)) {
        circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const name of includes.get(file) ?? []) visit(name, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('define functions beside their declarations', () => {
    const sources = files.filter((file) => file.startsWith('scaling/') && file.endsWith('.cpp'));
    const headers = sources.map((file) => file.replace(/(\.formulas)?\.cpp$/, '.hpp'));
    expect(headers.filter((header) => !includes.has(header))).toEqual([]);
    expect(sources.filter((file, i) => includes.get(file)![0] !== headers[i])).toEqual([]);
  });
});

describe('tests of the core', () => {
  // Catch2 takes both, doctest neither: it stands for Catch2 in wasm on some systems.
  const ofCatchAlone = /\bFAIL\(\)|\bCAPTURE\((?:[^(),]|\([^()]*\))*,/;

  it('uses of Catch2 alone are recognised', () => {
    expect('CAPTURE(row_of(one, two).name);').not.toMatch(ofCatchAlone);
    expect('CAPTURE(row_of(one).name, two);').toMatch(ofCatchAlone);
    expect('FAIL();').toMatch(ofCatchAlone);
  });

  it('use what Catch2 and doctest share', () => {
    const folder = fileURLToPath(new URL('../core/', import.meta.url));
    const sources = readdirSync(folder).filter((file) => file.endsWith('_test.cpp'));
    expect(sources).not.toEqual([]);
    const found = sources.filter((file) =>
      ofCatchAlone.test(readFileSync(path.join(folder, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
