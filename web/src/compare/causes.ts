// Why an answer changed: which of the terms that it is derived from moved, and by how much that
// moved the answer. The shares of all causes add up to the whole change.

import type { Derivation, Expression, Step } from '../engine/index.ts';
import { isLeaf, match, namesIn, shapeOf, type Match } from './match.ts';

/** An input, `group.key`, or a step. */
export interface Named {
  kind: 'input' | 'step';
  key: string;
}

/** What moved an answer. */
export interface Cause {
  /** An input; a step that is now made otherwise; or, of the answer's own formula, what is neither. */
  kind: 'input' | 'step' | 'formula';
  /** Of an input `group.key`, of a step its key, else that of the answer. */
  key: string;
  /** What stands in its place now, where that is something else. */
  successor?: Named;
  /** Nothing where there was no such part, or is none. */
  from?: number;
  to?: number;
  unit: string;
  /** How much of the answer's change is due to it. */
  difference: number;
}

/** Of what was the longest (or the least), another is now. */
export interface Takeover {
  before: Branch;
  after: Branch;
}

/** What a limit is made of: a step or an input by its key, or what a chip does at its own rate. */
export interface Branch {
  key?: string;
  resource?: Resource;
}

export type Resource = 'compute' | 'memory' | 'network';

/** A comparison that came out otherwise: whether the left is below the right. */
export interface Verdict {
  left: Side;
  right: Side;
  below: boolean;
}

export interface Side {
  key?: string;
  kind?: 'input' | 'step';
  from?: number;
  to: number;
  unit: string;
  /** What moved it, where it moved; differences are of its own value. */
  causes: Cause[];
}

export interface Reason {
  /** The answer's. */
  key: string;
  unit: string;
  from: number;
  to: number;
  /** What it comes down to: inputs, and what no input tells; the largest share first. A choice
   *  has verdicts instead. */
  causes: Cause[];
  /** The same by the terms of the answer's own formula. */
  terms: Cause[];
  takeovers: Takeover[];
  verdicts: Verdict[];
}

/** Shares of a change that differ by less are the same. */
const alike = 1e-6;

/** Whether two answers changed for the same causes, each with the same share of the change: one
 *  may be made of the other, as a cost is of a time. */
export function isSameReason(one: Reason, other: Reason): boolean {
  const [ones, others] = [one, other].map(({ causes, from, to }) => {
    const share = ({ difference }: Cause): number => difference / (to - from);
    return new Map(causes.map((cause) => [sharedIdOf(cause), share(cause)]));
  }) as [Map<string, number>, Map<string, number>];
  if (ones.size === 0 || ones.size !== others.size) return false;
  return [...ones].every(([id, share]) => Math.abs(share - (others.get(id) ?? NaN)) < alike);
}

const idOf = ({ kind, key, successor }: Cause): string => `${kind} ${key} ${successor?.key}`;

/** What no name stands for is of each answer itself. */
const sharedIdOf = (cause: Cause): string => (cause.kind === 'formula' ? 'formula' : idOf(cause));

/** Takeovers in what is less of the answer than this are not told. */
const worthSaying = 0.05;

/** Whether a part may be named as a cause where the formula became another: a step that means
 *  something to the reader, an input that is not what it was. */
export type Tells = (part: Named) => boolean;

/** Undefined where one of the two has no value, and so no derivation. */
export function reasonOf(
  before: Derivation,
  after: Derivation,
  tells: Tells = () => true,
): Reason | undefined {
  const [was, is] = [before.steps[0], after.steps[0]];
  if (!was || !is) return undefined;
  const whole = new Comparison(before, after, tells);
  const values = { key: is.key, unit: is.unit, from: was.value, to: is.value };
  if (is.choice !== undefined) {
    return { ...values, causes: [], terms: [], takeovers: [], verdicts: whole.verdicts(was, is) };
  }
  const shares = whole.ofStep(was.key, was, is);
  const terms = new Comparison(before, after, tells, true).ofStep(was.key, was, is);
  // What no name stands for is better told by the terms, if these have names.
  const named = [shares, terms].map((each) => each.unnamed(tells) <= othersAtMost * each.extent);
  return {
    ...values,
    causes: (named[1] && !named[0] ? terms : shares).sorted(was.key),
    terms: terms.sorted(was.key),
    takeovers: shares.toldTakeovers(Math.max(Math.abs(was.value), Math.abs(is.value))),
    verdicts: [],
  };
}

