// A derivation as text: each step with its formula, the same in numbers, and its source.

import type { Explanation, Expression } from '../engine/index.ts';
import { inRow } from '../math/row.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';

export function derivationText(ctx: RenderContext, explanation: Explanation): string {
  if (!explanation.ok) {
    return `${explanation.issues.map((issue) => ctx.issueMessage(issue)).join('\n')}\n`;
  }
  const say = (node: Expression): string => ctx.sayQuantity(node);
  const sign = (node: Expression): string =>
    node.symbol || (node.key ? ctx.answer(node.key).label : ctx.format.exactly(node.value, ''));
  const steps = explanation.derivation.steps.map((step) => {
    const { key, symbol, source, expression } = step;
    const left = symbol || key;
    const made = expression.op !== 'number' && expression.op !== 'input';
    return [
      `${ctx.answer(key).label}  [${source}]`,
      ...(expression.op === 'number' ? [] : [`  ${left} = ${inRow(expression, sign).join('')}`]),
      ...(made ? [`  ${' '.repeat(left.length)} = ${inRow(expression, say).join('')}`] : []),
      `  ${expression.op === 'number' ? left : ' '.repeat(left.length)} = ${ctx.sayQuantity(step)}`,
      '',
    ].join('\n');
  });
  return steps.join('\n');
}
