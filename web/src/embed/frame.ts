// The page in a frame of another: `?embed`, with the element's attributes as parameters beside it.

import { define } from '../dom/define.ts';
import type { State } from '../model/state.ts';
import { stateIn, themeIn } from './received.ts';
import { readSettings, themes } from './settings.ts';
import { Whole } from './whole.ts';

class ScalingFrame extends Whole {
  /** The height that was told last; none yet. */
  private height = -1;
  /** The last state that the page around has sent, and the frame that will show it. */
  private sent: string | undefined;
  private next = 0;
  private readonly resized = new ResizeObserver(() => this.tellHeight());

  override connectedCallback(): void {
    super.connectedCallback();
    this.tellHeight(); // says that it is there
    this.resized.observe(this);
    addEventListener('hashchange', this.readLocation);
    addEventListener('message', this.onMessage);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
    removeEventListener('hashchange', this.readLocation);
    removeEventListener('message', this.onMessage);
    cancelAnimationFrame(this.next);
    this.next = 0;
  }

  protected override wishes(): (string | null | undefined)[] {
    return [...super.wishes(), ...navigator.languages];
  }

  /** Hosts' own history is not for a frame to write. */
  protected override changed(state: State): void {
    try {
      history.replaceState(null, '', `${location.search}#${this.linkOf(state)}`);
    } catch {
      // Some sandboxed frames forbid it; the calculator works without.
    }
  }

  readonly readLocation = (): void => {
    this.sent = undefined; // it was sent before
    this.show(location.hash.slice(1));
  };

  private show(state: string): void {
    const query = new URLSearchParams(location.search);
    const { origin, pathname } = location;
    const page = origin === 'null' ? undefined : `${origin}${pathname}`;
    const get = (name: string): string | null =>
      name === 'state' ? state || query.get('state') : query.get(name);
    const language = query.get('lang') ?? new URLSearchParams(state).get('lang') ?? undefined;
    this.ask(readSettings(get, language, page, (key, value) => this.warn(key, value)));
  }

  paint(theme: string | null | undefined): void {
    const known = themes.find((each) => each === theme);
    if (known !== 'light' && known !== 'dark') return;
    this.theme = known;
    // The page around shows through where both have the same scheme.
    document.documentElement.dataset['theme'] = known;
  }

  /**
   * The surrounding page can only send a state, which is read like a link, and a theme. It may send
   * more states than there are frames: each frame shows the last.
   */
  private readonly onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== parent || parent === window) return;
    this.paint(themeIn(data));
    const state = stateIn(data);
    if (state === undefined) return;
    this.sent = state;
    this.next ||= requestAnimationFrame(() => {
      this.next = 0;
      if (this.sent !== undefined) this.show(this.sent);
      this.sent = undefined;
    });
  };

  /** A height is no secret, and the page around may have no origin to name. */
  private tellHeight(): void {
    const height = Math.ceil(this.getBoundingClientRect().height);
    if (height === this.height) return;
    this.height = height;
    post({ height });
  }

  /** The page around gets what an element tells its host, and the one answer as it reads. */
  protected override tell(name: string, detail: object): void {
    super.tell(name, detail);
    this.tellHeight();
    const answer = this.renderRoot.querySelector('[part=number]')?.textContent;
    post({ event: name, detail, ...(answer && { answer }) });
  }
}

function post(message: object): void {
  if (parent !== window) parent.postMessage({ scalingCalculator: { v: 1, ...message } }, '*');
}

export function showFrame(): void {
  define('scaling-frame', ScalingFrame);
  const frame = document.createElement('scaling-frame') as ScalingFrame;
  frame.warn = (key, value, meant) =>
    console.warn(
      `unknown in this address: ${key}=${value}${meant === undefined ? '' : `; here it is ${meant}`}`,
    );
  frame.readLocation();
  frame.paint(new URLSearchParams(location.search).get('theme'));
  document.body.prepend(frame);
}
