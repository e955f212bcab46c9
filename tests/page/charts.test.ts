// Charts as they look and are used, on a page of their own.

import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { covered, expectLegible, objections, pictures, saved, widen } from './charts/looks.ts';
import { chart, chartVisits, kinds, readout, told, type Kind } from './charts/visits.ts';

const openToTouch = chartVisits('index', { hasTouch: true });
const open = chartVisits();

/** Presses at a place of a chart and moves on to others, in the drawing's pixels. */
async function dragOver(page: Page, kind: Kind, places: [x: number, y: number][]): Promise<void> {
  const { x, y } = (await chart(page, kind).locator('.reading').boundingBox())!;
  for (const [index, [atX, atY]] of places.entries()) {
    await page.mouse.move(x + atX, y + atY, { steps: index > 0 ? 8 : 1 });
    if (index === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

/** The position of a mark that a transform moves into place. */
async function placeOf(mark: Locator): Promise<{ x: number; y: number }> {
  const transform = (await mark.getAttribute('transform')) ?? '';
  const [, x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(transform) ?? [];
  return { x: Number(x), y: Number(y) };
}

const slider = (page: Page, kind: Kind): Locator =>
  chart(page, kind).locator('[role="slider"]').first();
const ownMark = (page: Page, kind: Kind): Locator =>
  chart(page, kind).locator('.point.own').first();

describe('every chart', () => {
  test.each(kinds)('%s: is a figure with a title, a description and its data', async (kind) => {
    const page = await open();
    const figure = chart(page, kind).getByRole('figure');
    const title = await figure.locator('figcaption').innerText();
    expect(await chart(page, kind).getByRole('img', { name: title }).count()).toBe(1);
    const description = await figure.locator('#description').textContent();
    expect(description).toBe('Achieved FLOPs/s over arithmetic intensity, both logarithmic.');
    expect(await figure.locator('table').count()).toBe(0);
    await figure.getByText('Data table').click();
    const table = figure.getByRole('table');
    await table.waitFor();
    expect(await table.locator('tr').count()).toBeGreaterThan(8);
    expect(await table.locator('thead').innerText()).toMatch(/Arithmetic intensity|Batch B/);
  });

  test('markup in texts stays text, and numbers that are none are words', async () => {
    const page = await open({ hostile: true });
    expect(
      await page.locator('scaling-roofline img, scaling-sweep b:has-text("quotes")').count(),
    ).toBe(0);
    expect(await readout(page, 'roofline')).toContain('<img src=x onerror=alert(1)>');
    for (const kind of kinds) await chart(page, kind).getByText('Data table').click();
    await chart(page, 'heat-map').getByRole('table').waitFor();
    expect(await chart(page, 'roofline').getByRole('table').innerText()).toContain('no value');
  });

  test.each([
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const)('nothing that axe objects to, %s', async (colorScheme, rules) => {
    const page = await open({ colorScheme });
    for (const kind of kinds) await chart(page, kind).getByText('Data table').click();
    await chart(page, 'heat-map').getByRole('table').waitFor();
    expect(await objections(page, rules)).toEqual([]);
  });

  test.each(['en', 'zh'] as const)('texts in %s are legible and inside', async (language) => {
    const page = await open({ language });
    for (const width of [320, 360, 768, 1440]) {
      await widen(page, width);
      await expectLegible(page, kinds);
    }
  });

  test('names do not cover each other', async () => {
    const page = await open();
    for (const width of [360, 768, 1440]) {
      await widen(page, width);
      for (const kind of kinds) {
        const names = '.drawing text.halo:not([transform*="rotate"])';
        expect(await covered(page, kind, names), `${kind} at ${width}`).toEqual([]);
      }
    }
  });

  test('follows its width, keeping the size of its texts', async () => {
    const page = await open({ width: 1000 });
    const drawing = chart(page, 'roofline').locator('.drawing');
    expect(await drawing.getAttribute('viewBox')).toMatch(/^0 0 1000 /);
    await page.setViewportSize({ width: 500, height: 2000 });
    await expect.poll(() => drawing.getAttribute('viewBox')).toMatch(/^0 0 500 /);
  });

  test('light, dark and forced colours; bounds keep their shapes', async () => {
    const fills: string[] = [];
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
    ] as const) {
      const page = await open(options);
      fills.push(await ownMark(page, 'roofline').evaluate((mark) => getComputedStyle(mark).fill));
      const shapes = await chart(page, 'heat-map')
        .locator('pattern path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
      expect(new Set(shapes).size).toBe(3);
    }
    expect(fills).toEqual(['rgb(180, 83, 9)', 'rgb(255, 171, 102)', expect.any(String)]);
    expect(fills.slice(0, 2)).not.toContain(fills[2]);
  });

  test('on paper without what only a screen can use', async () => {
    const page = await open();
    await page.emulateMedia({ media: 'print' });
    for (const kind of kinds) {
      const { tools, table, drawing } = {
        tools: chart(page, kind).locator('.tools'),
        table: chart(page, kind).locator('details'),
        drawing: chart(page, kind).locator('.drawing'),
      };
      await expect.poll(() => tools.isVisible()).toBe(false);
      await expect.poll(() => table.isVisible()).toBe(false);
      await expect.poll(() => drawing.isVisible()).toBe(true);
    }
  });

  test('moves without motion where that is asked for', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const page = await open({ reducedMotion });
      const duration = await chart(page, 'roofline')
        .locator('.mark')
        .evaluate((mark) => parseFloat(getComputedStyle(mark).transitionDuration));
      expect(duration <= 0.2).toBe(true);
      expect(duration === 0).toBe(reducedMotion === 'reduce');
    }
  });
});

describe('downloads', () => {
  test.each(kinds)('%s as SVG that stands alone', async (kind) => {
    const page = await open();
    const text = (await saved(page, kind, 'SVG')).toString();
    const blank = await page.context().newPage(); // without the page's policy, which refuses parsing
    expect(text).not.toMatch(/class=|style=|var\(|<style|<script|https?:(?!\/\/www\.w3\.org)|<!--/);
    expect(text).not.toMatch(/role="slider"|tabindex|aria-/);
    expect(text).toContain('rgb(180, 83, 9)');
    const title = await chart(page, kind).locator('figcaption').innerText();
    // Drawn alone it looks like it does on the page: ink, paper and the colours of bounds.
    const seen = await blank.evaluate(async (svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = data.slice(at, at + 3).join();
        colours.set(colour, (colours.get(colour) ?? 0) + 1);
      }
      return {
        name: parsed.localName,
        title: parsed.querySelector('title')?.textContent,
        texts: [...parsed.querySelectorAll('text')].map((each) => each.textContent).join(' '),
        width: image.naturalWidth,
        paper: colours.get('252,251,249') ?? 0,
        ink: colours.get('28,27,26') ?? 0,
        memory: colours.get('180,83,9') ?? 0,
        black: colours.get('0,0,0') ?? 0,
      };
    }, text);
    expect(seen).toMatchObject({ name: 'svg', title, width: 1280 + 32 });
    expect(seen.texts).toContain(title.split(' ')[0]);
    expect(seen.paper).toBeGreaterThan(10_000);
    expect(seen.ink).toBeGreaterThan(300);
    expect(seen.memory).toBeGreaterThan(50);
    expect(seen.black).toBe(0);
  });

  test('in the dark as it is seen', async () => {
    const page = await open({ colorScheme: 'dark' });
    const text = (await saved(page, 'roofline', 'SVG')).toString();
    expect(text).toContain('rgb(22, 21, 20)');
    expect(text).not.toContain('rgb(252, 251, 249)');
  });

  test('as PNG', async () => {
    const page = await open({ width: 640 });
    const files = await pictures(page, kinds);
    expect([...files.keys()].sort()).toEqual(['map.png', 'roofline.png', 'sweep.png']);
    for (const png of files.values()) {
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.readUInt32BE(16)).toBe((640 + 32) * 2);
      expect(png.length).toBeGreaterThan(10_000);
    }
  });

  test('CSV has every number with all its digits', async () => {
    const page = await open();
    const rows = async (kind: Kind): Promise<string[]> =>
      (await saved(page, kind, 'CSV')).toString().slice(1).trimEnd().split('\r\n');
    const points = await rows('roofline');
    expect(points[0]).toBe(
      'What it is,Name,Arithmetic intensity (FLOPs/B),Achieved (FLOPs/s),Bandwidth (B/s),Bottleneck',
    );
    expect(points).toContain('Operation,RMSNorm,0.75,607500000000,,Memory-bound');
    const lines = await rows('sweep');
    expect(lines.length).toBe(1 + 512 + 2);
    expect(lines[0]!.split(',').length).toBe(1 + 6 + 2); // one of the names has a comma
    const cells = await rows('heat-map');
    expect(cells.length).toBe(1 + 100 * 100);
  });
});

describe('roofline', () => {
  test('the own point is dragged along until compute binds', async () => {
    const page = await open();
    const mark = chart(page, 'roofline').locator('.mark');
    const shape = (): Promise<string | null> => ownMark(page, 'roofline').getAttribute('d');
    const from = await placeOf(mark);
    const square = await shape();
    expect(await readout(page, 'roofline')).toBe(
      'This matmul Batch B 128 tokens 120 FLOPs/byte 97.6 TFLOPs/s ■ Memory-bound',
    );
    await dragOver(page, 'roofline', [
      [from.x, from.y],
      [from.x + 200, from.y],
    ]);
    const { batch, moves } = await told(page);
    expect(batch).toBeGreaterThan(600);
    expect(moves.at(-1)).toMatchObject({ done: true });
    expect(moves.slice(0, -1)).not.toContainEqual(expect.objectContaining({ done: true }));
    await expect.poll(async () => (await placeOf(mark)).x).toBeGreaterThan(from.x + 150);
    expect(await shape()).not.toBe(square);
    expect(await readout(page, 'roofline')).toMatch(/197 TFLOPs\/s ● Compute-bound$/);
    expect(await chart(page, 'roofline').locator('figcaption').innerText()).toContain('100%');
  });

  test('a press elsewhere does not move it', async () => {
    const page = await open();
    await dragOver(page, 'roofline', [
      [200, 60],
      [500, 60],
    ]);
    expect((await told(page)).moves).toEqual([]);
  });

  test('keys move it too, and say where it is', async () => {
    const page = await open();
    const handle = slider(page, 'roofline');
    await handle.focus();
    await handle.press('ArrowRight');
    await expect.poll(async () => (await told(page)).batch).toBeGreaterThan(128);
    const { batch } = await told(page);
    await handle.press('Shift+ArrowRight');
    await expect.poll(async () => (await told(page)).batch).toBeGreaterThan(batch * 1.5);
    await handle.press('Home');
    await expect.poll(async () => (await told(page)).batch).toBe(1);
    expect(await handle.getAttribute('aria-valuetext')).toMatch(
      /^1\u00a0token · This matmul · 1\.00.*Memory-bound$/,
    );
    await handle.press('End');
    await expect.poll(() => handle.getAttribute('aria-valuetext')).toContain('Compute-bound');
    const before = (await told(page)).moves.length;
    await handle.press('a');
    expect((await told(page)).moves.length).toBe(before);
    await handle.blur();
    expect((await told(page)).moves.at(-1)).toMatchObject({ done: true });
  });

  test('points tell their numbers at the pointer and by keys', async () => {
    const page = await open();
    const list = chart(page, 'roofline').getByRole('listbox', { name: 'Operations' });
    const norm = list.getByRole('option', { name: /^RMSNorm/ });
    const { x, y, width, height } = (await norm.locator('.ring').boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await expect
      .poll(() => readout(page, 'roofline'))
      .toBe('RMSNorm 0.750 FLOPs/byte 608 GFLOPs/s ■ Memory-bound');
    await page.mouse.move(x + 200, y + 120);
    await expect.poll(() => readout(page, 'roofline')).toContain('This matmul');
    await list.getByRole('option').first().focus();
    await expect.poll(() => readout(page, 'roofline')).toContain('QKV projection');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => readout(page, 'roofline')).toContain('Attention scores');
    await page.keyboard.press('End');
    await expect.poll(() => readout(page, 'roofline')).toContain('KV read');
    expect(await list.locator('[tabindex="0"]').count()).toBe(1);
  });

  test('what computes nothing stands at the left edge, with its name', async () => {
    const page = await open();
    const drawing = chart(page, 'roofline').locator('.drawing');
    const marks = await drawing.locator('.point').all();
    const places = await Promise.all(marks.map(placeOf));
    const left = Math.min(...places.map(({ x }) => x));
    expect(places.at(-1)!.x).toBe(left);
    expect(await drawing.getByText('KV read', { exact: true }).count()).toBe(1);
    const line = await drawing.locator('.break').getAttribute('x1');
    expect(left).toBeLessThan(Number(line));
    expect(places.filter(({ x }) => x < Number(line)).length).toBe(1);
  });

  test('zones have a word each and end at the ridges; roofs of one rate are one', async () => {
    const page = await open();
    const drawing = chart(page, 'roofline').locator('.drawing');
    expect(await drawing.locator('.word').allTextContents()).toEqual([
      '■ both bind',
      '■ only HBM binds',
      '● compute binds',
    ]);
    const bands = drawing.locator('.band');
    const second = await bands.nth(1).evaluate((band) => Number(band.getAttribute('x')));
    const third = await bands.nth(2).evaluate((band) => Number(band.getAttribute('x')));
    // VMEM is 22 times as fast as HBM, so their ridges are that far apart; ticks tell the scale.
    const ticks = await drawing
      .locator('.axes .tick')
      .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('x1'))));
    const decade = ticks[2]! - ticks[1]!;
    expect((third - second) / decade).toBeCloseTo(Math.log10(22), 1);
    expect(await drawing.getByText('int8, fp8').count()).toBe(1);
    const corner = (await drawing.locator('.ceiling').getAttribute('d'))!.split('L')[1]!;
    expect(parseFloat(corner)).toBeCloseTo(third, 0);
  });

  test('other chips have a colour each, thinner than the reader’s own, and their names', async () => {
    const page = await open();
    const drawing = chart(page, 'roofline').locator('.drawing');
    // Beside their roofs, and in the legend.
    const names = drawing.locator('text.other').filter({ hasText: /^[TH]/ });
    expect((await names.allTextContents()).sort()).toEqual([
      'H100 SXM',
      'H100 SXM',
      'TPU v5p',
      'TPU v5p',
    ]);
    const strokes = await drawing
      .locator('path.other')
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
    expect(new Set(strokes).size).toBe(2);
    const [stroke, own] = await Promise.all(
      ['path.other', '.ceiling'].map((name) =>
        drawing
          .locator(name)
          .first()
          .evaluate((path) => {
            const { stroke, strokeWidth } = getComputedStyle(path);
            return [stroke, parseFloat(strokeWidth)] as const;
          }),
      ),
    );
    expect(stroke![0]).not.toBe(own![0]);
    expect(stroke![1]).toBeLessThan(own![1]);
  });
});

