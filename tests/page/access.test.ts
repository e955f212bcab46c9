// WCAG 2.2 AA: what axe finds, and what it can't.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violations, type Rules } from './axe.ts';
import { field, heard, openPanel, type } from './calculator.ts';
import { keepTwoOfEach } from './charts/looks.ts';
import { close, drawn, open as unfold, openAll, show, staying } from './staying.ts';
import { visits } from './visits.ts';

const open = visits();

/** Each view as it is most crowded; plans that fit, that don't, and that cannot be. */
const views = [
  'view=training',
  'chips=100',
  'nothing=1&chips=many&sequence=4097',
  'view=operation&op.kind=shardedMatmul&overlay=h100-sxm,tpu-v5e',
  'view=operation&op.kind=attention&op.attention=latent&chart=sweep&lines=op.heads:8,16,64',
  'view=operation&op.kind=layer&chart=heatMap',
  'view=collective&coll.kind=allReduce&mesh.x=4&mesh.y=4',
  'view=plan',
  'view=plan&chips=64&layout.sharding=none&layout.pipeline=2',
  'view=plan&chips=100',
  'view=evidence&runs=chip:h100-sxm&run=mt-nlg-530b-3360',
];

/** Colours in both themes where a view has ones of its own; charts are looked at beside these. */
async function expectNoViolations(page: Page, rules: Rules, part?: string): Promise<void> {
  const within = part ? page.locator(part).first() : undefined;
  expect(await violations(page, rules, within)).toEqual([]);
  if (rules !== 'all') return;
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, 'colours', within)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

const desk = { viewport: { width: 1440, height: 900 } };

/** Opens the page, and with `opening` its panels; of what is alike, two each. */
async function openAt(
  hash: string,
  opening?: (page: Page) => Promise<void>,
  options: BrowserContextOptions = desk,
): Promise<Page> {
  const page = await open(hash, options);
  await drawn(page);
  if (!opening) return page;
  await opening(page);
  await keepTwoOfEach(page, 'tbody, .ladder');
  return page;
}

describe('axe', () => {
  test('as it opens', async () => {
    await expectNoViolations(await openAt('view=training'), 'all');
  });

  test('with the list of chips', async () => {
    const page = await openAt('view=training');
    await field(page, 'chip').click();
    await expectNoViolations(page, 'all', '.asks');
  });

  test('with a mistake', async () => {
    const page = await openAt('view=training');
    await type(page, 'run.chips', 'many');
    await expectNoViolations(page, 'all', '.asks');
  });

  test('with dialogs', async () => {
    const page = await openAt('view=training');
    await unfold(page, '.assumptions details');
    const openers = await page.locator('[data-share], [data-own]').all();
    expect(openers).toHaveLength(3);
    for (const opener of openers) {
      await opener.click();
      await page.locator('dialog[open] button').first().waitFor();
      await expectNoViolations(page, 'all', 'dialog[open]');
      await page.keyboard.press('Escape');
    }
  });

  test('with what a term means', async () => {
    const page = await openAt('view=training');
    await page.locator('scaling-term').first().focus();
    await page.locator('[popover]:popover-open').first().waitFor();
    await expectNoViolations(page, 'all', 'scaling-term');
  });

  test('with a worked question, before and after it is answered', async () => {
    const page = await openAt('view=training');
    await unfold(page, '.examples details.panel');
    await page.locator('.chapter').first().waitFor();
    await unfold(page, '.chapter', 1);
    await page.locator('.ask').first().click();
    await expectNoViolations(page, 'all', '.examples');
    await page.locator('.give').click();
    await expectNoViolations(page, 'all', '.examples');
  });

  test('with all chips and models side by side', async () => {
    const page = await openAt('view=training');
    await unfold(page, '.overviews details');
    await page.locator('scaling-overview table').nth(1).waitFor();
    await keepTwoOfEach(page);
    await expectNoViolations(page, 'all', '.overviews');
  });

  test('with every derivation', async () => {
    const page = await openAt('view=training', (page) => unfold(page, '.why[aria-expanded]'));
    await expectNoViolations(page, 'all but colours', '.found');
  });

  test.each(['view=operation', 'view=collective'])(
    'with all that can be set, one of each open, in colours: %s',
    async (hash) => {
      await expectNoViolations(await openAt(hash, openAll), 'all');
    },
  );

  test('with every picture of a plan', async () => {
    const page = await openAt('view=plan', async (page) => {
      await unfold(page, '.beyond details.panel');
      await drawn(page);
    });
    await expectNoViolations(page, 'all', '.beyond');
  });
});

