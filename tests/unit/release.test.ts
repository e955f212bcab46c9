// A release says what it is, and whose code lies in it.

import { expect, test } from 'vitest';
import { licences, shipped } from '../../web/tools/licences.mjs';
import { notesOf } from '../../web/tools/commands/release.mjs';

const changelog = '# Changelog\n\n## 0.2.0\n\n- Newer.\n\n## 0.1.0\n\n- First.\n';

test('the notes are those of the version', () => {
  expect(notesOf(changelog, '0.2.0')).toBe('- Newer.\n');
  expect(notesOf(changelog, '0.1.0')).toBe('- First.\n');
  expect(() => notesOf(changelog, '0.1')).toThrow('web/CHANGELOG.md says nothing of 0.1');
});

test('the licences are those of all packages whose code ships, each with its text', () => {
  const text = licences();
  expect(shipped()).toContain('lit-html');
  for (const name of shipped()) {
    const part = text.split('\n\n---\n\n').find((each) => each.startsWith(`${name} `));
    expect(part, name).toMatch(
      /\((MIT|BSD-[23]-Clause|Apache-2\.0|ISC)\)\n\n[^]*\bTHE SOFTWARE\b|Redistribution/i,
    );
  }
  expect(text).toContain('Emscripten');
});
