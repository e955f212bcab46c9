// Matches the parts of two formulas, whose numbers may differ.

import type { Expression } from '../engine/index.ts';

/** A part of one formula beside that of the other; one is missing where the other has no such part. */
export type Match<Part> =
  { before: Part; after: Part } | { before: Part; after?: never } | { before?: never; after: Part };

const shapes = new WeakMap<Expression, number>();
/** Numbers of shapes by how they are put together. */
const numbers = new Map<string, number>();

/** A number for how an expression is built, whatever its values are. */
export function shapeOf(expression: Expression): number {
  const known = shapes.get(expression);
  if (known !== undefined) return known;
  const { op, key, unit, args = [] } = expression;
  const built = isLeaf(expression) ? `${op} ${key ?? unit}` : `${op}(${args.map(shapeOf).join()})`;
  const shape = numbers.get(built) ?? numbers.size;
  numbers.set(built, shape);
  shapes.set(expression, shape);
  return shape;
}

export const isLeaf = ({ op }: Expression): boolean =>
  op === 'number' || op === 'input' || op === 'step';

const leaves = new WeakMap<Expression, ReadonlySet<string>>();

/** The inputs and steps that a formula names. */
export function namesIn(expression: Expression): ReadonlySet<string> {
  const known = leaves.get(expression);
  if (known) return known;
  const { key, args = [] } = expression;
  const names = new Set(key === undefined ? args.flatMap((arg) => [...namesIn(arg)]) : [key]);
  leaves.set(expression, names);
  return names;
}

/** The fraction of names that two formulas share, from 0 to 1. */
function likeness(one: Expression, other: Expression): number {
  const [first, second] = [namesIn(one), namesIn(other)];
  const common = [...first].filter((name) => second.has(name)).length;
  return common / Math.max(1, first.size + second.size - common);
}

/** Parts that have less in common are not one part that changed. */
const alike = 1 / 3;

/**
 * Brings together those of the same kind and shape, in their order, then those that have most in
 * common, and at last what is left over if that is one part on each side.
 */
export function match<Part extends { expression: Expression }>(
  before: readonly Part[],
  after: readonly Part[],
  kindOf: (part: Part) => unknown,
): Match<Part>[] {
  const built = (part: Part): string => `${kindOf(part)} ${shapeOf(part.expression)}`;
  // Mostly nothing but values changed.
  if (before.map(built).join() === after.map(built).join()) {
    return before.map((part, index) => ({ before: part, after: after[index]! }));
  }
  const matches: Match<Part>[] = [];
  const ones = [...before];
  const others = [...after];
  const join = (one: Part, other: Part): void => {
    matches.push({ before: one, after: other });
    ones.splice(ones.indexOf(one), 1);
    others.splice(others.indexOf(other), 1);
  };
  const sameKind = (one: Part, other: Part): boolean => kindOf(one) === kindOf(other);
  const sameShape = (one: Part, other: Part): boolean => built(one) === built(other);
  // Numbers have no names to go by: the same number is rather the same part than another is.
  const same = (one: Part, other: Part): boolean =>
    sameShape(one, other) && one.expression.value === other.expression.value;
  for (const rule of [same, sameShape]) {
    for (const one of [...ones]) {
      const other = others.find((each) => rule(one, each));
      if (other) join(one, other);
    }
  }
  for (;;) {
    const pairs = ones.flatMap((one) =>
      others
        .filter((other) => sameKind(one, other))
        .map((other) => ({ one, other, like: likeness(one.expression, other.expression) })),
    );
    const best = pairs.reduce<(typeof pairs)[number] | undefined>(
      (most, pair) => (pair.like > (most?.like ?? alike) ? pair : most),
      undefined,
    );
    if (!best) break;
    join(best.one, best.other);
  }
  const [one, other] = [ones[0], others[0]];
  if (ones.length === 1 && others.length === 1 && one && other && sameKind(one, other)) {
    join(one, other);
  }
  return [
    ...matches,
    ...ones.map((part): Match<Part> => ({ before: part })),
    ...others.map((part): Match<Part> => ({ after: part })),
  ];
}
