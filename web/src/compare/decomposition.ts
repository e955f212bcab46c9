// Divides the change of an answer among the terms of its derivation, by additive decomposition with
// the logarithmic-mean Divisia index (LMDI-I; Ang, Energy Policy 33, 2005): the factors of a product
// share its difference in proportion to the logarithms of their ratios, terms of a sum each have
// their own difference, and a limit has that of the branch that is active. Nothing is left over.

import { toldOf } from '../engine/told.ts';
import type { Derivation, Expression, Step } from '../engine/index.ts';
import {
  branchesOf,
  branchOf,
  factorsOf,
  isProduct,
  isSum,
  nameOf,
  termsOf,
  type Part,
} from './expressions.ts';
import { isLeaf, match, type Match } from './match.ts';
import type { Tells } from './reason.ts';
import { Shares } from './shares.ts';
import { logarithmicWeights, meanOf, midpointWeights } from './weights.ts';

/** The part of a step's change that may go to no name. Above it, the step is reported as a whole. */
export const othersAtMost = 0.05;

/** Shares whose sum of sizes exceeds the size of their sum by this factor are noise. */
const noise = 1e6;

/** A part of the answer before and after. */
interface Pair {
  /** The step that both belong to. */
  step: string;
  was: Expression;
  is: Expression;
  /** The change of the answer per change of this part. */
  weight: number;
}

/** The pair of a part inside a pair, with `weight` in place of its own. */
const inside = ({ step }: Pair, was: Expression, is: Expression, weight: number): Pair => ({
  step,
  was,
  is,
  weight,
});

/** The difference of the answer that a pair as a whole accounts for. */
const differenceOf = ({ was, is, weight }: Pair): number => weight * (is.value - was.value);

const byKey = ({ steps }: Derivation): ReadonlyMap<string, Step> =>
  new Map(steps.map((step) => [step.key, step]));

/** The decomposition of the difference between two derivations of an answer. */
export class Decomposition {
  readonly before: ReadonlyMap<string, Step>;
  readonly after: ReadonlyMap<string, Step>;
  private readonly known = new Map<string, Shares>();

  constructor(
    before: Derivation,
    after: Derivation,
    private readonly tells: Tells,
    /** Whether steps are causes themselves, rather than their inputs. */
    private readonly shallow = false,
  ) {
    this.before = byKey(before);
    this.after = byKey(after);
  }

  ofStep(key: string, was: Step, is: Step): Shares {
    return this.ofExpressions(key, was.expression, is.expression);
  }

  /** The shares of the causes in the change of an expression that belongs to a step. */
  ofExpressions(step: string, was: Expression, is: Expression): Shares {
    const shares = new Shares();
    this.push(shares, { step, was, is, weight: 1 });
    return shares;
  }

  /** The shares in the change of a step of both derivations. If its formula became another, the step
   *  itself is the cause, provided that its name tells the reader something. */
  private ofKey(key: string): Shares {
    const known = this.known.get(key);
    if (known) return known;
    const [was, is] = [this.before.get(key)!, this.after.get(key)!];
    const within = this.ofStep(key, was, is);
    let shares = within;
    if (within.unnamed(this.tells) > othersAtMost * within.extent) {
      const difference = is.value - was.value;
      shares = new Shares();
      shares.takeovers = within.takeovers;
      shares.add(
        this.tells({ kind: 'step', key })
          ? { kind: 'step', key, from: was.value, to: is.value, ...toldOf(is), difference }
          : { kind: 'formula', key, unit: '', difference },
      );
    }
    this.known.set(key, shares);
    return shares;
  }

  /** Adds the causes of a pair's change. */
  private push(shares: Shares, pair: Pair): void {
    const { was, is, weight } = pair;
    if (weight === 0) return;
    if (isLeaf(was) && isLeaf(is) && this.pushLeaf(shares, pair)) return;
    // One derivation may write out what is a step of the other.
    if ((was.op === 'step') !== (is.op === 'step') && !this.shallow) {
      const opened = [opening(was, this.before), opening(is, this.after)] as const;
      this.push(shares, inside(pair, ...opened, weight));
      return;
    }
    const explained =
      this.pushUnary(shares, pair) ||
      this.pushLimit(shares, pair) ||
      this.pushSum(shares, pair) ||
      this.pushProduct(shares, pair);
    if (!explained) this.replace(shares, pair);
  }

