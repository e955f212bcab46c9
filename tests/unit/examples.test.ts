// Worked questions as they are written down.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { languages } from '../../web/src/i18n/language.ts';

describe('notes', () => {
  let description: Description;
  beforeAll(async () => {
    description = (await createEngine()).describe();
  });

  test.each(languages)('are of states and answers that there are, in %s', async (language) => {
    const { notes } = (await loadDictionary(language)).examples;
    for (const [address, texts] of Object.entries(notes)) {
      const { state, problems } = readAddress(description, address);
      expect(problems).toEqual([]);
      expect(writeAddress(description, state)).toBe(address);
      const keys = description.questions[state.view].answers.map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(Object.keys(texts)));
    }
  });
});
