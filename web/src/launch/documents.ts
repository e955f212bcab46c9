// Settings in files, as pairs of a path and a value.

import { readObject, type Unreadable, Beyond, type Json } from '../custom/json.ts';
import { has } from '../model/own-value.ts';
import { quoted } from './software.ts';
import type { Value } from './values.ts';

export type Pair = readonly [path: string, value: Value];

/** What was found under the names of a file; lists of words stand whole. */
export interface Document {
  pairs: Pair[];
  /** Commands that the file holds: those of containers. */
  commands: string[];
}

/** More settings than any file has. */
const most = 20_000;
const mostNodes = 100_000;
const mostAliases = 100;
const deepest = 24;

type Node = unknown;

const isList = Array.isArray as (node: Node) => node is readonly Node[];

function membersOf(node: Node): [string, Node][] | undefined {
  if (node instanceof Map) return [...node].map(([key, value]) => [String(key), value]);
  if (typeof node !== 'object' || node === null || isList(node) || node instanceof Date)
    return undefined;
  return node instanceof Beyond ? undefined : Object.entries(node);
}

const scalarOf = (node: Node): Value => {
  if (node === null || node === undefined) return 'null';
  if (node instanceof Beyond) return node.written;
  return typeof node === 'string' || typeof node === 'number' || typeof node === 'boolean'
    ? node
    : String(node);
};

/** Lists the settings of a file's root. */
export function flat(root: Node): Document {
  const found: Document = { pairs: [], commands: [] };
  // A list may hold itself, or another many times.
  let left = mostNodes;
  const visit = (node: Node, path: string, depth: number): void => {
    left -= 1;
    if (depth > deepest || left < 0 || found.pairs.length > most) return;
    const members = membersOf(node);
    if (members) {
      containerOf(members, found.commands);
      for (const [key, value] of members) visit(value, path ? `${path}.${key}` : key, depth + 1);
    } else if (isList(node)) {
      const inner = node.filter((each) => membersOf(each));
      inner.forEach((each) => visit(each, path, depth + 1));
      if (inner.length === 0) found.pairs.push([path, node.map(scalarOf)]);
    } else if (path) found.pairs.push([path, scalarOf(node)]);
  };
  visit(root, '', 0);
  return found;
}

/** The command of a container: an image, with what it is given to run. */
function containerOf(members: [string, Node][], commands: string[]): void {
  const under = (name: string): string =>
    members
      .filter(([key]) => key === name)
      .map(([, value]) =>
        isList(value)
          ? value
              .filter((each) => membersOf(each) === undefined)
              .map((each) => quoted(String(scalarOf(each))))
              .join(' ')
          : typeof value === 'string'
            ? value
            : '',
      )
      .join('');
  const [image, command, words] = [under('image'), under('command'), under('args')];
  if (command || words) commands.push([image, command, words].filter(Boolean).join(' '));
}

export const readJson = (text: string): Document | { unreadable: Unreadable } => {
  const read = readObject(withoutComments(text));
  return has(read, 'unreadable') ? read : flat(read.entries as ReadonlyMap<string, Json>);
};

/** Settings have comments, though JSON has none, and commas behind the last of a list. */
const withoutComments = (text: string): string =>
  text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=\s*[}\]])/g,
    (_, quoted: string | undefined) => quoted ?? '',
  );

/** The settings of a text in YAML; undefined where it is none. */
export async function readYaml(text: string): Promise<Document | undefined> {
  // No settings repeat themselves so often; those that hold themselves take the parser long.
  if ((text.match(/(?<![^\s,[{:-])\*[\w-]/g) ?? []).length > mostAliases) return undefined;
  const { parseAllDocuments } = await import('yaml');
  const found: Document = { pairs: [], commands: [] };
  let documents: ReturnType<typeof parseAllDocuments>;
  try {
    documents = parseAllDocuments(text, { uniqueKeys: false, merge: true, logLevel: 'silent' });
  } catch {
    return undefined; // nested too deep
  }
  for (const each of documents) {
    if (!has(each, 'errors') || each.errors.length > 0) return undefined;
    let root: Node;
    try {
      root = each.toJS({ mapAsMap: true, maxAliasCount: mostAliases });
    } catch {
      return undefined;
    }
    if (!membersOf(root) && !isList(root)) continue;
    const { pairs, commands } = flat(root);
    found.pairs.push(...pairs);
    found.commands.push(...commands);
  }
  return found.pairs.length + found.commands.length > 0 ? found : undefined;
}

/** The settings of a text in TOML; undefined where it is none. */
export async function readToml(text: string): Promise<Document | undefined> {
  const { parse } = await import('smol-toml');
  try {
    return flat(parse(text));
  } catch {
    return undefined;
  }
}

/** A name, and a value as Python writes it: such pairs are all that is read of a recipe. */
const assigned =
  /(?<![\w.=!<>])([A-Za-z_][\w.]*)\s*(?::\s*[A-Za-z_][\w[\], |]*)?=(?!=)\s*("[^"\n]{0,200}"|'[^'\n]{0,200}'|[-+]?[\d_]+(?:\.\d+)?(?:e[-+]?\d+)?(?:\s*\*\s*[\d_]+)*|True|False|None|(?:SelectiveAC|FullAC)\b(?:\.Config)?(?:\([^()\n]*\))?)(?=\s*(?:[,)\n#]|$))/g;

export function readPython(text: string): Document {
  const pairs: Pair[] = [];
  for (const [, key = '', written = ''] of text.replace(/#.*$/gm, '').matchAll(assigned)) {
    if (pairs.length >= most) break;
    const isWord = /^[A-Z"']/.test(written);
    const value: Value = isWord
      ? written.replace(/^(["'])(.*)\1$/, '$2')
      : written
          .split('*')
          .reduce((product, each) => product * Number(each.trim().replaceAll('_', '')), 1);
    const policy = { SelectiveAC: 'selective', FullAC: 'full' }[/^\w+/.exec(written)?.[0] ?? ''];
    // `config.` and the like stand before every name.
    const path = key.replace(/^(?:config|cfg|recipe|self|args)\./, '');
    pairs.push(
      policy && path.endsWith('activation_checkpoint')
        ? ['activation-checkpoint', policy]
        : [path, value],
    );
  }
  return { pairs, commands: [] };
}
