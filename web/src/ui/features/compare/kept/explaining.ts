// Computes reasons in small batches per frame, because a derivation takes a millisecond or more and a
// comparison has many answers.

import type { Engine } from '../../../../engine/index.ts';
import type { Lazy } from '../../../../engine/lazy.ts';
import { explain } from '../../../../model/evaluate.ts';
import { reasonOf } from '../../../../compare/causes.ts';
import type { Named, Reason } from '../../../../compare/reason.ts';
import { inputOf, type State } from '../../../../model/state.ts';
import { splitId, type FieldId } from '../../../../model/fields.ts';

/** Time budget in each frame [ms]. */
const budget = 8;
/** Delay while the reader keeps editing [ms]. */
const rests = 150;

/** Explains why answers to one state are not those to another. */
export class Explaining {
  private before: State | undefined;
  private now: State | undefined;
  private readonly reasons = new Map<string, Reason | undefined>();
  private wanted: readonly string[] = [];
  private resting: ReturnType<typeof setTimeout> | undefined;
  private frame = 0;
  private stopped = false;

  /** `told` is called after each frame's work. */
  constructor(private readonly told: () => void) {}

  /** Begins to find the reasons for these answers by `reasons`; what is known of others is kept. */
  ask(
    engine: Engine,
    reasons: Lazy<unknown>,
    before: State,
    now: State,
    keys: readonly string[],
  ): void {
    if (before !== this.before || now !== this.now) {
      this.stop();
      this.reasons.clear();
      this.before = before;
      this.now = now;
    }
    this.stopped = false;
    this.wanted = keys;
    if (this.missing === undefined || this.resting !== undefined || this.frame !== 0) return;
    this.resting = setTimeout(() => {
      this.resting = undefined;
      // Only the reader retries a module that failed to load.
      if (reasons.state === 'failed') return;
      reasons.get().then(
        () => {
          if (!this.stopped) this.next(engine);
        },
        () => this.told(),
      );
    }, rests);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.resting);
    cancelAnimationFrame(this.frame);
    this.resting = undefined;
    this.frame = 0;
  }

  /** Whether it is known yet, and what it is, if there is one. */
  knows = (key: string): boolean => this.reasons.has(key);
  of = (key: string): Reason | undefined => this.reasons.get(key);

  private get missing(): string | undefined {
    return this.wanted.find((key) => !this.reasons.has(key));
  }

  private next(engine: Engine): void {
    if (this.frame !== 0 || this.missing === undefined) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const end = performance.now() + budget;
      for (let key = this.missing; key !== undefined; key = this.missing) {
        this.reasons.set(key, this.find(engine, key));
        if (performance.now() >= end) break;
      }
      this.told();
      this.next(engine);
    });
  }

  private find(engine: Engine, key: string): Reason | undefined {
    const [was, is] = [this.before!, this.now!].map((state) => explain(engine, state, key));
    if (!was?.ok || !is?.ok) return undefined;
    const description = engine.describe();
    const { answers } = description.questions[this.now!.view];
    const tells = ({ kind, key }: Named): boolean => {
      if (kind === 'step') return answers.some((answer) => answer.key === key);
      const [group, field] = splitId(key as FieldId);
      const [old, present] = [this.before!, this.now!].map((state) =>
        inputOf(description, state, group),
      );
      return old![field] !== present![field];
    };
    return reasonOf(was.derivation, is.derivation, tells);
  }
}
