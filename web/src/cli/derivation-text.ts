// A derivation as text: each step with its formula, the same in numbers, and its source.

import type { Explanation, Expression } from '../engine/index.ts';
import { inRow } from '../math/row.ts';
import type { RenderContext } from '../ui/kit/render-context.ts';

export function derivationText(ctx: RenderContext, explanation: Explanation): string {
  if (!explanation.ok) {
    return `${explanation.issues.map((issue) => ctx.issueMessage(issue)).join('\n')}\n`;
  }
  const say = ({ key = '', value, unit, choice }: Expression): string =>
    choice ? ctx.choiceOfAnswer(key, choice) : ctx.format.say(value, ctx.spokenUnit(key, unit));
  const sign = (node: Expression): string =>
    node.symbol || (node.key ? ctx.answer(node.key).label : ctx.format.exactly(node.value, ''));
  const steps = explanation.derivation.steps.map(
    ({ key, symbol, unit, value, choice, source, expression }) => {
      const left = symbol || key;
      const made = expression.op !== 'number' && expression.op !== 'input';
      const result = say({ op: 'step', key, value, unit, ...(choice && { choice }) });
      return [
        `${ctx.answer(key).label}  [${source}]`,
        ...(expression.op === 'number' ? [] : [`  ${left} = ${inRow(expression, sign).join('')}`]),
        ...(made ? [`  ${' '.repeat(left.length)} = ${inRow(expression, say).join('')}`] : []),
        `  ${expression.op === 'number' ? left : ' '.repeat(left.length)} = ${result}`,
        '',
      ].join('\n');
    },
  );
  return steps.join('\n');
}
