// <scaling-calculator>, as other pages hold it. When it nears the viewport, it shows what is asked by
// the page's own modules, and where these can't be imported, in a frame.

import { sheetOf } from '../dom/sheet.ts';
import { chooseLanguage } from '../i18n/language.ts';
import { loadDictionary } from '../i18n/dictionary.ts';
import type { Embedded, Result } from './embedded.ts';
import { hasDarkBackground } from './background.ts';
import { Framed } from './framed.ts';
import {
  attributes,
  pageAt,
  readSettings,
  reveals,
  themes,
  type Attribute,
  type Settings,
} from './settings.ts';
import text from './element.css?inline';

let style: CSSStyleSheet | undefined;

/** Parts of what is shown that hosts can style. */
const parts = ['question', 'summary', 'answer', 'value', 'figure', 'assumptions', 'number', 'home'];

/** The element that shows everything. */
const whole = 'scaling-calculator-whole';

/** The distance from the viewport at which an element starts, in viewport heights. */
const early = '100%';

/** Pages may be written on servers, which have no elements: the module can be imported there, too. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** The element; scripts differ in where they lie, and in how they get at the page's own modules. */
export abstract class ScalingCalculator extends Base {
  static readonly observedAttributes = attributes;

  // Attributes are properties too.
  static {
    for (const name of attributes) {
      if (name === 'lang') continue; // every element has it
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: Element) {
          return this.getAttribute(name) ?? '';
        },
        set(this: Element, value: unknown) {
          if (value === null || value === undefined) this.removeAttribute(name);
          else this.setAttribute(name, String(value));
        },
      });
    }
  }

  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly waiting = document.createElement('slot');
  private inner: Embedded | undefined;
  private framed: Framed | undefined;
  private watching: IntersectionObserver | undefined;
  private readonly scheme = matchMedia('(prefers-color-scheme: dark)');
  private readonly surroundings = new MutationObserver(() => this.paint());
  private readonly warned = new Set<string>();
  /** The link that the reader has come to, where it takes more than trainings alone do. */
  protected reached: string | undefined;
  private started = false;
  private due = false;
  /** Counts the times that something was begun to be shown: what comes late must not replace it. */
  private turn = 0;

  /** The folder of the page that lies beside the script, if one does. */
  protected abstract readonly home: URL | undefined;
  /** Imports the page's own modules. */
  protected abstract importModules(): Promise<typeof import('./modules.ts')>;
  /** The tag of the element that shows these settings. */
  protected tagFor(_: Settings): string {
    return whole;
  }

  constructor() {
    super();
    this.root.adoptedStyleSheets = [(style ??= sheetOf(text))];
    this.root.append(this.waiting);
  }

  /** The question and its answers, once there are any. */
  get result(): Result | undefined {
    return this.framed ? this.framed.result : this.inner?.result;
  }

  toJSON(): Result | undefined {
    return this.result;
  }

  connectedCallback(): void {
    this.scheme.addEventListener('change', this.paint);
    for (const element of [document.documentElement, document.body]) {
      const attributeFilter = ['class', 'style', 'data-theme', 'data-mode', 'theme'];
      this.surroundings.observe(element, { attributes: true, attributeFilter });
    }
    this.paint();
    if (this.started) return;
    if (this.choice('reveal', reveals) === 'interaction') {
      void this.offer();
      return;
    }
    this.watching = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void this.start();
      },
      { rootMargin: `${early} 0%` },
    );
    this.watching.observe(this);
  }

  disconnectedCallback(): void {
    this.watching?.disconnect();
    this.surroundings.disconnect();
    this.scheme.removeEventListener('change', this.paint);
  }

  attributeChangedCallback(name: Attribute): void {
    if (name === 'theme') this.paint();
    this.reached = undefined;
    // Several attributes are often set at once.
    if (!this.started || this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      void this.start();
    });
  }

  private get language(): string {
    const near = this.parentElement?.closest('[lang]')?.getAttribute('lang');
    return chooseLanguage(this.getAttribute('lang'), near, ...navigator.languages);
  }

  /** A button, before which nothing else is brought. */
  private async offer(): Promise<void> {
    const { embed } = await loadDictionary(this.language, []);
    if (this.started || this.root.querySelector('button')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.part.add('reveal');
    button.textContent = embed.show;
    button.addEventListener('click', () => {
      // The focus goes to the answer, since the reader asked for it here.
      this.focusOnceReady();
      button.disabled = true;
      void this.start().finally(() => button.remove());
    });
    this.root.append(button);
  }

  private async start(): Promise<void> {
    this.started = true;
    this.watching?.disconnect();
    this.turn += 1;
    const { turn } = this;
    const settings = readSettings(
      (name) => this.asked(name),
      this.language,
      this.pageOf(),
      (name, value) => this.warn(name, value),
    );
    const tag = this.tagFor(settings);
    if (!customElements.get(tag)) {
      try {
        const { defineWhole } = await this.importModules();
        await defineWhole(settings.shown.question, this.language);
      } catch {
        if (turn === this.turn) this.showFrame(settings);
        return;
      }
      if (turn !== this.turn) return;
    }
    this.silence();
    this.framed?.remove();
    this.framed = undefined;
    if (this.inner?.localName !== tag) {
      this.inner?.remove();
      this.inner = this.make(tag);
      this.inner.setAttribute('exportparts', parts.join());
      // The children stay until there is something to show.
      this.inner.addEventListener('calc-ready', () => this.waiting.remove(), { once: true });
      // A frame has a policy of its own.
      this.inner.addEventListener('calc-error', () => {
        if (this.inner?.hasFailed) this.showFrame(settings);
      });
    }
    const { inner } = this;
    inner.warn = (key, value, meant) => this.warn(key, value, meant);
    inner.ask(settings);
    this.paint();
    if (!inner.isConnected) this.root.append(inner);
  }

  protected make(tag: string): Embedded {
    return document.createElement(tag) as Embedded;
  }

  private showFrame(settings: Settings): void {
    if (!this.home) {
      void this.fail();
      return;
    }
    this.silence();
    this.framed ??= this.makeFrame();
    this.framed.show(settings, (name) => this.asked(name as Attribute), this.look);
    if (!this.framed.element.isConnected) this.root.append(this.framed.element);
  }

  private makeFrame(): Framed {
    const framed: Framed = new Framed(this.home!, {
      arrived: () => this.silence(),
      told: (event, detail) => {
        if (event === 'calc-ready') {
          this.inner?.remove();
          this.inner = undefined;
          this.waiting.remove();
        }
        if (framed.answer) this.write(framed.answer);
        this.dispatchEvent(new CustomEvent(event, { bubbles: true, composed: true, detail }));
      },
      refused: () => void this.fail(),
    });
    return framed;
  }

  /** Writes one answer into the sentence around the element: its frame is not to be seen. */
  private write(answer: string): void {
    const word = this.root.querySelector('[part=number]') ?? document.createElement('span');
    word.part.add('number');
    word.className = 'one';
    word.textContent = answer;
    if (!word.isConnected) this.root.append(word);
  }

  /** An attribute; the link that the reader has come to stands for those that give a state. */
  private asked(name: Attribute): string | null {
    if (this.reached !== undefined) {
      if (name === 'state') return this.reached;
      if (name === 'chip' || name === 'model') return null;
    }
    return this.getAttribute(name);
  }

  /** Shows a link by what has everything; the focus stays with the reader who asked. */
  protected goTo(link: string): void {
    if (link === this.reached) return;
    if (this.inner?.matches(':focus-within')) this.focusOnceReady();
    this.reached = link;
    void this.start();
  }

  private focusOnceReady(): void {
    const focus = (): void => (this.framed?.element ?? this.inner)?.focus();
    this.addEventListener('calc-ready', focus, { once: true });
  }

  /** The address of the whole calculator: from the host, or beside the script. */
  private pageOf(): string | undefined {
    const given = this.getAttribute('page');
    if (given === '') return undefined; // wanted so
    const page = given === null ? undefined : pageAt(given, document.baseURI);
    if (given !== null && page === undefined) this.warn('page', given);
    return page ?? (this.home && new URL('index.html', this.home).href);
  }

  /** Says that the page around allows neither modules nor frames. */
  private async fail(): Promise<void> {
    const { turn } = this;
    this.framed?.remove();
    this.framed = undefined;
    const { embed, ui } = await loadDictionary(this.language, []);
    if (turn !== this.turn) return;
    this.silence();
    if (this.inner?.hasFailed && !this.inner.isUndrawn) return; // it says what the page around forbids
    // In a sentence the word that stands there says more.
    if (!this.getAttribute('answer')) {
      const message = document.createElement('p');
      message.part.add('message');
      message.role = 'alert';
      const retry = document.createElement('button');
      retry.type = 'button';
      retry.textContent = ui.retry;
      retry.addEventListener('click', () => void this.start());
      message.append(
        embed.notLoaded.replace('{address}', this.home?.href ?? 'scaling-calculator'),
        ' ',
        retry,
      );
      this.root.append(message);
    }
    const issues = [{ code: 'notLoaded', field: 'view', arguments: {} }];
    this.dispatchEvent(
      new CustomEvent('calc-error', { bubbles: true, composed: true, detail: { issues } }),
    );
  }

  private silence(): void {
    this.root.querySelector('[part=message]')?.remove();
  }

  /** Light or dark. */
  private get look(): 'light' | 'dark' {
    const theme = this.choice('theme', themes);
    if (theme === 'light' || theme === 'dark') return theme;
    const dark = theme === 'system' ? this.scheme.matches : hasDarkBackground(this);
    return dark ? 'dark' : 'light';
  }

  private readonly paint = (): void => {
    // Before, there is nothing to paint, and asking for styles would lay out a page half loaded.
    if (!this.started) return;
    const { look } = this;
    this.style.colorScheme = look;
    if (this.inner) this.inner.theme = look;
    this.framed?.paint(look);
  };

  private choice<T extends string>(name: Attribute, choices: readonly T[]): T {
    const value = this.getAttribute(name);
    const known = choices.find((choice) => choice === value);
    if (value && !known) this.warn(name, value);
    return known ?? choices[0]!;
  }

  /** Warns once for each: a host should know, its readers needn't. */
  private warn(key: string, value: string, meant?: string): void {
    const here = meant === undefined ? '' : `; here it is ${meant}`;
    const quoted = JSON.stringify(value.slice(0, 80));
    const said = `<scaling-calculator> does not know ${key}=${quoted}${here}`;
    if (this.warned.has(said)) return;
    this.warned.add(said);
    console.warn(said);
  }
}