/** The logarithmic mean: a change of size x in the logarithm is one of size x · mean. */
export function meanOf(a: number, b: number): number {
  const ratio = b / a;
  // Near 1 the quotient of two small numbers says little: its series says more.
  const d = ratio - 1;
  if (Math.abs(d) < 1e-4) return a * (1 + d / 2 - (d * d) / 12);
  return (b - a) / Math.log(ratio);
}

/** How much of a change is due to what. */
class Shares {
  private readonly causes = new Map<string, Cause>();
  /** With how much of the answer each is about. */
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

  /** How far it goes to and fro. */
  get extent(): number {
    return this.sum(Math.abs);
  }

  /** How far what no name stands for does, or none that tells anything. */
  unnamed(tells: Tells): number {
    return this.sum((difference, { kind, key }) =>
      kind === 'input' || (kind === 'step' && tells({ kind, key })) ? 0 : Math.abs(difference),
    );
  }

  private sum(of: (difference: number, cause: Cause) => number): number {
    return [...this.causes.values()].reduce((sum, cause) => sum + of(cause.difference, cause), 0);
  }

  /** Those that say something, of what counts in an answer of this size, each once. */
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

  /** The greatest first. What no name stands for is one, of the answer itself. */
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

interface Term {
  expression: Expression;
  sign: 1 | -1;
}

interface Factor {
  expression: Expression;
  power: 1 | -1;
}

/** Of a step's shares, what may go to no name before the step is told in place of them all. */
const othersAtMost = 0.05;

/** Shares that go to and fro this much more than they come to are noise. */
const noise = 1e6;

class Comparison {
  private readonly before: ReadonlyMap<string, Step>;
  private readonly after: ReadonlyMap<string, Step>;
  private readonly known = new Map<string, Shares>();

  constructor(
    before: Derivation,
    after: Derivation,
    private readonly tells: Tells,
    /** Whether steps are told as they are, not by what they come from. */
    private readonly shallow = false,
  ) {
    this.before = byKey(before);
    this.after = byKey(after);
  }

  ofStep(key: string, was: Step, is: Step): Shares {
    const shares = new Shares();
    this.push(shares, key, was.expression, is.expression, 1);
    return shares;
  }

  /** Of a step that both derivations have; one that is made of other things now is told as it is,
   *  if that tells anything. */
  private ofKey(key: string): Shares {
    const known = this.known.get(key);
    if (known) return known;
    const [was, is] = [this.before.get(key)!, this.after.get(key)!];
    const inside = this.ofStep(key, was, is);
    let shares = inside;
    if (inside.unnamed(this.tells) > othersAtMost * inside.extent) {
      const difference = is.value - was.value;
      shares = new Shares();
      shares.takeovers = inside.takeovers;
      shares.add(
        this.tells({ kind: 'step', key })
          ? { kind: 'step', key, from: was.value, to: is.value, unit: is.unit, difference }
          : { kind: 'formula', key, unit: '', difference },
      );
    }
    this.known.set(key, shares);
    return shares;
  }

  /** Adds what `weight` times the change of a part is due to; `step` is the one it is a part of. */
  private push(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): void {
    if (weight === 0) return;
    if (isLeaf(was) && isLeaf(is) && this.pushLeaf(shares, step, was, is, weight)) return;
    // A step of the one may be written out in the other.
    if ((was.op === 'step') !== (is.op === 'step') && !this.shallow) {
      this.push(shares, step, this.opened(was, this.before), this.opened(is, this.after), weight);
      return;
    }
    const explained =
      this.pushUnary(shares, step, was, is, weight) ||
      this.pushLimit(shares, step, was, is, weight) ||
      this.pushSum(shares, step, was, is, weight) ||
      this.pushProduct(shares, step, was, is, weight);
    if (!explained) this.replace(shares, step, was, is, weight);
  }

