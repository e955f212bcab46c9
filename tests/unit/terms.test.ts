// Terms and their explanations.

import { describe, expect, test } from 'vitest';
import { Words, wordsOf, type Term } from '../../web/src/ui/features/glossary/words.ts';
import { loadDictionary, loadPart } from '../../web/src/i18n/dictionary.ts';
import { languages } from '../../web/src/i18n/language.ts';

describe('words', () => {
  const keys = wordsOf({
    bound: { words: 'bound|compute-bound', says: '' },
    hbm: { words: 'HBM', says: '' },
    memory: { words: '显存', says: '' },
  });
  const found = (text: string): string[] =>
    new Words(keys).part(text).filter((_, index) => index % 2 === 1);

  test.each([
    ['Bound', ['Bound']],
    ['a compute-bound matmul, bound', ['compute-bound', 'bound']],
    ['boundary, unbound, latency-bound, bound-to', []],
    ['its HBM’s rate', ['HBM']],
    ['HBM3', []],
    ['每字节HBM，显存占用', ['HBM', '显存']],
    ['', []],
    ['bound', ['bound']],
    ['İ, then bound', ['bound']],
    ['compute-bounds, compute-bound', ['compute-bound']],
  ])('of “%s”', (text, words) => {
    expect(found(text)).toEqual(words);
    expect(new Words(keys).part(text).join('')).toBe(text);
  });
});

describe.each(languages)('in %s', async (language) => {
  const glossary: Record<string, Term> = await loadPart(language, 'terms');
  const keys = wordsOf(glossary);
  const { fields, answers, says, by, sentence, choices, planner, charts } =
    await loadDictionary(language);
  const help = await loadPart(language, 'help');
  const strings = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(strings);

  test('there are explanations enough, in a line or two each, of no word twice', () => {
    expect(Object.keys(glossary).length).toBeGreaterThanOrEqual(45);
    const words = Object.values(glossary).flatMap((each) => each.words?.split('|') ?? []);
    expect(keys.size).toBe(words.length);
    for (const { name: own, says: meaning } of Object.values(glossary)) {
      expect(meaning.length, own).toBeGreaterThan(10);
      expect(meaning.length, own).toBeLessThanOrEqual(140);
      expect(meaning, own).toMatch(/[.。]$/);
    }
  });

  test('every word is one of the page’s', () => {
    // Texts of answers, their explanations, fields and the question.
    const stateSharding = choices['run']!['stateSharding']!;
    const texts = [
      ...[fields, help, answers, says, by, sentence, planner, stateSharding, choices['collective']],
      charts.sentences,
    ];
    const words = new Words(keys);
    const used = new Set(
      strings(texts).flatMap((text) =>
        words
          .part(text)
          .filter((_, index) => index % 2 === 1)
          .map((word) => word.toLowerCase()),
      ),
    );
    expect([...keys.keys()].filter((word) => !used.has(word))).toEqual([]);
  });
});
