import { expect, test } from 'vitest';
import { manualFaults } from '../../web/tools/manuals.mjs';

const faultsOf = (text: string, file = 'web/README.md'): string[] => manualFaults({ [file]: text });

test('a manual with links and paths that exist has no faults', () => {
  const text = `# A manual

[the core](../wasm/), [this](#the-way-there-and-back), [again](#again-1), [all](../package.json)
![a picture](src/pwa/icon-192.png) <https://example.org/gone> [far](https://example.org/#gone)

## The \`way\`: there, and back

\`web/tools/run.mjs\`, \`shared/text/<language>.json\`, \`tests/core/golden_*_test.cpp\`, \`[no](link)\`

\`\`\`sh
node web/tools/generate.mjs # in dist/web/gone, build/gone
[no](link)
\`\`\`

## Again

## Again
`;
  expect(faultsOf(text)).toEqual([]);
});

test.each([
  ['[gone](gone.md)', 'the link gone.md leads nowhere'],
  ['[from the root](web/tools)', 'the link web/tools leads nowhere'],
  ['[outside](../../package.json)', 'the link ../../package.json leads nowhere'],
  ['[gone](#gone)', 'the link #gone leads nowhere'],
  ['[no heading](../package.json#gone)', 'the link ../package.json#gone leads nowhere'],
  ['<img src="gone.png" />', 'the link gone.png leads nowhere'],
  ['`web/tools/gone.mjs`', 'there is no web/tools/gone.mjs'],
  ['`node web/tools/gone.mjs`', 'there is no web/tools/gone.mjs'],
  ['```sh\nnode web/tools/gone.mjs\n```', 'there is no web/tools/gone.mjs'],
  ['`shared/gone/<language>.json`', 'there is no shared/gone/'],
])('%s is a fault', (text, fault) => {
  expect(faultsOf(`# A manual\n\n${text}\n`)).toEqual([`web/README.md: ${fault}`]);
});

test('README.md stays an overview', () => {
  const lines = (count: number): string => 'line\n'.repeat(count);
  expect(faultsOf(lines(150), 'README.md')).toEqual([]);
  expect(faultsOf(lines(151), 'README.md')).toEqual(['README.md: 151 lines, more than 150']);
  expect(faultsOf(lines(151))).toEqual([]);
});
