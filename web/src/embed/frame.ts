// The page in a frame of another: `?embed`, with the element's attributes as parameters beside it.

import { createEngine, type Engine } from '../engine/index.ts';
import { partOf, type Dictionary } from '../i18n/dictionary.ts';
import { loadDerivationDrawing } from '../ui/shell/load-derivations.ts';
import { sideBySide } from '../ui/features/compare/compare.ts';
import type { DrawDerivation, RenderContext } from '../ui/kit/render-context.ts';
import { addPageViews, loadView } from '../ui/views/registry.ts';
import { namedLater, writeAddress } from '../link/address.ts';
import type { State } from '../model/state.ts';
import type { Question } from '../model/views.ts';
import { Embedded } from './embedded.ts';
import { stateIn } from './message.ts';
import { readSettings, themes, type Settings } from './settings.ts';

addPageViews();

class ScalingFrame extends Embedded {
  private height = 0;
  /** The last state that the page around has sent, and the frame that will show it. */
  private sent: string | undefined;
  private next = 0;
  /** The settings that were asked for last; those shown may wait for what describes their fields. */
  private newest: Settings | undefined;
  private readonly resized = new ResizeObserver(() => this.tellHeight());

  override connectedCallback(): void {
    super.connectedCallback();
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

  protected override async startEngine(): Promise<Engine> {
    const engine = await createEngine();
    await loadNamed(engine, this.settings!).catch(() => undefined);
    return engine;
  }

  protected override wishes(): (string | null | undefined)[] {
    return [...super.wishes(), ...navigator.languages];
  }

  protected override loadView(view: Question, engine: Engine): Promise<void> {
    return loadView(view, engine);
  }

  protected override renderBeside(ctx: RenderContext): unknown {
    return sideBySide(ctx);
  }

  protected override loadDerivations(engine: Engine): Promise<DrawDerivation> {
    return loadDerivationDrawing(engine, this.language);
  }

  protected override sourceTitles(): Dictionary['sources'] {
    return partOf(this.language, 'sources').use(this);
  }

  /** Hosts' own history is not for a frame to write. */
  protected override changed(state: State): void {
    const link = writeAddress(this.engine!.describe(), state);
    try {
      history.replaceState(null, '', `${location.search}#${link}`);
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
    const settings = readSettings(get, language, page, (key, value) => this.warn(key, value));
    this.newest = settings;
    const set = (): void => {
      if (this.newest === settings) this.settings = settings;
    };
    if (this.engine && namedBy(this.engine, settings).length > 0) {
      void loadNamed(this.engine, settings).then(set, set);
    } else set();
    const theme = themes.find((each) => each === query.get('theme'));
    if (theme === 'light' || theme === 'dark') this.theme = theme;
  }

  /**
   * The surrounding page can only send a state, which is read like a link. It may send more of them
   * than there are frames: each frame shows the last.
   */
  private readonly onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== parent || parent === window) return;
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
    if (height === this.height || parent === window) return;
    this.height = height;
    parent.postMessage({ scalingCalculator: { v: 1, height } }, '*');
  }
}

const namedBy = (engine: Engine, { link }: Settings) => namedLater(link, engine.describe());

/** Loads what describes the fields that the settings name. */
const loadNamed = (engine: Engine, settings: Settings): Promise<unknown> =>
  Promise.all(namedBy(engine, settings).map((name) => engine[name]()));

customElements.define('scaling-frame', ScalingFrame);

export function showFrame(): void {
  const frame = document.createElement('scaling-frame') as ScalingFrame;
  frame.warn = (key, value, meant) =>
    console.warn(
      `unknown in this address: ${key}=${value}${meant === undefined ? '' : `; here it is ${meant}`}`,
    );
  frame.readLocation();
  document.body.prepend(frame);
}