describe('sweep', () => {
  test('critical points stand where they are, between two values of the grid', async () => {
    const page = await open();
    const drawing = chart(page, 'sweep').locator('.drawing');
    expect(await drawing.locator('.word').allTextContents()).toEqual(['● from 276', '● from 138']);
    const [axis, ten] = await drawing
      .locator('.axes .tick')
      .evaluateAll((lines) => [1, 0].map((index) => Number(lines[index]!.getAttribute('x1'))));
    const decade = axis! - ten!;
    const dot = Number(await drawing.locator('.dot').first().getAttribute('cx'));
    // 2 DF / (2 DF W / C - 2 (D + F)) for D = F = 4096 on the sample's chip
    const exact = 33554432 / ((33554432 * 8.1e11) / 1.97e14 - 16384);
    expect((dot - ten!) / decade).toBeCloseTo(Math.log10(exact / 10), 2);
    // The line changes its colour there, and only there.
    const own = drawing.locator('path.line.own');
    expect(await own.count()).toBe(2);
    const ends = await own.evaluateAll((paths) => paths.map((path) => path.getAttribute('d')!));
    expect(Math.abs(Number(/L([\d.]+) [\d.]+$/.exec(ends[0]!)![1]) - dot)).toBeLessThan(0.2);
    expect(Math.abs(Number(/^M([\d.]+)/.exec(ends[1]!)![1]) - dot)).toBeLessThan(0.2);
  });

  test('where there is no value, there is a gap, and the reason at the pointer', async () => {
    const page = await open();
    const lines = chart(page, 'sweep').locator('.drawing path.line:not(.own)');
    const starts = await lines.evaluateAll((paths) =>
      paths.map((path) => path.getAttribute('d')!.split('M').length - 1),
    );
    expect(starts.filter((count) => count === 2).length).toBe(1);
    const { x, y } = (await chart(page, 'sweep').locator('.reading').boundingBox())!;
    const right = await chart(page, 'sweep')
      .locator('.drawing .base')
      .evaluate((line) => Number(line.getAttribute('x2')));
    // 750 of 8 to 4096
    const left = await chart(page, 'sweep')
      .locator('.drawing .base')
      .evaluate((line) => Number(line.getAttribute('x1')));
    const at = left + ((right - left) * Math.log(750 / 8)) / Math.log(512);
    await page.mouse.move(x + at, y + 150);
    await expect.poll(() => readout(page, 'sweep')).toMatch(/F = 256 does not fit/);
    expect(await readout(page, 'sweep')).toMatch(/^Batch B 7[45]\d/);
  });

  test('the cursor is dragged, by mouse and by keys', async () => {
    const page = await open();
    await dragOver(page, 'sweep', [
      [300, 200],
      [600, 220],
    ]);
    const { batch, moves } = await told(page);
    expect(batch).toBeGreaterThan(128);
    expect(moves.length).toBeGreaterThan(3);
    expect(moves.at(-1)).toMatchObject({ done: true });
    const handle = slider(page, 'sweep');
    await handle.focus();
    await handle.press('End');
    await expect.poll(async () => (await told(page)).batch).toBe(4096);
    expect(await handle.getAttribute('aria-valuetext')).toMatch(
      /^4,096\u00a0tokens; F = D = 4096: 197\u00a0TFLOPs\/s · Compute-bound; /,
    );
    await handle.press('ArrowLeft');
    await expect.poll(async () => (await told(page)).batch).toBeLessThan(4096);
  });

  test('the table waits for a drag to rest', async () => {
    const page = await open();
    await chart(page, 'sweep').getByText('Data table').click();
    const table = chart(page, 'sweep').getByRole('table');
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).toBe(514);
    await page.locator('scaling-charts').evaluate((element) => {
      (element as unknown as { output: number }).output = 128;
    });
    // Never compute-bound, so without marks.
    await expect.poll(() => table.locator('tbody tr').count()).toBe(512);
  });

  test('a finger that scrolls does not drag; one that moves sideways or taps does', async () => {
    const page = await openToTouch();
    const touch = (places: [string, number, number][]): Promise<void> =>
      chart(page, 'sweep')
        .locator('.reading')
        .evaluate((reading, places) => {
          reading.setPointerCapture = () => {};
          const { left, top } = reading.getBoundingClientRect();
          for (const [type, x, y] of places) {
            reading.dispatchEvent(
              new PointerEvent(type, {
                pointerId: 7,
                pointerType: 'touch',
                button: type === 'pointermove' ? -1 : 0,
                clientX: left + x,
                clientY: top + y,
                bubbles: true,
              }),
            );
          }
        }, places);
    await touch([
      ['pointerdown', 300, 100],
      ['pointermove', 301, 102],
      ['pointercancel', 301, 102],
    ]);
    expect((await told(page)).moves).toEqual([]);
    await touch([
      ['pointerdown', 300, 100],
      ['pointerup', 300, 100],
    ]);
    expect((await told(page)).moves).toMatchObject([{ done: true }]);
    await touch([
      ['pointerdown', 300, 100],
      ['pointermove', 340, 100],
      ['pointerup', 340, 100],
    ]);
    expect((await told(page)).moves).toMatchObject([
      { done: true },
      { done: false },
      { done: true },
    ]);
  });
});