  // Each of these returns whether its rule holds for the pair.

  private pushLeaf(shares: Shares, pair: Pair): boolean {
    const { step, was, is, weight } = pair;
    if (was.op !== is.op || was.key !== is.key) return false;
    const name = nameOf(is);
    const subtotals = this.shallow && [this.before, this.after].map((all) => subtotalOf(is, all));
    if (subtotals && subtotals[0] && subtotals[1]) {
      this.push(shares, inside(pair, subtotals[0], subtotals[1], weight));
    } else if (name?.kind === 'step' && !this.shallow) shares.addAll(this.ofKey(name.key), weight);
    else if (was.value !== is.value) {
      const difference = differenceOf(pair);
      if (!name) shares.add({ kind: 'formula', key: step, unit: '', difference });
      else shares.add({ ...name, from: was.value, to: is.value, ...toldOf(is), difference });
    }
    return true;
  }

  /** Roots and rounding change in proportion to their operand. */
  private pushUnary(shares: Shares, pair: Pair): boolean {
    const { step, was, is, weight } = pair;
    if (was.op !== is.op || was.args?.length !== 1) return false;
    const change = is.value - was.value;
    const within = this.ofExpressions(step, was.args[0]!, is.args![0]!);
    const { total, extent } = within;
    if (Math.abs(total) * noise > extent) shares.addAll(within, (weight * change) / total);
    else if (change !== 0) this.replace(shares, pair);
    return true;
  }

  /** A maximum or minimum changes with its active branch until another one takes over. */
  private pushLimit(shares: Shares, pair: Pair): boolean {
    const { was, is, weight } = pair;
    const op = [was, is].find((each) => each.op === 'max' || each.op === 'min')?.op;
    if (!op) return false;
    const matches = match(branchesOf(was, op), branchesOf(is, op), () => op);
    if (!matches.some(({ before, after }) => before && after)) return false;
    const active = (which: 'before' | 'after', value: number): Match<Part> =>
      matches.find((each) => each[which]?.expression.value === value)!;
    const old = active('before', was.value);
    const now = old.after?.expression.value === is.value ? old : active('after', is.value);
    if (old === now) {
      this.push(shares, inside(pair, old.before!.expression, old.after!.expression, weight));
      return true;
    }
    const [byOld, byNow] = sharesOfTakeover(op as 'max' | 'min', pair, old, now);
    for (const [part, difference] of [
      [old, byOld],
      [now, byNow],
    ] as const) {
      if (part.before && part.after) {
        const [one, other] = [part.before.expression, part.after.expression];
        const change = other.value - one.value;
        if (change !== 0)
          this.push(shares, inside(pair, one, other, (weight * difference) / change));
      } else if (difference !== 0) this.addLone(shares, pair, part, weight * difference);
    }
    shares.takeovers.push({
      takeover: {
        before: branchOf(old.before!.expression),
        after: branchOf(now.after!.expression),
      },
      influence: Math.abs(weight) * Math.max(Math.abs(was.value), Math.abs(is.value)),
    });
    return true;
  }

  private pushSum(shares: Shares, pair: Pair): boolean {
    const { was, is, weight } = pair;
    if (!isSum(was) && !isSum(is)) return false;
    const [ones, others] = [termsOf(was), termsOf(is)];
    const matches = match(ones, others, ({ sign }) => sign);
    const common = matches.some(({ before, after }) => before && after);
    if (!common && ones.length > 0 && others.length > 0) return false;
    for (const each of matches) {
      const { before, after } = each;
      if (before && after) {
        this.push(shares, inside(pair, before.expression, after.expression, weight * before.sign));
      } else {
        const { expression, sign } = (before ?? after)!;
        this.addLone(shares, pair, each, (before ? -1 : 1) * sign * weight * expression.value);
      }
    }
    return true;
  }

