// Optional parts of the page load on first use. Where one can't be had, that is known and said, and
// it can be tried again.

/** Draws itself again once a part that it waits for is there, or can't be had. */
export interface Waiting {
  refresh(): void;
}

export class Lazy<T> {
  private at: 'idle' | 'loading' | 'ready' | 'failed' = 'idle';
  private tries = 0;
  private part: T | undefined;
  private loading: Promise<T> | undefined;
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly load: () => Promise<T>) {}

  /** A part that is there already. */
  static of<T>(part: T): Lazy<T> {
    const lazy = new Lazy<T>(async () => part);
    lazy.part = part;
    lazy.at = 'ready';
    return lazy;
  }

  get state(): 'idle' | 'loading' | 'ready' | 'failed' {
    return this.at;
  }

  /** Whether it was tried more than once. */
  get triedAgain(): boolean {
    return this.tries > 1;
  }

  /** The part, where it is there already. */
  get value(): T | undefined {
    return this.part;
  }

  /** The part, where it is there; else loads it on first use and tells `who` how that ended. */
  use(who: Waiting): T | undefined {
    if (this.at === 'idle' || this.at === 'loading') this.await(who);
    return this.part;
  }

  /** Tries again what failed. */
  retry(who: Waiting): void {
    if (this.at !== 'failed') return;
    this.await(who);
    who.refresh();
  }

  /** Loads the part, also where that failed before; rejects where it can't be had. */
  get(): Promise<T> {
    if (this.at === 'idle' || this.at === 'failed') {
      this.at = 'loading';
      this.tries += 1;
      this.loading = this.begin();
    }
    return this.loading!;
  }

  private await(who: Waiting): void {
    this.waiting.add(who);
    // Callers that wait learn of a failure from the state.
    this.get().catch(() => undefined);
  }

  private async begin(): Promise<T> {
    try {
      this.part = await this.load();
      this.at = 'ready';
      return this.part;
    } catch (error) {
      this.at = 'failed';
      throw error;
    } finally {
      const told = [...this.waiting];
      this.waiting.clear();
      for (const who of told) who.refresh();
    }
  }
}
