// What texts must have besides what `npm run check` looks for.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description } from '../../web/src/engine/index.ts';
import { loadDictionary, type Dictionary } from '../../web/src/text/dictionary.ts';
import { languages } from '../../web/src/text/language.ts';

let description: Description;
let texts: Record<string, Dictionary>;
beforeAll(async () => {
  description = (await createEngine()).describe();
  texts = Object.fromEntries(
    await Promise.all(languages.map(async (name) => [name, await loadDictionary(name)] as const)),
  );
});

/** Every text with its path. */
function flat(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
}

const places = (sentence: string): string[] => [
  ...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
];

test('sentences have the same places in every language', () => {
  const [en, zh] = languages.map((name) => new Map(flat(texts[name])));
  for (const [path, sentence] of en!) {
    expect([path, places(zh!.get(path) ?? '').sort()]).toEqual([path, places(sentence).sort()]);
  }
});

describe.each(languages)('%s', (language) => {
  test('names every choice that an answer can be', () => {
    const { bounds, answerChoices } = texts[language]!;
    const named: Record<string, Record<string, string>> = answerChoices;
    const all = Object.values(description.questions).flatMap(({ answers }) => answers);
    for (const { key, choices } of all) {
      for (const choice of choices) {
        expect({ ...bounds, ...named[key] }, `${key} ${choice}`).toHaveProperty(choice);
      }
    }
  });

  test('asks for every operation in a sentence of fields that matter to it', () => {
    const { operation } = texts[language]!.sentence;
    const fields = new Map(description.groups.operation.map((field) => [field.key, field]));
    const likewise: Record<string, string> = {
      modelTokens: 'feedForward',
      modelTokensMoved: 'norm',
      modelAttention: 'attentionCore',
      latentAttention: 'attention',
    };
    for (const [name, sentence] of Object.entries(operation)) {
      const kind = likewise[name] ?? name;
      for (const place of places(sentence)) {
        const when = fields.get(place.replace(/2$/, ''))?.when;
        if (when?.field === 'kind') expect(when.choices, `${name} {${place}}`).toContain(kind);
      }
    }
  });
});
