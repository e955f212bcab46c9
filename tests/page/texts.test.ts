// What texts must have besides what `npm run check` looks for.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description } from '../../web/src/engine/index.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { loadDictionary, type Dictionary } from '../../web/src/text/dictionary.ts';
import { languages } from '../../web/src/text/language.ts';
import { weave } from '../../web/src/text/weave.ts';

let description: Description;
let texts: Record<string, Dictionary>;
beforeAll(async () => {
  description = (await createEngine()).describe();
  texts = Object.fromEntries(
    await Promise.all(languages.map(async (name) => [name, await loadDictionary(name)] as const)),
  );
});

const places = (sentence: string): string[] => [
  ...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
];

test('a sentence takes the plural form of its language', () => {
  const sentence = '{n} {n|čip|čipa|čipi|čipov}';
  const said = (form: number): string => weave(sentence, { n: 'n' }, () => form).join('');
  expect([0, 1, 2, 3].map(said)).toEqual(['n čip', 'n čipa', 'n čipi', 'n čipov']);
  // A language with fewer forms than the number calls for.
  expect(weave('{n|chip|chips}', {}, () => 3).join('')).toBe('chips');
  const english = new Formatter('en', texts.en!.units);
  const forms = (n: number): string => weave('{n|one|other}', {}, () => english.plural(n)).join('');
  expect([0, 1, 2, 1.5].map(forms)).toEqual(['other', 'one', 'other', 'other']);
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