describe('axe, in Chinese', () => {
  test.each(['view=operation&op.kind=layer', 'view=collective'])(
    'with all open: %s',
    async (hash) => {
      const page = await openAt(hash, openAll, { locale: 'zh-CN', ...desk });
      await expectNoViolations(page, 'all but colours');
    },
  );
});

/** Contrast that axe leaves out: it can't see the background of a drawing's texts. */
test('words and marks stand out from every ground, in charts too', async () => {
  const page = await open();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const ratios = await page
      .locator('[data-answer]')
      .first()
      .evaluate((element) => {
        const probe = element.appendChild(document.createElement('i'));
        const luminance = (name: string): number => {
          probe.style.color = `var(--${name})`;
          const parts = getComputedStyle(probe)
            .color.match(/[\d.]+/g)!
            .slice(0, 3);
          const [r = 0, g = 0, b = 0] = parts
            .map((part) => Number(part) / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (one: string, other: string): number => {
          const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        };
        const inks = ['ink', 'quiet', 'compute', 'memory', 'network'];
        return inks.flatMap((ink) =>
          ['paper', 'tint'].map((ground) => [`${ink} on ${ground}`, ratio(ink, ground)] as const),
        );
      });
    for (const [pair, ratio] of ratios) {
      expect(ratio, `${pair}, ${colorScheme}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

interface Stop {
  what: string;
  /** Something shows that the focus is here. */
  shown: boolean;
  /** Some of it can be seen. */
  seen: boolean;
}

/** Goes through the page by one key, from the first or the last thing that takes the focus. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<(Stop & { place: number })[]> {
  await page.evaluate((backwards) => {
    const stops: (Stop & { element: Element })[] = [];
    const deep = (): Element => {
      let focused = document.activeElement!;
      while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      return focused;
    };
    const look = (element: Element): Stop => {
      const { outlineStyle } = getComputedStyle(element);
      const ring = element.querySelector('.ring');
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = (x: number, y: number): Element | null => {
        let found = document.elementFromPoint(left + x * width, top + y * height);
        while (found?.shadowRoot) {
          const inner = found.shadowRoot.elementFromPoint(left + x * width, top + y * height);
          if (!inner || inner === found) break;
          found = inner;
        }
        return found;
      };
      const places = [0.5, 0.02, 0.98].flatMap((x) => [0.5, 0.02, 0.98].map((y) => at(x, y)));
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40);
      return {
        what: `${element.localName} ${element.getAttribute('data-field') ?? ''} ${name}`,
        shown:
          outlineStyle !== 'none' || (ring !== null && getComputedStyle(ring).stroke !== 'none'),
        // Lines and rings have nothing in their middle.
        seen: places.some(
          (found) => found !== null && (element.contains(found) || found.contains(element)),
        ),
      };
    };
    window.stops = stops;
    window.lookAgain = async (stop) => {
      (stop.element as HTMLElement).focus();
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      Object.assign(stop, look(stop.element));
    };
    window.walked = false;
    const can = everything('a[href], button, input, select, summary').filter((each) =>
      each.checkVisibility(),
    ) as HTMLElement[];
    can.at(backwards ? -1 : 0)!.focus();
    // The page has come to rest where the last key led before the next one comes.
    const press = ({ key }: KeyboardEvent): void => {
      if (key !== 'Tab') return;
      const element = deep();
      if (element === document.body || (stops.length > 1 && element === stops[0]!.element)) {
        window.walked = true;
        removeEventListener('keydown', press, true);
      } else {
        stops.push({ element, ...look(element) });
      }
    };
    addEventListener('keydown', press, true);
  }, key !== 'Tab');
  // Held down: a key that is also released each time takes twice as long.
  const [tab = '', ...others] = key.split('+').reverse();
  for (const other of others) await page.keyboard.down(other);
  let walked = false;
  for (let presses = 0; presses < 400 && !walked; presses += 20) {
    for (let press = 0; press < 20; press++) await page.keyboard.down(tab);
    walked = await page.evaluate(() => window.walked === true);
  }
  for (const other of [tab, ...others]) await page.keyboard.up(other);
  if (walked) {
    return page.evaluate(async () => {
      // Keys that follow each other within a frame come before what stays in view has made room.
      for (const stop of window.stops!.filter(({ seen }) => !seen)) await window.lookAgain!(stop);
      const places = new Map(everything('*').map((element, place) => [element, place]));
      const stops = window.stops!.map(({ element, ...stop }) => ({
        ...stop,
        place: places.get(element)!,
      }));
      delete window.stops;
      delete window.lookAgain;
      delete window.walked;
      return stops;
    });
  }
  throw new Error(`no way out by ${key}`);
}

declare global {
  interface Window {
    stops?: (Stop & { element: Element })[];
    lookAgain?: (stop: Stop & { element: Element }) => Promise<void>;
    walked?: boolean;
  }
}

describe.each([
  [360, 740],
  [1440, 900],
])('by keyboard, %d × %d', (width, height) => {
  test.each([
    'view=training',
    'view=operation&op.kind=shardedMatmul&overlay=h100-sxm',
    'view=plan',
  ])('every stop in reading order, marked, and not covered: %s', async (hash) => {
    const page = await openAt(hash, undefined, { viewport: { width, height } });
    for (const kind of ['.why[aria-expanded]', 'details.panel', 'figure details'])
      await unfold(page, kind, 1);
    // What unfolds is drawn a little at a time, and moves what has the focus out of sight.
    const tall = (): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight);
    await expect
      .poll(async () => {
        const before = await tall();
        await page.waitForTimeout(250);
        return (await tall()) - before;
      })
      .toBe(0);
    const there = await walk(page, 'Tab');
    // The way back is the browser's doing, in a plan as elsewhere.
    const back = hash === 'view=plan' ? [] : await walk(page, 'Shift+Tab');
    expect(there.length).toBeGreaterThan(20);
    if (back.length > 0) {
      expect(back.map(({ what }) => what).reverse()).toEqual(there.map(({ what }) => what));
    }
    const places = there.map(({ place }) => place);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect([...there, ...back].filter((stop) => !stop.shown || !stop.seen)).toEqual([]);
  });
});

/** Widths of windows, and what they stand for. */
const windows = {
  'a small phone': { width: 320, height: 640 },
  'a phone': { width: 360, height: 740 },
  'a tablet': { width: 768, height: 1024 },
  'a desk': { width: 1440, height: 900 },
  '1280 × 1024 at 200%': { width: 640, height: 512 },
};
/** A viewport as wide as a small phone, and far less high. */
const atFourTimes = { width: 320, height: 256 };

/** Elements wider than their window, cut off, or without room for their words. */
const lost = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`page ${scrollWidth} > ${clientWidth}`] : [];
    // Elements inside drawings and formulas do not scroll, and are most of a page.
    const cut = everything(':not(svg *, math *)').filter((element) => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const wider = scrollWidth > clientWidth + 1;
      const higher = scrollHeight > clientHeight + 1;
      if (!wider && !higher) return false;
      const { overflowX, overflowY, clipPath, visibility } = getComputedStyle(element);
      if (clipPath !== 'none' || visibility === 'hidden' || element.closest('[hidden]'))
        return false;
      const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      // Fields scroll what is typed; what they show when they are left must be whole.
      const field = element.localName === 'input';
      return (wider && (hides(overflowX) || field)) || (higher && hides(overflowY));
    });
    // A control beside a name leaves it room for words, or takes a line of its own.
    const tight = everything('.field:not(.beside) > .name').filter((name) => {
      const { width } = name.getBoundingClientRect();
      return width > 0 && width < 90;
    });
    return [...wide, ...[...cut, ...tight].map((element) => element.outerHTML.slice(0, 200))];
  });

/** Text spacing of WCAG 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`;

/** Sets all text so, in every tree of the page; gives what takes it back. */
async function setWider(page: Page): Promise<() => Promise<void>> {
  const sheet = await page.evaluateHandle((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    for (const { shadowRoot: tree } of everything('*')) {
      if (tree) tree.adoptedStyleSheets = [...tree.adoptedStyleSheets, sheet];
    }
    return sheet;
  }, spacing);
  return () => sheet.evaluate((sheet) => sheet.replaceSync(''));
}

test.each(['en-US', 'zh-CN'])('questions are named in one line: %s', async (locale) => {
  const page = await openAt('view=collective', undefined, { locale });
  for (const [name, size] of Object.entries(windows)) {
    if (size.width < 768) continue;
    await page.setViewportSize(size);
    const tops = await page
      .locator('nav [data-view]')
      .evaluateAll((links) => links.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size, name).toBe(1);
  }
});

/** Views with all that can be set: fields and panels do not depend on their values. */
const whole = ['view=training', 'view=plan'];

// These tests share a view with its panels open: opening them takes longest.
describe.each([
  ...views.map((hash) => ['en-US', hash] as const),
  ...views.filter((hash) => !/chips=/.test(hash)).map((hash) => ['zh-CN', hash] as const),
])('with all open, %s: %s', (locale, hash) => {
  const open = visits(afterAll);
  let page: Page;
  beforeAll(async () => {
    page = await open(hash, { locale, ...desk });
    await drawn(page);
    await openAll(page);
  });

  test('nothing is lost or wider than its window', async () => {
    for (const [name, size] of Object.entries(windows)) {
      await page.setViewportSize(size);
      expect(await lost(page), name).toEqual([]);
    }
    // Lists over the page: of chips, and of what a chart can go along.
    await page.setViewportSize(windows['a small phone']);
    for (const control of await page.locator('scaling-preset input').all()) {
      await control.click();
      expect(await lost(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize(windows['a phone']);
    const setBack = await setWider(page);
    expect(await lost(page), 'text set wider').toEqual([]);
    await setBack();
  });

  const isWhole = whole.includes(hash);
  if (locale !== 'en-US' && !isWhole) return;
  test('axe finds nothing', async () => {
    await page.setViewportSize(desk.viewport);
    await drawn(page);
    if (!isWhole) await close(page, '.assumptions details');
    await keepTwoOfEach(page, 'tbody, .ladder');
    const rules = isWhole && locale === 'en-US' ? 'all' : 'all but colours';
    await expectNoViolations(page, rules, isWhole ? undefined : 'main');
  });
});

describe('as the system asks', () => {
  const page = staying({ reducedMotion: 'reduce', forcedColors: 'active' });

  test.each(views)('nothing moves: %s', async (hash) => {
    await show(page(), hash);
    const moving = await page().evaluate(() =>
      everything('*')
        .filter((element) =>
          [undefined, '::before', '::after'].some((pseudo) => {
            const style = getComputedStyle(element, pseudo);
            return (
              style.animationName !== 'none' ||
              style.transitionDuration.split(',').some((time) => parseFloat(time) > 0) ||
              style.scrollBehavior === 'smooth'
            );
          }),
        )
        .map((element) => element.outerHTML.slice(0, 200)),
    );
    expect(moving).toEqual([]);
  });

  /** The distinct looks of the elements that match. */
  const looks = (selector: string, property: string): Promise<string[]> =>
    page().evaluate(
      ([selector, property]) => [
        ...new Set(
          everything(selector).map((each) => getComputedStyle(each).getPropertyValue(property)),
        ),
      ],
      [selector, property] as const,
    );

  test('what colours told apart, forced colours still tell apart', async () => {
    await show(page(), 'view=training');
    expect(await looks('.gauge .zone', 'fill')).toHaveLength(3);
    expect(await looks('.stack .part', 'fill')).not.toHaveLength(1);
    await type(page(), 'run.mfu', '50');
    await openPanel(page(), 'run');
    await type(page(), 'run.pue', '1.3');
    await expect.poll(() => looks('.field', 'border-left-color')).toHaveLength(2);
    await field(page(), 'chip').click();
    await expect.poll(() => looks('.options .active', 'outline-style')).toEqual(['solid']);
    await page().keyboard.press('Escape');
    await field(page(), 'run.chips').focus();
    await expect.poll(() => looks('[data-field="run.chips"]', 'outline-style')).toEqual(['solid']);
    await show(page(), 'view=collective&mesh.x=4&mesh.y=4');
    await page().locator('.holdings td').first().waitFor();
    expect(await looks('.holdings tbody td', 'background-color')).not.toHaveLength(1);
    expect(await looks('[role="tab"]', 'border-bottom-style')).toHaveLength(2);
  });
});

test('more contrast, where that is preferred', async () => {
  const page = await open();
  const quiet = () =>
    page
      .locator('.by')
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const usual = await quiet();
  await page.emulateMedia({ contrast: 'more' });
  await expect.poll(() => quiet()).not.toBe(usual);
});

test('far zoomed in, nothing stays in view that would cover the rest', async () => {
  const page = await open('view=training', { viewport: atFourTimes });
  const { position } = await page
    .locator('.summary')
    .first()
    .evaluate((element) => ({ position: getComputedStyle(element).position }));
  expect(position).toBe('static');
});

test('what is typed is announced once, when it is typed', async () => {
  const page = await open('chips=512');
  const live = page.locator('scaling-page [aria-live="polite"]').last();
  await live.evaluate((region) => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await field(page, 'run.chips').fill('');
  await field(page, 'run.chips').pressSequentially('4096', { delay: 60 });
  await expect.poll(() => live.textContent()).toMatch(/^97\.0.days\./);
  await page.waitForTimeout(1000);
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect(said).toHaveLength(1);
});

describe('a button that goes when it is pressed leaves the focus beside it', () => {
  const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64';
  const server = 'view=serving&chip=h100-sxm';

  test.each([
    ['a way to a target', `${server}&target=tokenTime:atMost:0.05`, '.target .use', '.target'],
    ['a layout', plan, 'table.best button >> nth=2', '[data-plan="3"]'],
    ['the best layout', `${plan}&layout.tensor=8`, '.line [data-follow]', 'main'],
    ['the longest sequence', `${plan}&trained=lora&corpus=examples`, '.most button', '.plans'],
    ['more chips', `${server}&model=llama-3.1-405b&serve.chips=2`, '.offers button', '.asks'],
    ['a note on the link', `${plan}&nothing=1`, '.problems button', '.asks'],
  ])('%s', async (_what, hash, pressed, place) => {
    const page = await openAt(hash);
    const button = page.locator(`${pressed} >> visible=true`).first();
    await button.waitFor();
    const handle = await button.elementHandle();
    await button.press('Enter');
    await expect.poll(() => handle!.evaluate((each) => each.isConnected)).toBe(false);
    const isIn = (): Promise<boolean> =>
      page.evaluate((part) => {
        const at = document.querySelector('scaling-page')!.shadowRoot!.activeElement;
        return at?.closest(part) != null;
      }, place);
    await expect.poll(isIn).toBe(true);
  });
});

test('the theme follows the system until it is chosen, and is remembered', async () => {
  const page = await open('view=training', { colorScheme: 'dark' });
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const calculator = () =>
    page.locator('scaling-page').evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground()).toBe('rgb(22, 21, 20)');
  expect(await calculator()).toBe('rgb(22, 21, 20)');
  await page.locator('button[data-theme]').click();
  expect(await ground()).toBe('rgb(252, 251, 249)');
  expect(await calculator()).toBe('rgb(252, 251, 249)');
  await page.reload();
  await page.locator('[data-answer]').first().waitFor();
  expect(await ground()).toBe('rgb(252, 251, 249)');
});

test('changes are marked, but not under reduced motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const page = await open('view=training', { reducedMotion });
    await type(page, 'run.mfu', '50');
    const animation = await page
      .locator('[data-answer="trainingTime"] .large')
      .evaluate((large) => getComputedStyle(large, '::after').animationName);
    expect(animation === 'none').toBe(reducedMotion === 'reduce');
  }
});

test('a chart is announced as the answers are: once, after the dragging', async () => {
  const page = await open('view=operation&chip=tpu-v5e');
  const said = await heard(page.locator('scaling-page [aria-live="polite"]').last());
  // Keys of two frames, one after the other: however slow the machine, no pause lies between them.
  await page.locator('scaling-roofline [role="slider"]').evaluate(async (point: HTMLElement) => {
    point.focus();
    for (const key of ['End', 'ArrowLeft']) {
      point.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    }
  });
  await expect.poll(said).toEqual([expect.stringMatching(/^Compute-bound\. /)]);
});

test('one thing of each kind: headings, landmarks, a live region', async () => {
  const page = await open();
  await openPanel(page, 'memory');
  await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expect.poll(() => page.getByRole('main').count()).toBe(1);
  await expect.poll(() => page.locator('[aria-live]').count()).toBe(1);
});
