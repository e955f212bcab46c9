// Work in parts, a little behind each frame.

interface Work {
  /** Whether there is more to do. */
  more(): boolean;
  /** Does a part of it; asks for `next` at its end. */
  work(): void;
  /** Draws, or has drawn, the results so far. */
  told(): void;
}

/**
 * Does a part of the work in a task of its own behind a frame, and tells of it in the next frame: no
 * task both works and draws.
 */
export class FrameScheduler {
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private untold = false;

  constructor(private readonly of: Work) {}

  /** Goes on behind the next frame. `worked`: there are results, to be told of in that frame. */
  next(worked: boolean): void {
    this.untold ||= worked;
    if (this.waits || !(this.untold || this.of.more())) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const { untold } = this;
      this.untold = false;
      if (untold) this.of.told();
      // Whoever was told may have stopped the work, or begun other work.
      if (this.waits || !this.of.more()) return;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.of.work();
      });
    });
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = 0;
    this.timer = undefined;
    this.untold = false;
  }

  private get waits(): boolean {
    return this.frame !== 0 || this.timer !== undefined;
  }
}