  private pushProduct(shares: Shares, pair: Pair): boolean {
    const { was, is, weight } = pair;
    if (!isProduct(was) && !isProduct(is)) return false;
    const matches = match(factorsOf(was), factorsOf(is), ({ power }) => power);
    if (!matches.some(({ before, after }) => before && after)) return false;
    const changes = matches.map(({ before, after }) => ({
      power: (before ?? after)!.power,
      from: before?.expression.value ?? 1,
      to: after?.expression.value ?? 1,
    }));
    const inLogarithms = was.value * is.value > 0 && changes.every(({ from, to }) => from * to > 0);
    // A factor that only one side has explains nothing about a product that is 0.
    if (!inLogarithms && matches.some(({ before, after }) => !(before && after))) return false;
    const weights = inLogarithms
      ? logarithmicWeights(changes, meanOf(was.value, is.value))
      : midpointWeights(changes);
    matches.forEach((each, index) => {
      const { before, after } = each;
      const { from, to } = changes[index]!;
      const one = weight * weights[index]!;
      if (before && after) {
        this.push(shares, inside(pair, before.expression, after.expression, one));
      } else if (from !== to) this.addLone(shares, pair, each, one * (to - from));
    });
    return true;
  }

  /** Adds the whole pair as one cause: something else stands in its place now. */
  private replace(shares: Shares, pair: Pair): void {
    const { step, was, is } = pair;
    const [one, other] = [nameOf(was), nameOf(is)];
    const difference = differenceOf(pair);
    const values = { from: was.value, to: is.value, ...toldOf(is) };
    // Plain numbers that replace each other have nothing in common.
    const alike = is.unit !== '' && is.unit === was.unit;
    const told = one && other && (alike || this.tells(one) || this.tells(other));
    if (told) shares.add({ ...one, successor: other, ...values, difference });
    else shares.add({ kind: 'formula', key: step, unit: '', difference });
  }

  /** Adds a part that only one side has; `difference` is its share in the answer's change. */
  private addLone(shares: Shares, { step }: Pair, part: Match<Part>, difference: number): void {
    const { expression } = (part.before ?? part.after)!;
    const { value } = expression;
    const place = part.before ? { from: value } : { to: value };
    const name = nameOf(expression);
    const told = name && (name.kind === 'step' || this.tells(name));
    if (told) shares.add({ ...name, ...place, ...toldOf(expression), difference });
    else shares.add({ kind: 'formula', key: step, unit: '', difference });
  }
}

/** The sum of a step that is nothing but the sum of its terms, by definition: these say more than it. */
function subtotalOf(
  { op, key }: Expression,
  steps: ReadonlyMap<string, Step>,
): Expression | undefined {
  const step = op === 'step' ? steps.get(key!) : undefined;
  return step?.source === 'definition' && isSum(step.expression) ? step.expression : undefined;
}

/** The formula of a step, in place of its name. */
const opening = (expression: Expression, steps: ReadonlyMap<string, Step>): Expression =>
  expression.op === 'step' ? steps.get(expression.key!)!.expression : expression;

/**
 * The shares of the old and the new active branch in the change of a limit. Either may have moved
 * first, so they are the mean of both orders. A branch that one side lacks is there while the other
 * moves: without it, the answer would pass through values that no limit holds.
 */
function sharesOfTakeover(
  op: 'max' | 'min',
  { was, is }: Pair,
  old: Match<Part>,
  now: Match<Part>,
): readonly [byOld: number, byNow: number] {
  const limit = Math[op];
  const firstNow = limit(was.value, is.value);
  if (!old.before || !old.after || !now.before || !now.after) {
    return [is.value - firstNow, firstNow - was.value];
  }
  const firstOld = limit(old.after.expression.value, now.before.expression.value);
  return [
    (firstOld - was.value + (is.value - firstNow)) / 2,
    (is.value - firstOld + (firstNow - was.value)) / 2,
  ];
}
