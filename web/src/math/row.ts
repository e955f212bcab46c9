// Formulas in a row: leaves, and the joints between them.

import type { Expression, Operator } from '../engine/index.ts';

/** Functions as they are written before their brackets; others have the names of their operators. */
export const functions: Partial<Record<Operator, string>> = {
  sqrt: '√',
  cubeRoot: '∛',
  logarithm: 'ln',
  nearestPowerOfTwo: 'pow2',
  powerOfTwoBelow: 'pow2⌊⌋',
};

const infix: Partial<Record<Operator, string>> = {
  add: ' + ',
  subtract: ' − ',
  multiply: ' · ',
  divide: ' / ',
  power: '^',
};

/** The signs before and after the operands of an operator that has none between them. */
const around: Partial<Record<Operator, readonly [before: string, after: string]>> = {
  ceil: ['⌈', '⌉'],
  square: ['(', ')²'],
  floor: ['⌊', '⌋'],
  expMinusOne: ['exp(', ') − 1'],
};

/** How tightly operators bind their operands; leaves and functions need no brackets. */
const strengths: Partial<Record<Operator, number>> = {
  chooseIfBelow: 0,
  add: 1,
  subtract: 1,
  expMinusOne: 1,
  multiply: 2,
  divide: 2,
  power: 3,
};
const strength = ({ op }: Expression): number => strengths[op] ?? 4;

/** Whether an operand would be read otherwise without brackets. */
function needsBrackets(node: Expression, operand: Expression, index: number): boolean {
  const inner = strength(operand);
  if (inner !== strength(node)) return inner < strength(node);
  const anyOrder = node.op === 'add' || (node.op === 'multiply' && operand.op === 'multiply');
  return index > 0 && !anyOrder;
}

/** An expression in a row; brackets stand only where it would mean something else without. */
export function inRow<Part>(
  node: Expression,
  leaf: (node: Expression) => Part,
): readonly (Part | string)[] {
  const args = node.args ?? [];
  if (args.length === 0) return [leaf(node)];
  const joined = (
    joint: string,
    operand: (each: Expression, index: number) => readonly (Part | string)[],
  ): (Part | string)[] =>
    args.flatMap((each, index) => [...(index > 0 ? [joint] : []), ...operand(each, index)]);
  const plain = (each: Expression): readonly (Part | string)[] => inRow(each, leaf);
  const sign = infix[node.op];
  if (sign !== undefined) {
    return joined(sign, (each, index) =>
      needsBrackets(node, each, index) ? ['(', ...plain(each), ')'] : plain(each),
    );
  }
  if (node.op === 'chooseIfBelow') return joined(node.value > 0 ? ' < ' : ' ≥ ', plain);
  const [before, after] = around[node.op] ?? [`${functions[node.op] ?? node.op}(`, ')'];
  return [before, ...joined(', ', plain), after];
}
