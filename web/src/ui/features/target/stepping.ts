// Targets whose answers take a search each, behind each frame. The core turns the numbers: it asks for
// one answer at a time, and the view of the question finds it.

import type { FieldValue, Target, Turn } from '../../../engine/index.ts';
import { inputsOf, loadedTargets } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { isAlike, isSame, type Found, type Reply, type Solver } from './turns.ts';

type Answer = number | string;
type Outcome = Answer | { absent: string } | undefined;

/** Work in each frame [ms]. */
const budget = 8;

/** The forward evaluation of a question. */
export interface Forward {
  /** The answer as it is; undefined where the input is not valid. */
  now: Outcome;
  /** The answers that are known at once. */
  turns?: readonly Turn[];
  /** Fields that are turned, in the order in which they are tried. */
  fields: readonly FieldId[];
  /** The field of the chips in their network. */
  chips: FieldId;
  /** The answer with a field at another value; yields after each part of the work. */
  ask(field: FieldId, value: FieldValue, slices?: number): Generator<undefined, Outcome>;
  /** The notes beside the turns. */
  found?: Omit<Found, 'reply' | 'busy'>;
}

const isAnswer = (outcome: Outcome): outcome is Answer =>
  typeof outcome === 'number' || typeof outcome === 'string';
const toAnswer = (outcome: Outcome): Answer | undefined =>
  isAnswer(outcome) ? outcome : undefined;

function meets({ wanted, value }: Target, answer: Outcome): boolean {
  if (wanted === 'is') return answer === value;
  if (typeof answer !== 'number') return false;
  return wanted === 'atMost' ? answer <= value : answer >= value;
}

/** The turns of each field: a choice where it meets the target, a number in any case. */
export function* turnsOf(
  ctx: RenderContext,
  target: Target,
  { now, fields, chips, ask }: Forward,
): Generator<Turn | undefined> {
  const { description, engine, state } = ctx;
  const inputs = inputsOf(engine, state) as never;
  const { choices } = description.questions[state.view].answers.find(
    ({ key }) => key === target.answer,
  )!;
  for (const field of fields) {
    const info = ctx.info(field);
    const value = ctx.value(field);
    if (!ctx.applies(field) || value === null) continue;
    if (typeof value !== 'number') {
      const others = info.kind === 'flag' ? [false, true] : info.choices;
      for (const other of others) {
        if (other === value) continue;
        const reached = yield* ask(field, other);
        if (isAnswer(reached) && meets(target, reached)) {
          yield { field, effect: 'meets', value: other, reached };
        }
      }
      continue;
    }
    const multiple = field === 'run.batchTokens' ? Number(ctx.value('run.sequenceLength')) : 1;
    const number = { info, now: value, ofChips: field === chips, multiple };
    const turned = loadedTargets().turn(inputs, number, target, choices);
    // The first request is the present answer.
    turned?.tell(toAnswer(now));
    for (let asks = turned?.asks; asks; asks = turned!.asks) {
      turned!.tell(toAnswer(yield* ask(field, asks.value, asks.slices)));
      yield;
    }
    if (turned) yield { field, ...turned.turn };
  }
}

/** A solution with some turns, while the target is not met. */
const open = (turns: Turn[]): Reply => ({ ok: true, absent: null, met: false, turns });

/** Solves targets step by step; `forward` is undefined while the question has no answers yet. */
export class Stepping implements Solver {
  private asked: { state: State; target: Target } | undefined;
  private found: Found | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly forward: (ctx: RenderContext, target: Target) => Forward | undefined,
  ) {}

  solve(ctx: RenderContext, target: Target, told: () => void): Found {
    const { state } = ctx;
    const { asked, found } = this;
    if (asked && found && isAlike(asked.state, state) && isSame(asked.target, target)) return found;
    this.stop();
    const forward = this.forward(ctx, target);
    if (!forward) return { reply: open([]), busy: true };
    this.asked = { state, target };
    const { now, turns = [], found: others } = forward;
    if (now === undefined) this.found = { reply: { ok: false, issues: [] }, busy: false };
    else if (!isAnswer(now)) {
      const absent = now.absent as never;
      this.found = { reply: { ok: true, absent, met: false, turns: [] }, busy: false };
    } else if (meets(target, now)) {
      this.found = { reply: { ok: true, absent: null, met: true, turns: [] }, busy: false };
    } else {
      this.found = { ...others, reply: open([...turns]), busy: true };
      this.go(turnsOf(ctx, target, forward), [...turns], told);
    }
    return this.found;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked = undefined;
  }

  private go(turns: Generator<Turn | undefined>, known: Turn[], told: () => void): void {
    this.timer = setTimeout(() => {
      const end = performance.now() + budget;
      const before = known.length;
      let over = false;
      while (!over && performance.now() < end) {
        const { done, value } = turns.next();
        over = done === true;
        if (value) known.push(value);
      }
      if (!over) this.go(turns, known, told);
      if (!over && known.length === before) return;
      this.found = { ...this.found!, busy: !over, reply: open([...known]) };
      told();
    }, budget);
  }
}
