// Formulas in a row of plain text.

import type { Expression, Operator } from '../engine/index.ts';

/** Says a number, an input or an earlier step. */
type Leaf = (node: Expression) => string;

const functions: Partial<Record<Operator, string>> = {
  sqrt: '√',
  logarithm: 'ln',
  expMinusOne: 'expm1',
  nearestPowerOfTwo: 'nearestPowerOfTwo',
  powerOfTwoBelow: 'powerOfTwoBelow',
};

const signs: Partial<Record<Operator, string>> = {
  add: ' + ',
  subtract: ' − ',
  multiply: ' · ',
  divide: ' / ',
};

/** How tightly an operator binds its operands. */
const strength = (op: Operator): number =>
  op === 'add' || op === 'subtract' ? 1 : op === 'multiply' || op === 'divide' ? 2 : 3;

/** An expression in a row; brackets stand where the order would be another without. */
export function plainly(node: Expression, leaf: Leaf): string {
  const args = node.args ?? [];
  if (args.length === 0) return leaf(node);
  const sign = signs[node.op];
  if (sign) {
    return args
      .map((argument, index) => {
        const said = plainly(argument, leaf);
        const own = strength(argument.op);
        const loose = (argument.args?.length ?? 0) > 0 && own <= 2;
        const needs =
          loose &&
          (own < strength(node.op) ||
            (index > 0 &&
              own === strength(node.op) &&
              node.op !== 'add' &&
              node.op !== argument.op) ||
            (index > 0 && (node.op === 'divide' || node.op === 'subtract')));
        return needs ? `(${said})` : said;
      })
      .join(sign);
  }
  const inner = args.map((argument) => plainly(argument, leaf));
  if (node.op === 'chooseIfBelow') return inner.join(node.value > 0 ? ' < ' : ' ≥ ');
  if (node.op === 'square') return `(${inner[0]})²`;
  if (node.op === 'ceil') return `⌈${inner[0]}⌉`;
  if (node.op === 'floor') return `⌊${inner[0]}⌋`;
  return `${functions[node.op] ?? node.op}(${inner.join(', ')})`;
}
