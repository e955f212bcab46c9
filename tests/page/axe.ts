// Violations that axe finds: WCAG 2.2 AA and its best practices.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The rules to run. Colours differ by theme and not by language, all else by language and not by
 * theme; and contrast takes as long as all other rules together.
 */
export type Rules = 'all' | 'colours' | 'all but colours';

type Findings = { id: string; nodes: { html: string; failureSummary?: string }[] }[];

/** Violations on the page, or within a part of it, a line for each rule. */
export async function violations(
  page: Page,
  rules: Rules = 'all',
  part?: Locator,
): Promise<string[]> {
  // The rules are no script of the page, which its policy refuses.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const handle = part ? await part.elementHandle() : null;
  return page.evaluate(
    async ({ rules, handle }) => {
      const { axe } = globalThis as unknown as {
        axe: { run(context: Node, options: object): Promise<{ violations: Findings }> };
      };
      const colours = ['color-contrast', 'link-in-text-block'];
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const options =
        rules === 'colours'
          ? { runOnly: { type: 'rule', values: colours } }
          : {
              runOnly: { type: 'tag', values: tags },
              rules: {
                'target-size': { enabled: true },
                ...(rules === 'all'
                  ? {}
                  : Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]))),
              },
            };
      const found = await axe.run(handle ?? document, { ...options, resultTypes: ['violations'] });
      return found.violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
      );
    },
    { rules, handle },
  );
}