describe('heat map', () => {
  test('one path for each category and few nodes in all', async () => {
    const page = await open();
    const map = chart(page, 'heat-map');
    expect(await map.locator('.region').count()).toBe(3);
    expect(await map.locator('.plot *').count()).toBeLessThan(120);
    expect(await map.locator('.drawing .word').allTextContents()).toEqual([
      '● compute-bound',
      '■ memory-bound',
      '▲ network-bound',
    ]);
  });

  test('a name without room in its region stands below', async () => {
    const page = await open({ width: 320 });
    const map = chart(page, 'heat-map');
    expect(await map.locator('.drawing .word').allTextContents()).not.toContain('▲ network-bound');
    expect(await map.locator('.readout').nth(1).innerText()).toContain('▲ network-bound');
  });

  test('the cell at the pointer; a press goes there, and a drag on', async () => {
    const page = await open();
    const { x, y, width, height } = (await chart(page, 'heat-map')
      .locator('.reading')
      .boundingBox())!;
    await page.mouse.move(x + width - 60, y + height - 60);
    await expect.poll(() => readout(page, 'heat-map')).toContain('▲ network-bound');
    expect((await told(page)).moves).toEqual([]);
    await dragOver(page, 'heat-map', [
      [width / 2, height / 2],
      [width - 60, height - 60],
    ]);
    const { batch, output, moves } = await told(page);
    expect(batch).toBeGreaterThan(4000);
    expect(output).toBeLessThan(200);
    expect(moves.at(-1)).toMatchObject({
      x: expect.any(Number),
      y: expect.any(Number),
      done: true,
    });
  });

  test('two handles for the keyboard, one on each axis', async () => {
    const page = await open();
    const [across, up] = ['Batch B', 'Output F'].map((name) =>
      chart(page, 'heat-map').getByRole('slider', { name }),
    ) as [Locator, Locator];
    await across.focus();
    await across.press('End');
    await expect.poll(async () => (await told(page)).batch).toBeCloseTo(8192);
    const { output } = await told(page);
    await up.focus();
    await up.press('ArrowUp');
    await expect.poll(async () => (await told(page)).output).toBeGreaterThan(output);
    await up.press('Home');
    await expect.poll(async () => (await told(page)).output).toBe(64);
    expect(await up.getAttribute('aria-valuetext')).toBe(
      'Batch B 8,192\u00a0tokens · Output F 64 · network-bound',
    );
  });

  test('its table has a row for each run', async () => {
    const page = await open();
    await chart(page, 'heat-map').getByText('Data table').click();
    const rows = chart(page, 'heat-map').getByRole('table').locator('tbody tr');
    await rows.first().waitFor();
    const count = await rows.count();
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(400);
    expect(await rows.first().innerText()).toMatch(/^64\s+8\stokens\s+.*memory-bound$/);
  });
});
