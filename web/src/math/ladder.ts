import { html, mathml, nothing, type TemplateResult } from 'lit';
import type { Expression, Step } from '../engine/index.ts';
import type { Scope } from '../elements/scope.ts';
import { isPercent } from '../state/presentation.ts';
import { sourceOf } from '../state/sources.ts';
import { bySymbol, byValue, formula, type Leaf } from './formula.ts';
import { symbol } from './symbol.ts';

type Quantity = { key?: string; value: number; unit: string; choice?: string };

/** How a result came about: the result on top, below it what it was made from, then the sources. */
export function ladder(scope: Scope, steps: readonly Step[]): TemplateResult {
  const sources = [...new Set(steps.map(({ source }) => source))];
  const say = ({ key, value, unit, choice }: Quantity): string =>
    choice
      ? scope.choiceOfAnswer(key ?? '', choice)
      : scope.format.say(value, key && isPercent(key) ? '%' : unit);
  const name = ({ key }: Expression): string => (key ? scope.answer(key).label : '');
  // A constant of a formula is read as part of it: its unit only shows where numbers are put in.
  const constant = ({ value }: Expression): string => scope.format.exactly(value, '');
  return html`<ol class="ladder">
      ${steps.map(({ key, symbol: sign, unit, value, choice, source, expression }) => {
        const made = expression.op !== 'number' && expression.op !== 'input';
        const place = sources.indexOf(source) + 1;
        const { label } = scope.answer(key);
        return html`<li>
          <p class="step">
            ${label}
            <span title=${sourceOf(source, scope.text)?.title ?? source}>[${place}]</span>
          </p>
          <div class="lines" tabindex="0" role="group" aria-label=${label}>
            ${chain(sign ? symbol(sign) : mathml`<mtext>${label}</mtext>`, expression, bySymbol(constant, name))}
            ${made ? chain(nothing, expression, byValue(say)) : nothing}
            ${line(
              mathml`<mo>${choice ? '⇒' : '='}</mo><mn>${say({ key, value, unit, ...(choice && { choice }) })}</mn>`,
              choice ? '' : scope.format.exactly(value, unit),
            )}
          </div>
        </li>`;
      })}
    </ol>
    <ol class="sources">
      ${sources.map((id, index) => {
        const source = sourceOf(id, scope.text);
        const title = source?.title ?? id;
        return html`<li>
          [${index + 1}]
          ${
            source?.url
              ? html`<a href=${source.url} rel="noreferrer" target="_blank">${title}</a>`
              : title
          }
        </li>`;
      })}
    </ol>`;
}

/** Each side of an equals sign, and each term of a sum, is a line of its own, so that it can wrap. */
function chain(
  left: TemplateResult | typeof nothing,
  expression: Expression,
  leaf: Leaf,
): TemplateResult[] {
  const terms = expression.op === 'add' ? (expression.args ?? []) : [expression];
  return terms.map((term, index) =>
    line(
      index === 0
        ? mathml`${left}<mo>=</mo>${formula(term, leaf)}`
        : mathml`<mo form="infix">+</mo>${formula(term, leaf)}`,
    ),
  );
}

function line(content: TemplateResult, title = ''): TemplateResult {
  return html`<math displaystyle="true" title=${title || nothing}
    >${mathml`<mrow>${content}</mrow>`}</math
  >`;
}
