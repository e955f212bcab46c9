// Targets whose answers take a search each, behind each frame. The core chooses the fields and
// turns them: it asks for one answer at a time, and the view of the question finds it.

import type { SearchedQuestion, Target, Turn } from '../../../engine/index.ts';
import { inputsOf } from '../../../model/evaluate.ts';
import type { State } from '../../../model/state.ts';
import type { Answer, Forward, Found, Outcome, Reply } from '../../kit/forward.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isAlike, isSame, type Solver } from './turns.ts';

/** Work in each frame [ms]. */
const budget = 8;

const isAnswer = (outcome: Outcome): outcome is Answer =>
  typeof outcome === 'number' || typeof outcome === 'string';
const toAnswer = (outcome: Outcome): Answer | undefined =>
  isAnswer(outcome) ? outcome : undefined;

/** The turns of each field: a choice where it meets the target, a number in any case. */
export function* turnsOf(
  { engine, state }: RenderContext,
  target: Target,
  { now, ask }: Forward,
): Generator<Turn | undefined> {
  if (!isAnswer(now)) return;
  const question = state.view as SearchedQuestion;
  const inputs = inputsOf(engine, state) as never;
  const search = engine.loaded('targets')!.search(question, inputs, target, now);
  let told = 0;
  for (let { asks } = search; asks; { asks } = search) {
    search.tell(toAnswer(yield* ask(asks)));
    for (; told < search.turns.length; told += 1) yield search.turns[told];
    yield;
  }
}

/** A solution with some turns. */
const solution = (met: boolean, turns: Turn[]): Reply => ({ ok: true, absent: null, met, turns });

/** Solves targets step by step; `forward` is undefined while the question has no answers yet. */
export class Stepping implements Solver {
  private asked: { state: State; target: Target } | undefined;
  private found: Found | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly forward: (ctx: RenderContext, target: Target) => Forward | undefined,
  ) {}

  solve(ctx: RenderContext, target: Target, told: () => void): Found {
    const { engine, state } = ctx;
    const { asked, found } = this;
    if (asked && found && isAlike(asked.state, state) && isSame(asked.target, target)) return found;
    this.stop();
    const forward = this.forward(ctx, target);
    if (!forward) return { reply: solution(false, []), busy: true };
    this.asked = { state, target };
    const { now, turns = [], found: others } = forward;
    if (now === undefined) this.found = { reply: { ok: false, issues: [] }, busy: false };
    else if (!isAnswer(now)) {
      const absent = now.absent as never;
      this.found = { reply: { ok: true, absent, met: false, turns: [] }, busy: false };
    } else {
      const met = engine.loaded('targets')!.isMet(state.view, target, now);
      this.found = { ...others, reply: solution(met, [...turns]), busy: true };
      this.go(turnsOf(ctx, target, forward), met, [...turns], told);
    }
    return this.found;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked = undefined;
  }

  private go(
    turns: Generator<Turn | undefined>,
    met: boolean,
    known: Turn[],
    told: () => void,
  ): void {
    this.timer = setTimeout(() => {
      const end = performance.now() + budget;
      const before = known.length;
      let over = false;
      while (!over && performance.now() < end) {
        const { done, value } = turns.next();
        over = done === true;
        if (value) known.push(value);
      }
      if (!over) this.go(turns, met, known, told);
      if (!over && known.length === before) return;
      this.found = { ...this.found!, busy: !over, reply: solution(met, [...known]) };
      told();
    }, budget);
  }
}
