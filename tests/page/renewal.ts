// A window that was visited, as if it were opened anew: the page's element is made again, once all
// around it is as it was when the page was loaded. That takes a sixth of loading the page.

import type { BrowserContext, Page } from 'playwright-core';

interface Surroundings {
  /** State that no reader's visit changes: the document, the window, all that is stored. */
  said: string;
  /** Properties of the browser's own objects that were not there before the page was loaded. */
  added: string[];
  /** The nodes that have another value now. */
  changed: string[];
}

declare global {
  interface Document {
    surroundings?: () => Promise<Surroundings>;
  }
}

/** Notes what there is before the page is loaded. */
const notes = (): void => {
  const things = (): object[] => [
    window,
    navigator,
    history,
    console,
    ...[Document, Element, EventTarget, Event, History, Navigator, Node, Storage].map(
      ({ prototype }) => prototype,
    ),
  ];
  /** Their properties, each with its value or what reads and writes it. */
  const properties = (): Map<string, unknown[]> =>
    new Map(
      things().flatMap((thing, at) =>
        Reflect.ownKeys(thing).map((key): [string, unknown[]] => {
          const { value, get, set } = Object.getOwnPropertyDescriptor(thing, key)!;
          return [`${at} ${String(key)}`, [value, get, set]];
        }),
      ),
    );
  const before = properties();
  const attributes = ({ attributes }: Element): string[] =>
    [...attributes].map(({ name, value }) => `${name}=${value}`);
  /** Nodes that are left out: the page's element, those that it sets itself, and those that the
   * browser loads ahead. */
  const own = 'scaling-page, title, link[rel="modulepreload"]';
  const inside = (parent: Element): string[] =>
    [...parent.childNodes].flatMap((node) =>
      node instanceof Element ? (node.matches(own) ? [] : node.outerHTML) : node.nodeValue!.trim(),
    );
  const surroundings = async (): Promise<Surroundings> => {
    const now = [...properties()];
    const said = [
      attributes(document.documentElement).filter((each) => !/^(lang|data-theme)=/.test(each)),
      attributes(document.body),
      inside(document.head),
      inside(document.body),
      document.adoptedStyleSheets.length,
      [devicePixelRatio, scrollX, scrollY, matchMedia('(pointer: coarse)').matches],
      [navigator.onLine, navigator.language, window.name, location.pathname],
      [document.cookie, localStorage.length, sessionStorage.length],
      [(await caches.keys()).length, (await indexedDB.databases()).length],
      document.activeElement === document.body && getSelection()?.rangeCount === 0,
    ];
    return {
      said: JSON.stringify(said),
      added: now.flatMap(([key]) => (before.has(key) ? [] : [key])),
      changed: now.flatMap(([key, values]) =>
        before.get(key)?.some((each, at) => !Object.is(each, values[at])) ? [key] : [],
      ),
    };
  };
  Object.defineProperty(document, 'surroundings', { value: surroundings });
};

/** Must be called before the page is loaded. */
export const noteBefore = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(notes);

/** The surroundings of the page's element now. */
export const surroundingsOf = (page: Page): Promise<Surroundings> =>
  page.evaluate(() => document.surroundings!());

/** Size and media of the window, which differ by visit. */
interface Look {
  size: { width: number; height: number };
  media: Record<'isPrinted' | 'isDark' | 'isStill' | 'isForced' | 'isStrong', boolean>;
}

export const lookOf = (page: Page): Promise<Look> =>
  page.evaluate(() => ({
    size: { width: innerWidth, height: innerHeight },
    media: {
      isPrinted: matchMedia('print').matches,
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
      isForced: matchMedia('(forced-colors: active)').matches,
      isStrong: matchMedia('(prefers-contrast: more)').matches,
    },
  }));

/** Takes the page's element away, so that a window which waits for its next visit draws nothing. */
export const clear = (page: Page): Promise<void> =>
  page.evaluate(() => document.querySelectorAll('scaling-page').forEach((each) => each.remove()));

/** Globals that tests bring to look at the page, and leave there. */
const tools = ['axe', '__core-js_shared__', 'everything'];

/**
 * Makes the page's element again, at another address, and tells whether that could be done: whether
 * all around it is as it was.
 */
export const renew = (page: Page, hash: string, was: Surroundings): Promise<boolean> =>
  page.evaluate(
    async ([hash, was, tools]) => {
      if (!document.surroundings) return false;
      document.querySelectorAll('scaling-page').forEach((each) => each.remove());
      const folds = 'scaling-calculator.folds';
      localStorage.clear();
      localStorage.setItem(folds, 'why assumptions compare');
      sessionStorage.clear();
      getSelection()?.removeAllRanges();
      scrollTo(0, 0);
      history.replaceState(null, '', location.pathname + hash);
      const { said, added, changed } = await document.surroundings();
      const known = [...was.added, ...tools.map((name) => `0 ${name}`)];
      if (said !== was.said || changed.some((key) => !was.changed.includes(key))) return false;
      if (added.some((key) => !known.includes(key))) return false;
      document.body.prepend(document.createElement('scaling-page'));
      return true;
    },
    [hash, was, tools] as const,
  );
