// A derivation as text: each step with its formula, the same in numbers, and its source.

import type { Explanation, Expression } from '../engine/index.ts';
import { parted } from '../math/parts.ts';
import { inRow } from '../math/row.ts';
import type { Quantity, RenderContext } from '../ui/kit/render-context.ts';

export function derivationText(ctx: RenderContext, explanation: Explanation): string {
  if (!explanation.ok) {
    return `${explanation.issues.map((issue) => ctx.issueMessage(issue)).join('\n')}\n`;
  }
  const say = (node: Expression): string => ctx.sayQuantity(node);
  const sign = (node: Expression): string =>
    node.symbol || (node.key ? ctx.answer(node.key).label : ctx.format.exactly(node.value, ''));
  /** A formula, the same in numbers, and what it comes to, one below the other. */
  const lines = (left: string, expression: Expression, comesTo: Quantity): string[] => {
    const isNumber = expression.op === 'number';
    const sides = [
      ...(isNumber ? [] : [inRow(expression, sign).join('')]),
      ...(isNumber || expression.op === 'input' ? [] : [inRow(expression, say).join('')]),
      ctx.sayQuantity(comesTo),
    ];
    return sides.map((side, place) => `${place > 0 ? ' '.repeat(left.length) : left} = ${side}`);
  };
  const steps = explanation.derivation.steps.map((step) => {
    const { key, symbol, source, expression } = step;
    // The parts that a formula names follow it, further in.
    const { whole, parts } = parted(expression);
    return [
      `${ctx.answer(key).label}  [${source}]`,
      ...lines(symbol || key, whole, step).map((line) => `  ${line}`),
      ...parts.flatMap((part) =>
        lines(part.symbol, part.expression, { ...part, value: part.expression.value }).map(
          (line) => `    ${line}`,
        ),
      ),
      '',
    ].join('\n');
  });
  return steps.join('\n');
}
