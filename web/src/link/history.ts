/** The link follows once typing or dragging pauses: browsers limit how often it may change. */
const pause = 250;

/**
 * The state in the address bar. The first change of an edit is a new entry in the browser's
 * history, so that *back* undoes it; what follows in the same edit only updates that entry.
 */
export class History {
  private current: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: string | undefined;
  /** The address that the last change gave. */
  private written: string | undefined;

  constructor(private readonly onTravel: () => void) {}

  private readonly travelled = (): void => {
    this.drop();
    this.current = undefined;
    this.onTravel();
  };

  connect(): void {
    addEventListener('popstate', this.travelled);
    addEventListener('pagehide', this.flush);
  }

  disconnect(): void {
    this.flush();
    removeEventListener('popstate', this.travelled);
    removeEventListener('pagehide', this.flush);
  }

  /** `edit` names what is being edited; a different one, or none, starts a new entry. */
  write(hash: string, edit: string | undefined): void {
    if (edit === undefined || edit !== this.current) {
      this.flush();
      this.change('pushState', hash);
    } else {
      this.pending = hash;
      clearTimeout(this.timer);
      this.timer = setTimeout(this.flush, pause);
    }
    this.current = edit;
  }

  /** The edit is over. */
  settle(): void {
    this.flush();
    this.current = undefined;
  }

  replace(hash: string): void {
    this.change('replaceState', hash);
  }

  private readonly flush = (): void => {
    const { pending } = this;
    this.drop();
    // Another address may have been set since, of which the browser is yet to tell.
    if (pending !== undefined && location.hash === this.written) {
      this.change('replaceState', pending);
    }
  };

  /** Drops what waits to be written. */
  private drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = undefined;
  }

  private change(how: 'pushState' | 'replaceState', hash: string): void {
    try {
      history[how](null, '', hash ? `#${hash}` : location.pathname + location.search);
    } catch {
      // Some sandboxed frames forbid it; the calculator works without.
    }
    this.written = location.hash;
  }
}
