// Formulas taken apart: the terms of a sum, the factors of a product, the branches of a limit.

import type { Expression } from '../engine/index.ts';
import type { Branch, Named, Resource } from './reason.ts';
import { namesIn } from './match.ts';

export interface Part {
  expression: Expression;
}

export interface Term extends Part {
  sign: 1 | -1;
}

interface Factor extends Part {
  power: 1 | -1;
}

export const isSum = ({ op }: Expression): boolean => op === 'add' || op === 'subtract';
export const isProduct = ({ op }: Expression): boolean => op === 'multiply' || op === 'divide';

/** The terms of a sum. A plain 0 has none. */
export function termsOf(expression: Expression, sign: 1 | -1 = 1): Term[] {
  const { op, args = [], value } = expression;
  if (!isSum(expression)) return op === 'number' && value === 0 ? [] : [{ expression, sign }];
  return args.flatMap((arg, index) => {
    const minus = op === 'subtract' && index > 0;
    return termsOf(arg, minus ? (-sign as 1 | -1) : sign);
  });
}

/** The factors of a product; those of a divisor have power -1. */
export function factorsOf(expression: Expression, power: 1 | -1 = 1): Factor[] {
  const { op, args = [] } = expression;
  if (!isProduct(expression)) return [{ expression, power }];
  return args.flatMap((arg, index) => {
    const under = op === 'divide' && index > 0;
    return factorsOf(arg, under ? (-power as 1 | -1) : power);
  });
}

/** The branches of a maximum or a minimum, `op`. */
export const branchesOf = (expression: Expression, op: string): Part[] =>
  expression.op === op
    ? (expression.args ?? []).flatMap((arg) => branchesOf(arg, op))
    : [{ expression }];

export const partsOf = (expressions: readonly Expression[]): Part[] =>
  expressions.map((expression) => ({ expression }));

/** The input or step that an expression is; undefined for operations and plain numbers. */
export const nameOf = ({ op, key }: Expression): Named | undefined =>
  (op === 'input' || op === 'step') && key !== undefined ? { kind: op, key } : undefined;

/** Resources by the fields of the chip that give their rates. */
const resources: [RegExp, Resource][] = [
  [/^chip\.peak/, 'compute'],
  [/^chip\.(memory|onChip|host)Bandwidth$/, 'memory'],
  [/^chip\.(link|scaleUp|scaleOut)Bandwidth$|^chip\.(hop|scaleOut)Latency$/, 'network'],
];

/** The branch of a limit by its name, else by the one resource whose rate it contains. */
export function branchOf(expression: Expression): Branch {
  const name = nameOf(expression);
  if (name) return { key: name.key };
  const found = resources.filter(([rate]) =>
    [...namesIn(expression)].some((each) => rate.test(each)),
  );
  const [only] = found;
  return found.length === 1 && only ? { resource: only[1] } : {};
}
