// Targets whose answers take a search each: the core solves them step by step, and the page tells what
// is known of them so far.

import type { Solution, SolvingSteps, Target } from '../../../engine/index.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isAlike, isSame, type Found, type Reply, type Solver } from './turns.ts';

/** Work in each frame [ms], and that of one call: the clock is looked at between calls. */
const budget = 8;
const slice = 1.5;

/** How a question begins to solve a target, and what goes with its turns; undefined while the question
 * itself has no answers yet. */
export type Begin = (
  ctx: RenderContext,
  target: Target,
) => (Omit<Found, 'reply' | 'busy'> & { begun: Begun }) | undefined;
type Begun = Exclude<Reply, { ok: true }> | ({ ok: true } & Solution & { steps: SolvingSteps });

/** A solution with some turns, while the target is not met. */
const open = (turns: Solution['turns']): Reply => ({ ok: true, absent: null, met: false, turns });

export class Stepping implements Solver {
  private asked: { state: State; target: Target } | undefined;
  private found: Found | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 64;

  constructor(private readonly begin: Begin) {}

  solve(ctx: RenderContext, target: Target, told: () => void): Found {
    const { state } = ctx;
    const { asked, found } = this;
    if (asked && found && isAlike(asked.state, state) && isSame(asked.target, target)) return found;
    this.stop();
    const started = this.begin(ctx, target);
    if (!started) return { reply: open([]), busy: true };
    const { begun, ...others } = started;
    this.asked = { state, target };
    const goesOn = begun.ok && begun.absent === null && !begun.met;
    this.found = { ...others, reply: begun, busy: goesOn };
    if (goesOn) this.go(begun.steps, told);
    return this.found;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked = undefined;
  }

  private go(steps: SolvingSteps, told: () => void): void {
    this.timer = setTimeout(() => {
      const end = performance.now() + budget;
      let news: ReturnType<SolvingSteps['advance']>;
      do news = this.advance(steps);
      while (!news.done && performance.now() < end);
      const { done, turns } = news;
      const { reply } = this.found!;
      const isNews = done || !reply.ok || turns.length > reply.turns.length;
      if (isNews) this.found = { ...this.found!, busy: !done, reply: open(turns) };
      // What is told is drawn: the work goes on behind it.
      if (!done) this.go(steps, told);
      if (isNews) told();
    }, budget);
  }

  /** Adapts the work of a call to the time that earlier ones took. */
  private advance(steps: SolvingSteps): ReturnType<SolvingSteps['advance']> {
    const start = performance.now();
    const news = steps.advance(this.count);
    const took = performance.now() - start;
    if (took > 2 * slice) this.count = Math.max(1, Math.floor(this.count / 2));
    else if (took < slice / 2) this.count = Math.min(1 << 16, this.count * 2);
    return news;
  }
}
