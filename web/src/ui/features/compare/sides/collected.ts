// The sides of a state, and what is known of them so far.

import type { State } from '../../../../model/state.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { Asking, type Asked, type Tries } from '../asking.ts';
import { alone, sidesOf, sizedState, sizesOf, type Side, type Sized } from './rows.ts';
import { viewOf } from '../../../parts/view.ts';
import { readSides } from './setting.ts';

export class CollectedSides {
  setting: ReturnType<typeof readSides>;
  sides: readonly Side[] = [];
  sizes: readonly Sized[] = [];
  /** The questions depend on nothing else: not on the drawing. */
  private key: readonly unknown[] = [];
  private question: { state: State } | undefined;
  private readonly rows: Asking<Side>;
  private readonly points: Asking<Sized>;

  /** `told` is called after each part of the work. */
  constructor(told: () => void) {
    this.rows = new Asking<Side>(told);
    this.points = new Asking<Sized>(told);
  }

  stop(): void {
    this.rows.stop();
    this.points.stop();
    this.key = [];
  }

  /** Asks of the sides of a state, where it is another question; of their curves after them. */
  update(ctx: RenderContext): void {
    const { charts, found: _, ways: __, pinned: ___, ...rest } = ctx.state;
    // Others only mark the chart.
    const limits = viewOf(ctx).sides?.keepsLimits ? [charts.deadline, charts.budget] : [];
    const key = [charts.sides, ...limits, ctx.language, ...Object.values(rest)];
    if (key.length !== this.key.length || key.some((part, index) => part !== this.key[index])) {
      this.key = key;
      this.begin(ctx);
    }
    if (this.rows.left > 0 || !this.question || this.sizes.length > 0) return;
    if (!this.setting) return;
    this.sizes = sizesOf(ctx, this.sides, this.setting.along);
    const {
      engine,
      features: { views },
    } = ctx;
    const state = { ...this.question.state };
    this.points.forget();
    this.points.begin(
      { state, engine, views },
      this.sizes,
      (sized) => sizedState(ctx, sized),
      this.key,
    );
  }

  private begin(ctx: RenderContext): void {
    this.points.stop();
    this.points.forget();
    this.rows.stop();
    this.rows.forget();
    this.sizes = [];
    this.setting = readSides(ctx.description, ctx.state.charts.sides ?? '');
    this.sides = this.setting ? sidesOf(ctx, this.setting) : [];
    this.question = { state: alone(ctx, ctx.state) };
    const {
      engine,
      features: { views },
    } = ctx;
    const first = (side: Side): State => side.state();
    const tries = (side: Side, found: Asked): Tries => side.tries(found);
    this.rows.begin({ ...this.question, engine, views }, this.sides, first, this.key, tries);
  }

  /** The number of sides that are not known yet. */
  get sidesLeft(): number {
    return this.rows.left;
  }

  /** The number of points of their curves that are not known yet. */
  get pointsLeft(): number {
    return this.points.left;
  }

  /** The result of a side, by its id. */
  of = (id: string): Asked | undefined => this.rows.of(id);

  /** The result of a point, by its id. */
  pointOf = (id: string): Asked | undefined => this.points.of(id);
}
