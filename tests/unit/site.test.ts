// The address of the page, which previews of links need to find its picture.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { siteAddress, withAddress } from '../../web/tools/plugins/site.ts';
import { root } from '../../web/tools/run.mjs';

const html = '<meta property="og:image" content="./preview.png" />';

test('a picture has its whole address where the build knows the site', () => {
  const address = siteAddress('https://example.org/calculator?from=here#top');
  expect(address).toBe('https://example.org/calculator/');
  const told = withAddress(html, address);
  expect(told).toContain('og:image" content="https://example.org/calculator/preview.png"');
  expect(told).toContain('og:url" content="https://example.org/calculator/"');
});

test('else it stays beside the page', () => {
  expect(siteAddress('')).toBeUndefined();
  expect(withAddress(html, siteAddress(''))).toBe(html);
});

test('what is no address is refused, and so is a page without a picture', () => {
  for (const given of ['example.org', 'javascript:alert(1)', '/calculator/']) {
    expect(() => siteAddress(given)).toThrow(/SITE is an address such as https:.*not /);
  }
  expect(() => withAddress('<meta property="og:image" content="preview.png" />')).toThrow();
});

test('the workflow of Pages says it', () => {
  const text = readFileSync(path.join(root, '.github/workflows/pages.yml'), 'utf8');
  expect(text).toMatch(/SITE: \$\{\{ steps\.\w+\.outputs\.base_url \}\}/);
});
