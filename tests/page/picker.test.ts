// The choice among presets: how they are arranged, and by what they are found.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import chipFile from '../../shared/chips.json' with { type: 'json' };
import modelFile from '../../shared/models.json' with { type: 'json' };
import { field, openPanel } from './calculator.ts';
import { visits } from './visits.ts';

const open = visits();

const list = (page: Page) => page.locator('.options:not([hidden])');

interface Group {
  name: string;
  ids: string[];
}

/** The groups of the open list. */
const groups = (page: Page, kind: 'chip' | 'model'): Promise<Group[]> =>
  list(page)
    .locator('[role="group"]')
    .evaluateAll(
      (all, kind) =>
        all.map((group) => ({
          name: group.querySelector('.group')!.textContent!.trim(),
          ids: [...group.querySelectorAll('[role="option"]')].map(({ id }) =>
            id.slice(kind.length + 1),
          ),
        })),
      kind,
    );

const ids = async (page: Page, kind: 'chip' | 'model'): Promise<string[]> =>
  (await groups(page, kind)).flatMap(({ ids }) => ids).filter((id) => id !== 'other');

test('presets stand by maker and year, the newest first', async () => {
  const page = await open();
  const files = {
    chip: chipFile.chips.map(({ id, vendor, year }) => ({ id, maker: vendor, year })),
    model: modelFile.models.map(({ id, organisation, year }) => ({
      id,
      maker: organisation,
      year,
    })),
  };
  for (const kind of ['chip', 'model'] as const) {
    await field(page, kind).click();
    await list(page).waitFor();
    const shown = (await groups(page, kind)).slice(0, -1);
    // Each entry is listed once, in the group of its maker and year.
    expect(shown.flatMap(({ ids }) => ids).sort()).toEqual(files[kind].map(({ id }) => id).sort());
    const entryOf = new Map(files[kind].map((entry) => [entry.id, entry]));
    for (const { name, ids } of shown) {
      for (const id of ids) {
        const { maker, year } = entryOf.get(id)!;
        expect(`${maker} ${year}`).toBe(name);
      }
    }
    // Makers come once, by their newest; their years go back.
    const entries = shown.map(({ ids: [id] }) => entryOf.get(id!)!);
    const makers = [...new Set(entries.map(({ maker }) => maker))];
    const starts = makers.map((maker) => entries.find((entry) => entry.maker === maker)!.year);
    expect(starts).toEqual([...starts].sort((a, b) => b - a));
    for (const maker of makers) {
      const at = entries.flatMap((entry, index) => (entry.maker === maker ? [index] : []));
      expect(at.at(-1)! - at[0]!).toBe(at.length - 1);
      const years = at.map((index) => entries[index]!.year);
      expect(years).toEqual([...new Set(years)].sort((a, b) => b - a));
    }
    await page.keyboard.press('Escape');
  }
});

const searches: ['chip' | 'model', string, string[], string[]][] = [
  ['model', '120b', ['gpt-oss-120b'], ['gpt-oss-20b']],
  ['model', '405', ['llama-3.1-405b'], ['llama-3-70b']],
  ['model', 'deepseek', ['deepseek-v3'], ['llama-3-70b']],
  ['model', 'openai 2020', ['gpt-3-175b'], ['gpt-oss-20b']],
  // Its name has no number; it has 671 billion parameters.
  ['model', '671b', ['deepseek-v3'], ['gpt-3-175b']],
  ['chip', 'nvidia', ['h100-sxm', 'rubin-nvl72'], ['mi300x']],
  ['chip', 'hopper', ['h100-sxm', 'h20', 'gh200-96gb', 'h200-nvl'], ['a100-sxm-80gb']],
  ['chip', 'blackwell', ['b200-sxm', 'gb300-nvl72', 'rtx-5090', 'dgx-spark'], ['rubin-nvl72']],
  ['chip', 'cdna', ['mi250x', 'mi300x', 'mi350x', 'mi455x'], ['h100-sxm']],
  ['chip', 'cdna 4', ['mi350x', 'mi355x'], ['mi300x']],
  ['model', '8b', ['llama-3.1-8b', 'qwen3-8b'], ['megatron-1t', 'mixtral-8x7b', 'kimi-k2']],
  ['chip', '24gb', ['rtx-4090', 'rtx-3090', 'l4', 'a10g'], ['gh200-144gb', 'tpu-v6e']],
  ['chip', '80 gb', ['h100-sxm', 'a100-sxm-80gb'], ['h200-sxm']],
  ['chip', '2026', ['tpu-8t', 'mi455x', 'maia-200'], ['tpu-v7']],
];

test.each(searches)('a %s is found by “%s”', async (kind, query, found, others) => {
  const page = await open();
  await field(page, kind).click();
  await page.keyboard.type(query);
  await expect.poll(() => ids(page, kind)).toEqual(expect.arrayContaining(found));
  const shown = await ids(page, kind);
  for (const id of others) expect(shown).not.toContain(id);
});

test('what is typed chooses the likest name, not the first that has it', async () => {
  const page = await open();
  const chip = field(page, 'chip');
  await chip.click();
  const active = () => chip.getAttribute('aria-activedescendant');
  for (const [query, id] of [
    ['h200', 'h200-sxm'],
    ['b200', 'b200-sxm'],
    ['h100', 'h100-sxm'],
    ['sxm5', 'h100-sxm'],
  ]) {
    await chip.fill(query!);
    await expect.poll(active).toBe(`chip-${id}`);
  }
  await page.keyboard.press('Enter');
  await expect.poll(() => chip.inputValue()).toBe('H100 SXM5 80GB');
});

test('chips that were announced say so, in the list and in their panel', async () => {
  const page = await open('chip=rubin-nvl72');
  await field(page, 'chip').click();
  const options = list(page).locator('[role="option"]');
  for (const { name, announced = false } of chipFile.chips as {
    name: string;
    announced?: boolean;
  }[]) {
    const said = await options.filter({ has: page.getByText(name, { exact: true }) }).innerText();
    expect(said.includes('announced'), name).toBe(announced);
  }
  await page.keyboard.press('Escape');
  const note = page.locator('[data-announced]');
  await openPanel(page, 'chip');
  await expect.poll(() => note.innerText()).toMatch(/^Announced/);
  await page.evaluate(() => (location.hash = 'chip=h100-sxm'));
  await expect.poll(() => note.count()).toBe(0);
});

test('the list stays inside a narrow window while the name is typed', async () => {
  const page = await open('lang=zh&model=deepseek-v3');
  await page.setViewportSize({ width: 360, height: 740 });
  for (const kind of ['model', 'chip'] as const) {
    await field(page, kind).click();
    for (const typed of ['', 'b', 'b2', 'b200']) {
      await field(page, kind).fill(typed);
      await expect
        .poll(async () => {
          const box = (await list(page).boundingBox())!;
          return box.x >= 0 && box.x + box.width <= 360;
        })
        .toBe(true);
      expect(await page.evaluate(() => scrollX)).toBe(0);
    }
    await page.keyboard.press('Escape');
  }
});
