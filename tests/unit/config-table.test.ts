// The table of config files in the manual is that of the goldens.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import golden from '../golden/configs.json' with { type: 'json' };

interface Entry {
  file: string;
  parameters: number;
  published: number;
  /** Parameters that the published size has besides, and of what. */
  beside?: { parameters: number; of: string };
}
const entries: Entry[] = golden.configs;

const inAll = ({ parameters, beside }: Entry): number => parameters + (beside?.parameters ?? 0);
const difference = (entry: Entry): number => inAll(entry) / entry.published - 1;

/** `397B`, `2.78T`. */
function size(count: number): string {
  const [unit, sign] = (
    [
      [1e12, 'T'],
      [1e9, 'B'],
      [1e6, 'M'],
    ] as const
  ).find(([unit]) => count >= unit)!;
  return `${Number((count / unit).toPrecision(4))}${sign}`;
}

const rowOf = (entry: Entry): string => {
  const { file, parameters, published, beside } = entry;
  const percent = 100 * difference(entry);
  const cells = [
    `\`${file}\``,
    parameters.toLocaleString('en-US'),
    beside ? `${size(beside.parameters)}, ${beside.of}` : '',
    size(published),
    `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(2)}%`,
  ];
  return `| ${cells.join(' | ')} |`;
};

test('every count is within half a percent of the published size', () => {
  for (const entry of entries) {
    expect(Math.abs(difference(entry)), entry.file).toBeLessThan(0.005);
  }
});

test('the manual has them', async () => {
  const file = path.resolve(import.meta.dirname, '../README.md');
  const found = /<!-- configs -->\n([^]*?)<!-- \/configs -->/.exec(readFileSync(file, 'utf8'))?.[1];
  const head =
    '| file | counted | beside it | published | difference |\n| --- | ---: | --- | ---: | ---: |';
  const options = await resolveConfig(file);
  const table = await format(`${head}\n${entries.map(rowOf).join('\n')}\n`, {
    ...options,
    parser: 'markdown',
  });
  expect(found?.trim()).toBe(table.trim());
});
