// Targets for the answers of serving. Each candidate is asked forward with the best division of its
// chips, which takes longer than a formula: what is found is told field by field, in slices of time.

import type { FieldInfo, FieldValue, Target, Turn } from '../../engine/index.ts';
import { evaluate } from '../../model/evaluate.ts';
import type { FieldId } from '../../model/fields.ts';
import { withField, type State } from '../../model/state.ts';
import { meets, open } from '../features/target/goals.ts';
import { isAlike, isSame, solvers, type Found, type Solver } from '../features/target/turns.ts';
import type { RenderContext } from '../kit/render-context.ts';

/** What readers choose otherwise to serve as they want, in the order in which it is tried. */
const fields: readonly FieldId[] = [
  'serving.users',
  'serving.requestRate',
  'serving.chips',
  'serving.promptTokens',
  'serving.answerTokens',
  'server.weights',
  'server.cacheFormat',
  'chip.price',
];

/** Time of a frame that is spent on it [ms]. */
const budget = 8;
/** Doublings, or halvings, that are looked at. */
const mostDoublings = 12;
/** Numbers are found to a part of this, counts to the last one. */
const resolution = 512;

/** The answer at a value of the field; undefined where there is none. */
type Ask = (value: FieldValue) => number | string | undefined;

/** Turns a number away from `now`, both ways; yields after each question. */
function* turnNumber(
  ask: Ask,
  { kind, min, max }: FieldInfo,
  now: number,
  target: Target,
  grain: number,
): Generator<undefined, Omit<Turn, 'field'>> {
  const rounded = (x: number): number => {
    const coarse = grain > 1 && x > grain ? Math.round(x / grain) * grain : x;
    return kind === 'count' ? Math.round(coarse) : Number(coarse.toPrecision(3));
  };
  const before = ask(now);
  let nearest: Omit<Turn, 'field'> = { effect: 'none', value: now, reached: before ?? 0 };
  const found: Omit<Turn, 'field'>[] = [];
  for (const factor of [0.5, 2]) {
    let fails = now;
    for (let i = 0; i < mostDoublings; ++i) {
      let holds = Math.min(max, Math.max(min, rounded(fails * factor)));
      if (holds === fails) break;
      let reached = ask(holds);
      yield;
      if (reached === undefined) break;
      if (!meets(target, reached)) {
        const better = isBetter(target, reached, nearest.reached);
        if (reached !== before && nearest.effect === 'none') nearest.effect = 'fallsShort';
        if (better) nearest = { effect: 'fallsShort', value: holds, reached };
        fails = holds;
        continue;
      }
      for (;;) {
        const middle = rounded((fails + holds) / 2);
        const close = kind !== 'count' && Math.abs(holds - fails) < holds / resolution;
        if (close || (middle - fails) * (holds - middle) <= 0) break;
        const tried = ask(middle);
        yield;
        if (tried !== undefined && meets(target, tried)) [holds, reached] = [middle, tried];
        else fails = middle;
      }
      found.push({ effect: 'meets', value: holds, reached });
      break;
    }
  }
  const far = ({ value }: Omit<Turn, 'field'>): number => Math.abs(Math.log(Number(value) / now));
  return found.sort((one, other) => far(one) - far(other))[0] ?? nearest;
}

const isBetter = ({ wanted }: Target, one: number | string, other: number | string): boolean =>
  wanted !== 'is' && (wanted === 'atMost' ? one < other : one > other);

class ServingTarget implements Solver {
  private asked: { state: State; target: Target } | undefined;
  private found: Found | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  solve(ctx: RenderContext, target: Target, told: () => void): Found {
    const { state } = ctx;
    const { asked, found } = this;
    if (asked && found && isAlike(asked.state, state) && isSame(asked.target, target)) return found;
    this.stop();
    this.asked = { state, target };
    const reply = evaluate(ctx.engine, state);
    const now = reply.ok ? reply.answers[target.answer] : undefined;
    if (!reply.ok) this.found = { reply: { ok: false, issues: [...reply.issues] }, busy: false };
    else if (typeof now === 'object') {
      this.found = { reply: { ...open([]), absent: now.absent as never }, busy: false };
    } else if (meets(target, now)) {
      this.found = { reply: { ...open([]), met: true }, busy: false };
    } else {
      this.found = { reply: open([]), busy: true, explains: () => null };
      this.work(this.turns(ctx, target), told);
    }
    return this.found;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked = undefined;
  }

  private work(turns: Generator<Turn | undefined>, told: () => void): void {
    const known: Turn[] = [];
    const go = (): void => {
      const end = performance.now() + budget;
      let over = false;
      const before = known.length;
      while (!over && performance.now() < end) {
        const { done, value } = turns.next();
        over = done === true;
        if (value) known.push(value);
      }
      if (over || known.length > before) {
        this.found = { ...this.found!, busy: !over, reply: open([...known]) };
        told();
      }
      if (!over) this.timer = setTimeout(go, budget);
    };
    this.timer = setTimeout(go);
  }

  private *turns(ctx: RenderContext, target: Target): Generator<Turn | undefined> {
    for (const field of fields) {
      if (!ctx.applies(field)) continue;
      const now = ctx.value(field);
      const info = ctx.info(field);
      const ask: Ask = (value) => {
        const state = withField(ctx.description, ctx.state, field, value);
        const reply = evaluate(ctx.engine, state);
        const answer = reply.ok ? reply.answers[target.answer] : undefined;
        return typeof answer === 'object' ? undefined : answer;
      };
      if (info.kind === 'choice') {
        for (const choice of info.choices) {
          const reached = choice === now ? undefined : ask(choice);
          yield undefined;
          if (reached !== undefined && meets(target, reached)) {
            yield { field, effect: 'meets', value: choice, reached };
          }
        }
      } else if (typeof now === 'number' && now > 0) {
        const domain = Number(ctx.value('chip.scaleUpChips')) || 1;
        const grain = field === 'serving.chips' ? domain : 1;
        const turn = yield* turnNumber(ask, info, now, target, grain);
        yield { field, ...turn };
      }
    }
  }
}

solvers.serving = () => new ServingTarget();
