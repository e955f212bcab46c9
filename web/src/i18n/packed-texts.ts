// The texts of an element's script. It brings those of all its languages, which have the same keys:
// these stand once, with the words of one language, and the words of others follow in their order.

import texts from 'virtual:packed-texts';

interface Tree {
  [key: string]: string | Tree;
}

export interface Texts {
  /** The shape of each part of the texts. */
  tree: Record<string, Tree>;
  /** Words by part and language, of all languages but the tree's. */
  words: Record<string, Record<string, string[]>>;
}

/** The tree with other words in it: the first ones that are left. */
const filled = (tree: Tree, left: string[]): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, part]) => [
      key,
      typeof part === 'string' ? left.shift()! : filled(part, left),
    ]),
  );

/** A part of the texts in a language, as the file of it would export it. */
export function said(language: string, part: string): Promise<{ default: object }> {
  const { tree, words } = texts;
  const own = words[part]![language];
  return Promise.resolve({ default: own ? filled(tree[part]!, [...own]) : tree[part]! });
}
