import { mathml, type TemplateResult } from 'lit';
import type { Expression } from '../engine/index.ts';
import { functions } from './row.ts';
import { symbol } from './symbol.ts';

/** Draws a leaf (a number, an input, another step) by its symbol or by its value. */
export type Leaf = (node: Expression) => TemplateResult;

/** A choice, such as a bound, has no symbol but a name. */
export const bySymbol =
  (number: (node: Expression) => string, name: (node: Expression) => string): Leaf =>
  (node) => {
    if (node.choice) return mathml`<mtext>${name(node)}</mtext>`;
    return node.symbol ? symbol(node.symbol) : mathml`<mn>${number(node)}</mn>`;
  };

export const byValue =
  (number: (node: Expression) => string): Leaf =>
  (node) =>
    mathml`<mn>${number(node)}</mn>`;

const infix: Record<string, string> = { add: '+', subtract: '−' };
const fences: Record<string, [string, string]> = { ceil: ['⌈', '⌉'], floor: ['⌊', '⌋'] };

/** An expression as MathML: fractions of fractions as one, and no more brackets than it needs. */
export function formula(node: Expression, leaf: Leaf): TemplateResult {
  const args = node.args ?? [];
  switch (node.op) {
    case 'number':
    case 'input':
    case 'step':
      return leaf(node);
    case 'multiply':
    case 'divide': {
      const { over, under } = factors(node);
      if (under.length === 0) return product(over, leaf);
      return mathml`<mfrac>${product(over, leaf)}${product(under, leaf)}</mfrac>`;
    }
    case 'add':
    case 'subtract':
      return row(
        args.map((arg, index) =>
          isSum(arg) && node.op === 'subtract' && index > 0
            ? fenced('(', arg, ')', leaf)
            : formula(arg, leaf),
        ),
        infix[node.op]!,
      );
    case 'square':
      return mathml`<msup>${atom(args[0]!, leaf)}<mn>2</mn></msup>`;
    case 'power':
      return mathml`<msup>${atom(args[0]!, leaf)}${formula(args[1]!, leaf)}</msup>`;
    case 'logarithm':
      return mathml`<mrow><mi>ln</mi>${fenced('(', args[0]!, ')', leaf)}</mrow>`;
    case 'sqrt':
      return mathml`<msqrt>${formula(args[0]!, leaf)}</msqrt>`;
    case 'cubeRoot':
      return mathml`<mroot>${formula(args[0]!, leaf)}<mn>3</mn></mroot>`;
    case 'ceil':
    case 'floor': {
      const [open, close] = fences[node.op]!;
      return fenced(open, args[0]!, close, leaf);
    }
    case 'expMinusOne':
      return mathml`<mrow><msup><mi>e</mi>${formula(args[0]!, leaf)}</msup><mo>−</mo><mn>1</mn></mrow>`;
    case 'chooseIfBelow':
      return row(
        args.map((arg) => formula(arg, leaf)),
        node.value > 0 ? '<' : '≥',
      );
    default:
      return mathml`<mrow><mi>${functions[node.op] ?? node.op}</mi><mo>(</mo>${row(
        args.map((arg) => formula(arg, leaf)),
        ',',
      )}<mo>)</mo></mrow>`;
  }
}

/** The factors above and below the line of a fraction. */
function factors(node: Expression): { over: Expression[]; under: Expression[] } {
  const args = (node.args ?? []).map(factors);
  if (node.op === 'multiply') {
    return {
      over: args.flatMap(({ over }) => over),
      under: args.flatMap(({ under }) => under),
    };
  }
  const [left, right] = args;
  if (node.op === 'divide' && left && right) {
    return { over: [...left.over, ...right.under], under: [...left.under, ...right.over] };
  }
  return { over: [node], under: [] };
}

function product(factors: Expression[], leaf: Leaf): TemplateResult {
  if (factors.length === 1) return mathml`<mrow>${formula(factors[0]!, leaf)}</mrow>`;
  return row(
    factors.map((factor) =>
      isSum(factor) ? fenced('(', factor, ')', leaf) : formula(factor, leaf),
    ),
    '·',
  );
}

/** What an exponent stands on: in brackets, unless it is one thing. */
const atom = (node: Expression, leaf: Leaf): TemplateResult =>
  node.args ? fenced('(', node, ')', leaf) : formula(node, leaf);

export const isSum = ({ op }: Expression): boolean =>
  op === 'add' || op === 'subtract' || op === 'expMinusOne';

export function fenced(open: string, node: Expression, close: string, leaf: Leaf): TemplateResult {
  return mathml`<mrow><mo>${open}</mo>${formula(node, leaf)}<mo>${close}</mo></mrow>`;
}

function row(parts: TemplateResult[], sign: string): TemplateResult {
  return mathml`<mrow>${parts.map((part, index) =>
    index === 0 ? part : mathml`<mo>${sign}</mo>${part}`,
  )}</mrow>`;
}