  private opened(expression: Expression, steps: ReadonlyMap<string, Step>): Expression {
    return expression.op === 'step' ? steps.get(expression.key!)!.expression : expression;
  }

  private pushLeaf(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): boolean {
    if (was.op !== is.op || was.key !== is.key) return false;
    const name = nameOf(is);
    if (name?.kind === 'step' && !this.shallow) shares.addAll(this.ofKey(name.key), weight);
    else if (was.value !== is.value) {
      const difference = weight * (is.value - was.value);
      if (!name) shares.add({ kind: 'formula', key: step, unit: '', difference });
      else shares.add({ ...name, from: was.value, to: is.value, unit: is.unit, difference });
    }
    return true;
  }

  /** Something else stands in the place of what was there. */
  private replace(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): void {
    const [one, other] = [nameOf(was), nameOf(is)];
    const difference = weight * (is.value - was.value);
    const values = { from: was.value, to: is.value, unit: is.unit };
    // Plain numbers in each other's place have nothing in common.
    const alike = is.unit !== '' && is.unit === was.unit;
    const told = one && other && (alike || this.tells(one) || this.tells(other));
    if (told) shares.add({ ...one, successor: other, ...values, difference });
    else shares.add({ kind: 'formula', key: step, unit: '', difference });
  }

  /** A part that only one of the two has; `difference` is what the answer has from it. */
  private lone(
    shares: Shares,
    step: string,
    part: Match<{ expression: Expression }>,
    difference: number,
  ): void {
    const { expression } = (part.before ?? part.after)!;
    const { value, unit } = expression;
    const place = part.before ? { from: value } : { to: value };
    const name = nameOf(expression);
    const told = name && (name.kind === 'step' || this.tells(name));
    if (told) shares.add({ ...name, ...place, unit, difference });
    else shares.add({ kind: 'formula', key: step, unit: '', difference });
  }

  // ---- operations

  /** Roots, rounding: along the line between the two. */
  private pushUnary(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): boolean {
    if (was.op !== is.op || was.args?.length !== 1) return false;
    const change = is.value - was.value;
    const inside = new Shares();
    this.push(inside, step, was.args[0]!, is.args![0]!, 1);
    const { total, extent } = inside;
    if (Math.abs(total) * noise > extent) shares.addAll(inside, (weight * change) / total);
    else if (change !== 0) this.replace(shares, step, was, is, weight);
    return true;
  }

