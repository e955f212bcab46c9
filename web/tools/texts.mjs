// The languages of shared/text/: which there are, and whether each says all that English does.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Every language has what this one has. */
export const model = 'en';

/** The texts of a folder by language, English first. */
export function readTexts(folder) {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => path.basename(file, '.json'))
    .sort((one, other) => (other === model) - (one === model) || (one < other ? -1 : 1));
  return Object.fromEntries(
    names.map((name) => [
      name,
      JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')),
    ]),
  );
}

/** The texts of a dictionary by path, such as `fields.run.chips.label`, or `units[].0` in a list. */
export function flatTexts(texts, prefix = '') {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? flatTexts(value, `${prefix}${key}${Array.isArray(value) ? '[]' : ''}.`)
      : [[prefix + key, value]],
  );
}

/** Placeholders of a sentence; plural forms are each language's own. */
export const placesOf = (sentence) =>
  [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([place]) => place))].sort();

/** Words with the power of ten that each stands for: `M6 K3`. */
const scales = /^\D+\d+( \D+\d+)*$/;
/** Characters likewise, if any. */
const numerals = /^(\D\d+( \D\d+)*)?$/;

/** Faults of the languages, in a sentence each. */
export function faultsOf(languages) {
  const wanted = new Map(flatTexts(languages[model]));
  return Object.entries(languages).flatMap(([name, texts]) => {
    const file = `${name}.json`;
    const found = new Map(flatTexts(texts));
    const faults = scales.test(texts.language?.scales) ? [] : [`${file}: language.scales`];
    if (!numerals.test(texts.language?.numerals)) faults.push(`${file}: language.numerals`);
    for (const [key, sentence] of wanted) {
      const text = found.get(key);
      if (text === undefined) {
        faults.push(`${file} lacks ${key}`);
      } else if (typeof text !== 'string') {
        faults.push(`${file}: ${key} is no text`);
      } else if (text === '' && sentence !== '') {
        faults.push(`${file}: ${key} is empty`);
      } else if (placesOf(text).join() !== placesOf(sentence).join()) {
        const places = placesOf(sentence).join(' ') || 'no places';
        faults.push(`${file}: ${key} should have ${places}`);
      }
    }
    for (const key of found.keys()) {
      if (!wanted.has(key)) faults.push(`${file} has ${key}, which ${model}.json lacks`);
    }
    return faults;
  });
}
