// The largest size at which something holds, by doubling and halving.

/** Sizes lie no closer than this share of them: what is nearer is no other answer. */
const closeness = 16;

/** Asks for one size after another: `asks` until it is undefined. What holds at a size is taken to hold
 *  at all smaller ones. */
export class Largest {
  /** The largest size that is known to hold, 0 before there is one. */
  holds = 0;
  private fails = Infinity;

  /** Sizes are multiples of `step`, up to `most`. */
  constructor(
    private readonly step: number,
    private readonly most: number,
  ) {}

  /** The size to try next; undefined once the largest is known. */
  get asks(): number | undefined {
    const { holds, fails, step } = this;
    const most = Math.floor(this.most / step) * step;
    if (fails === Infinity) {
      const next = Math.min(most, holds === 0 ? step : 2 * holds);
      return next > holds ? next : undefined;
    }
    const middle = Math.floor((holds + fails) / 2 / step) * step;
    return fails - holds > Math.max(step, holds / closeness) && middle > holds ? middle : undefined;
  }

  /** Tells whether it holds at the size that was asked for. */
  tell(does: boolean): void {
    const asked = this.asks;
    if (asked === undefined) return;
    if (does) this.holds = asked;
    else this.fails = asked;
  }
}
