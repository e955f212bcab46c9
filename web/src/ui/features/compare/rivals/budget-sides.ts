// What a budget buys on the reader's own chip, and on those that most readers ask for.

import { canEvaluate, evaluate } from '../../../../model/evaluate.ts';
import type { State } from '../../../../model/state.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { Asking, type Asked } from '../asking.ts';
import { sidesOf, type Side } from '../sides/rows.ts';
import { chipsBeside } from '../usual-chips.ts';

export class BudgetSides {
  /** The reader's own comes first. */
  sides: readonly Side[] = [];
  /** Called after each part of the work. */
  told: () => void = () => undefined;
  private state: State | undefined;
  private readonly asking = new Asking<Side>(() => this.told());

  /** Asks of all chips, where it is another budget or other figures have loaded. */
  update(ctx: RenderContext): void {
    const { state, engine, features } = ctx;
    // Other chips' figures load behind the answers.
    const items = features.presets.more.use(ctx.actions) ? chipsBeside(state) : [state.chip];
    if (state === this.state && items.length === this.sides.length) return;
    this.state = state;
    this.sides = sidesOf(ctx, { along: 'chip', items });
    this.asking.forget();
    // What can be answered at once is not asked for: a reader who drags a number sees all bars move.
    const waiting = this.sides.filter((side) => !canEvaluate(engine, side.state()));
    this.asking.begin(
      { state, engine, views: features.views },
      waiting,
      (side) => side.state(),
      items,
    );
  }

  stop(): void {
    this.asking.stop();
    this.state = undefined;
  }

  /** The answers of a chip, once they are there. */
  of({ engine }: RenderContext, side: Side): Asked | undefined {
    const state = side.state();
    return canEvaluate(engine, state)
      ? { state, reply: evaluate(engine, state) }
      : this.asking.of(side.id);
  }

  get left(): number {
    return this.asking.left;
  }
}

const all = new WeakMap<RenderContext['actions'], BudgetSides>();

/** Those of the calculator that draws: what stands still shows what the page does. */
export function budgetSides(ctx: RenderContext): BudgetSides {
  const found = all.get(ctx.actions) ?? new BudgetSides();
  all.set(ctx.actions, found);
  found.update(ctx);
  return found;
}
