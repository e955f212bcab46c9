// The calculator in a frame of an element: where the page's modules can't be imported.

import { has } from '../model/own-value.ts';
import type { Result } from './embedded.ts';
import { messageIn } from './message.ts';
import type { Settings } from './settings.ts';

const highest = 50_000;
/** How long after its page a frame may stay silent [ms]. */
const patience = 5000;
const events = ['calc-ready', 'calc-change', 'calc-error'] as const;

/** What the element does with what its frame tells. */
interface Hearing {
  /** The first word: it is there. */
  arrived(): void;
  told(event: (typeof events)[number], detail: object): void;
  /** The page around allows no such frame. */
  refused(): void;
}

export class Framed {
  readonly element = document.createElement('iframe');
  result: Result | undefined;
  /** One answer as it reads, if one was asked for. */
  answer = '';
  private theme: string | undefined;
  private arrived = false;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly home: URL,
    private readonly hearing: Hearing,
  ) {
    const { element } = this;
    element.title = 'Scaling Calculator';
    element.addEventListener('load', () => {
      this.waiting ??= setTimeout(() => this.giveUp(), patience);
    });
    addEventListener('message', this.hear);
    document.addEventListener('securitypolicyviolation', this.watch);
  }

  /** Ends it. */
  remove(): void {
    this.element.remove();
    clearTimeout(this.waiting);
    removeEventListener('message', this.hear);
    document.removeEventListener('securitypolicyviolation', this.watch);
  }

  /** `get` gives the element's attributes. */
  show(settings: Settings, get: (name: string) => string | null, theme: string): void {
    const { element } = this;
    const page = new URL('offline.html', this.home);
    const given = ['view', 'answer', 'controls'].flatMap((name) => {
      const value = get(name);
      return value === null ? [] : [[name, value]];
    });
    if (settings.language) given.push(['lang', settings.language]);
    // Another address would load it anew.
    this.theme ??= theme;
    const query = new URLSearchParams([...given, ['theme', this.theme]]);
    page.search = `embed&${query}`;
    page.hash = settings.link;
    element.className = settings.answer ? 'unseen' : '';
    if (element.src !== page.href) element.src = page.href;
  }

  paint(theme: string): void {
    this.element.contentWindow?.postMessage({ scalingCalculator: { v: 1, theme } }, '*');
  }

  private giveUp(): void {
    if (!this.arrived) this.hearing.refused();
  }

  private readonly watch = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'frame-src' && this.element.src.startsWith(blockedURI)) {
      this.giveUp();
    }
  };

  private readonly hear = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== this.element.contentWindow) return;
    const message = messageIn(data);
    if (!has(message, 'v')) return;
    if (!this.arrived) {
      this.arrived = true;
      this.hearing.arrived();
    }
    const { height, event, detail, answer } = message;
    if (typeof height === 'number' && height >= 0 && height <= highest) {
      this.element.style.height = `${height}px`;
    }
    const name = events.find((each) => each === event);
    if (!name || typeof detail !== 'object' || detail === null) return;
    if (Object.hasOwn(detail, 'result')) this.result = (detail as { result: Result }).result;
    if (typeof answer === 'string') this.answer = answer;
    this.hearing.told(name, detail);
  };
}
