// Finds mistakes in the manuals: every README.md of the project.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesUnder, root } from './run.mjs';

/** Lines that README.md may have: it is an overview. */
const longest = 150;

const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** The manuals by their paths. */
export function readManuals() {
  const files = filesUnder('README.md', 'shared', 'tests', 'wasm', 'web');
  const manuals = files.filter((file) => path.basename(file) === 'README.md');
  return Object.fromEntries(manuals.map((file) => [file, read(file)]));
}

const fences = /^( *)```[^]*?^\1```$/gm;
const spans = /`[^`\n]+`/g;

/** The anchors of the headings of a text in Markdown, as GitHub names them. */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading] of text.replace(fences, '').matchAll(/^#+ +(.+)$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let repeated = 0;
    while (anchors.has(repeated ? `${anchor}-${repeated}` : anchor)) repeated += 1;
    anchors.add(repeated ? `${anchor}-${repeated}` : anchor);
  }
  return anchors;
}

/** Whether a path is that of a file or folder of the project. */
const isThere = (place) => !place.startsWith('..') && existsSync(path.join(root, place));

function brokenLinks(file, text) {
  const prose = text.replace(fences, '').replace(spans, '');
  const links = [
    ...[...prose.matchAll(/\]\(<?([^)\s>]+)/g)].map(([, target]) => target),
    ...[...prose.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, target]) => target),
  ];
  return links
    .filter((target) => !/^[a-z]+:/i.test(target))
    .filter((target) => {
      const [name, anchor] = decodeURI(target).split('#');
      const place = name === '' ? file : path.join(path.dirname(file), name);
      if (!isThere(place)) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(place === file ? text : read(place)).has(anchor);
    })
    .map((target) => `the link ${target} leads nowhere`);
}

/** Paths from the root, and what follows if it is a placeholder. */
const paths = /(?<![\w./@-])(?:\.ci|shared|tests|wasm|web)\/[\w./-]*[<*{]?/g;

/** The path without a full stop behind it; of `shared/text/<language>.json`, the folder. */
const known = (place) =>
  /[<*{]$/.test(place) ? place.slice(0, place.lastIndexOf('/') + 1) : place.replace(/[.-]+$/, '');

function missingPaths(text) {
  const code = [...(text.match(fences) ?? []), ...(text.replace(fences, '').match(spans) ?? [])];
  return code
    .flatMap((part) => part.match(paths) ?? [])
    .map(known)
    .filter((place) => !isThere(place))
    .map((place) => `there is no ${place}`);
}

/** The mistakes in manuals that are given by their paths. */
export function manualFaults(manuals) {
  return Object.entries(manuals).flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1;
    const tooLong = file === 'README.md' && lines > longest;
    return [
      ...(tooLong ? [`${lines} lines, more than ${longest}`] : []),
      ...brokenLinks(file, text),
      ...missingPaths(text),
    ].map((fault) => `${file}: ${fault}`);
  });
}
