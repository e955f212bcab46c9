// The shares of causes in the change of an answer. They add up to the whole change.

import { idOf, type Cause, type Takeover, type Tells } from './reason.ts';

/** Takeovers in less of the answer than this are not reported. */
const worthSaying = 0.05;

/** The share of an answer's change that each cause accounts for. */
export class Shares {
  private readonly causes = new Map<string, Cause>();
  /** Takeovers, each with its share of the answer. */
  takeovers: { takeover: Takeover; influence: number }[] = [];

  add(cause: Cause): void {
    const id = idOf(cause);
    const known = this.causes.get(id);
    if (known) known.difference += cause.difference;
    else this.causes.set(id, { ...cause });
  }

  addAll(other: Shares, weight: number): void {
    for (const cause of other.causes.values()) {
      this.add({ ...cause, difference: cause.difference * weight });
    }
    for (const { takeover, influence } of other.takeovers) {
      this.takeovers.push({ takeover, influence: influence * Math.abs(weight) });
    }
  }

  get total(): number {
    return this.sum((difference) => difference);
  }

  /** The sum of the sizes of all shares. */
  get extent(): number {
    return this.sum(Math.abs);
  }

  /** The sum of the sizes of unnamed shares and of those whose names tell nothing. */
  unnamed(tells: Tells): number {
    return this.sum((difference, { kind, key }) =>
      kind === 'input' || (kind === 'step' && tells({ kind, key })) ? 0 : Math.abs(difference),
    );
  }

  private sum(of: (difference: number, cause: Cause) => number): number {
    return [...this.causes.values()].reduce((sum, cause) => sum + of(cause.difference, cause), 0);
  }

  /** The takeovers worth reporting in an answer of this size, each once. */
  toldTakeovers(size: number): Takeover[] {
    const told = new Map<string, Takeover>();
    for (const { takeover, influence } of this.takeovers.sort(
      (a, b) => b.influence - a.influence,
    )) {
      const [before, after] = [takeover.before, takeover.after].map(
        ({ key, resource }) => key ?? resource,
      );
      const says = before !== undefined && after !== undefined && before !== after;
      if (says && influence >= worthSaying * size) told.set(`${before} ${after}`, takeover);
    }
    return [...told.values()];
  }

  /** The greatest first. Causes in formulas have no name: they merge into one, of the answer
   * itself. */
  sorted(answer: string): Cause[] {
    const merged = new Shares();
    for (const cause of this.causes.values()) {
      merged.add(cause.kind === 'formula' ? { ...cause, key: answer } : cause);
    }
    return [...merged.causes.values()]
      .filter(({ difference }) => difference !== 0)
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  }
}