  /** The longest or the least of several: what it was moves until another takes over. */
  private pushLimit(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): boolean {
    const op = [was, is].find((each) => each.op === 'max' || each.op === 'min')?.op;
    if (!op) return false;
    const [ones, others] = [branches(was, op), branches(is, op)];
    const matches = match(ones, others, () => op);
    if (!matches.some(({ before, after }) => before && after)) return false;
    const active = (which: 'before' | 'after', value: number): Match<{ expression: Expression }> =>
      matches.find((each) => each[which]?.expression.value === value)!;
    const old = active('before', was.value);
    const now = old.after?.expression.value === is.value ? old : active('after', is.value);
    if (old === now) {
      this.push(shares, step, old.before!.expression, old.after!.expression, weight);
      return true;
    }
    // Either may have moved first: the mean of both ways. One that the other state has not got is
    // no limit there.
    const none = op === 'max' ? -Infinity : Infinity;
    const limit = Math[op as 'max' | 'min'];
    const values = ({ before, after }: Match<{ expression: Expression }>): [number, number] => [
      before?.expression.value ?? none,
      after?.expression.value ?? none,
    ];
    const [a0, a1] = values(old);
    const [b0, b1] = values(now);
    const between = (one: number, other: number): number => {
      const value = limit(one, other);
      return Number.isFinite(value) ? value : (was.value + is.value) / 2;
    };
    const firstOld = between(a1, b0);
    const firstNow = between(a0, b1);
    const byOld = (firstOld - was.value + (is.value - firstNow)) / 2;
    const byNow = (is.value - firstOld + (firstNow - was.value)) / 2;
    for (const [part, difference] of [
      [old, byOld],
      [now, byNow],
    ] as const) {
      if (part.before && part.after) {
        const change = part.after.expression.value - part.before.expression.value;
        if (change !== 0) {
          const { before, after } = part;
          this.push(
            shares,
            step,
            before.expression,
            after.expression,
            (weight * difference) / change,
          );
        }
      } else if (difference !== 0) this.lone(shares, step, part, weight * difference);
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

  private pushSum(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): boolean {
    if (!isSum(was) && !isSum(is)) return false;
    const [ones, others] = [terms(was), terms(is)];
    const matches = match(ones, others, ({ sign }) => sign);
    const common = matches.some(({ before, after }) => before && after);
    if (!common && ones.length > 0 && others.length > 0) return false;
    for (const each of matches) {
      const { before, after } = each;
      if (before && after) {
        this.push(shares, step, before.expression, after.expression, weight * before.sign);
      } else {
        const { expression, sign } = (before ?? after)!;
        this.lone(shares, step, each, (before ? -1 : 1) * sign * weight * expression.value);
      }
    }
    return true;
  }

  private pushProduct(
    shares: Shares,
    step: string,
    was: Expression,
    is: Expression,
    weight: number,
  ): boolean {
    if (!isProduct(was) && !isProduct(is)) return false;
    const matches = match(factors(was), factors(is), ({ power }) => power);
    if (!matches.some(({ before, after }) => before && after)) return false;
    const pairs = matches.map((each) => ({
      each,
      power: (each.before ?? each.after)!.power,
      from: each.before?.expression.value ?? 1,
      to: each.after?.expression.value ?? 1,
    }));
    const inLogarithms = was.value * is.value > 0 && pairs.every(({ from, to }) => from * to > 0);
    const weights = inLogarithms
      ? logarithmicWeights(pairs, meanOf(was.value, is.value))
      : midpointWeights(pairs);
    pairs.forEach(({ each, from, to }, index) => {
      const { before, after } = each;
      const one = weight * weights[index]!;
      if (before && after) this.push(shares, step, before.expression, after.expression, one);
      else if (from !== to) this.lone(shares, step, each, one * (to - from));
    });
    return true;
  }

  // ---- choices

  /** The comparisons behind a choice that came out otherwise. */
  verdicts(was: Step, is: Step): Verdict[] {
    const verdicts: Verdict[] = [];
    const seen = new Set<string>();
    const walk = (one: Expression | undefined, other: Expression): void => {
      if (one?.value === other.value) return;
      const { op, key, choice, args = [] } = other;
      if (op === 'step' && choice !== undefined) {
        if (seen.has(key!)) return;
        seen.add(key!);
        const earlier = one?.key === key ? this.before.get(key!)?.expression : undefined;
        walk(earlier, this.after.get(key!)!.expression);
        return;
      }
      const earlier = one?.op === op ? (one.args ?? []) : [];
      if (op === 'chooseIfBelow') {
        const [left, right] = [0, 1].map((index) => this.side(earlier[index], args[index]!));
        const below = args[0]!.value < args[1]!.value;
        verdicts.push({ left: left!, right: right!, below });
        return;
      }
      for (const { before, after } of match(asParts(earlier), asParts(args), () => op)) {
        // Of several, the one that decides now; where that gave way, the one that decided before too.
        const gave = op === 'max' ? one && one.value > other.value : one && one.value < other.value;
        const decides =
          (op !== 'max' && op !== 'min') ||
          after?.expression.value === other.value ||
          (gave && before?.expression.value === one?.value);
        if (after && decides) walk(before?.expression, after.expression);
      }
    };
    walk(was.expression, is.expression);
    return verdicts;
  }

  private side(was: Expression | undefined, is: Expression): Side {
    const told = { ...nameOf(is), to: is.value, unit: is.unit };
    if (!was || shapeOf(was) !== shapeOf(is)) return { ...told, causes: [] };
    const shares = new Shares();
    this.push(shares, is.key ?? '', was, is, 1);
    return { ...told, from: was.value, causes: shares.sorted(is.key ?? '') };
  }
}

interface Pair {
  power: 1 | -1;
  from: number;
  to: number;
}

/** Of a product's logarithm each factor has its own: weights that turn differences into these. */
const logarithmicWeights = (pairs: readonly Pair[], mean: number): number[] =>
  pairs.map(({ power, from, to }) => (power * mean) / meanOf(from, to));

/** Where a factor is 0 or changes its sign, there is no logarithm: the others stay halfway. */
function midpointWeights(pairs: readonly Pair[]): number[] {
  const raised = pairs.map(({ power, from, to }) =>
    power > 0
      ? { from, to, slope: 1 }
      : { from: 1 / from, to: 1 / to, slope: from === to ? 0 : -1 / (from * to) },
  );
  // One factor after another joins the product of those before.
  const weights: number[] = [];
  let product: { from: number; to: number } | undefined;
  for (const { from, to, slope } of raised) {
    const mine = product ? (product.from + product.to) / 2 : 1;
    const theirs = (from + to) / 2;
    weights.forEach((weight, index) => (weights[index] = weight * theirs));
    weights.push(mine * slope);
    product = { from: from * (product?.from ?? 1), to: to * (product?.to ?? 1) };
  }
  return weights;
}

const byKey = ({ steps }: Derivation): ReadonlyMap<string, Step> =>
  new Map(steps.map((step) => [step.key, step]));

const isSum = ({ op }: Expression): boolean => op === 'add' || op === 'subtract';
const isProduct = ({ op }: Expression): boolean => op === 'multiply' || op === 'divide';

/** What a sum adds; what is not there is a 0. */
function terms(expression: Expression, sign: 1 | -1 = 1): Term[] {
  const { op, args = [], value } = expression;
  if (!isSum(expression)) return op === 'number' && value === 0 ? [] : [{ expression, sign }];
  return args.flatMap((arg, index) => {
    const minus = op === 'subtract' && index > 0;
    return terms(arg, minus ? (-sign as 1 | -1) : sign);
  });
}

/** What a product multiplies and divides. */
function factors(expression: Expression, power: 1 | -1 = 1): Factor[] {
  const { op, args = [] } = expression;
  if (!isProduct(expression)) return [{ expression, power }];
  return args.flatMap((arg, index) => {
    const under = op === 'divide' && index > 0;
    return factors(arg, under ? (-power as 1 | -1) : power);
  });
}

const branches = (expression: Expression, op: string): { expression: Expression }[] =>
  expression.op === op
    ? (expression.args ?? []).flatMap((arg) => branches(arg, op))
    : [{ expression }];

const asParts = (expressions: readonly Expression[]): { expression: Expression }[] =>
  expressions.map((expression) => ({ expression }));

const nameOf = ({ op, key }: Expression): Named | undefined =>
  (op === 'input' || op === 'step') && key !== undefined ? { kind: op, key } : undefined;

/** Rates by what works at them. */
const resources: [RegExp, Resource][] = [
  [/^chip\.peak/, 'compute'],
  [/^chip\.(memory|onChip|host)Bandwidth$/, 'memory'],
  [/^chip\.(link|scaleUp|scaleOut)Bandwidth$|^chip\.(hop|scaleOut)Latency$/, 'network'],
];

function branchOf(expression: Expression): Branch {
  const name = nameOf(expression);
  if (name) return { key: name.key };
  const found = resources.filter(([rate]) =>
    [...namesIn(expression)].some((each) => rate.test(each)),
  );
  const [only] = found;
  return found.length === 1 && only ? { resource: only[1] } : {};
}
