import { html, mathml, nothing, type TemplateResult } from 'lit';
import type { Expression, Step } from '../../../engine/index.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { inSlices } from '../../kit/in-slices.ts';
import type { Quantity, RenderContext } from '../../kit/render-context.ts';
import { ownValue } from '../../../model/own-value.ts';
import { sourceOf } from '../../../model/sources.ts';
import { bySymbol, byValue, fenced, formula, isSum, type Leaf } from '../../../math/formula.ts';
import { parted, sizeOf, type Part } from '../../../math/parts.ts';
import { symbol } from '../../../math/symbol.ts';

/** More parts of one step are folded: they take thousands of elements, and seconds to lay out. */
const mostParts = 12;

/** The weight of a step without its formulas, in nodes of expressions. */
const perItem = 8;

/** A derivation: what the answers are, the result, below it the steps behind it, then the sources. */
export function drawDerivation(
  ctx: RenderContext,
  steps: readonly Step[],
  answers: readonly string[],
): TemplateResult {
  const sources = [...new Set(steps.map(({ source }) => source))];
  /** What items and sources are drawn of, beside the formulas: callers may list the steps anew. */
  const told = [sources.join(), ctx.text, ctx.text.sources];
  const say = (quantity: Quantity): string => ctx.sayQuantity(quantity);
  const name = ({ key }: Expression): string => (key ? ctx.answer(key).label : '');
  /** Each side of an equals sign, and each piece of it, is a line of its own, so that it can wrap. */
  const chain = (
    left: TemplateResult | typeof nothing,
    expression: Expression,
    leaf: Leaf,
  ): unknown[] =>
    pieces(expression).map(({ node, before, after, isFenced }, index) =>
      inSlices([expression, ctx.text], sizeOf(node), () => {
        const said = isFenced ? fenced('(', node, ')', leaf) : formula(node, leaf);
        const equals = index === 0 ? mathml`${left}<mo>=</mo>` : nothing;
        return line(mathml`${equals}${before}${said}${after}`);
      }),
    );
  /** A part of a formula, below it. */
  const renderPart = ({ symbol: sign, unit, expression }: Part, label: string): TemplateResult =>
    html`<div class="lines" tabindex="0" role="group" aria-label=${label}>
      ${chain(symbol(sign), expression, bySymbol(constant, name))}
      ${chain(nothing, expression, byValue(say))}
      ${line(
        mathml`<mo>=</mo><mn>${say({ value: expression.value, unit })}</mn>`,
        ctx.format.exactly(expression.value, unit),
      )}
    </div>`;
  const renderParts = (key: string, parts: readonly Part[], label: string): unknown => {
    const all = (): unknown[] =>
      parts.map((part) => {
        return inSlices([part.expression, ctx.text], 1, () => renderPart(part, label));
      });
    if (parts.length <= mostParts) return all();
    const summary = html`${ctx.fill(ctx.text.ui.partsInside, { n: ctx.format.count(parts.length) })}`;
    return disclosure(ctx, { part: `parts ${key}`, kind: 'parts', summary }, all);
  };
  // A constant of a formula is read as part of it: its unit only shows where numbers are put in.
  const constant = ({ value }: Expression): string => ctx.format.exactly(value, '');
  const renderStep = (step: Step, label: string): TemplateResult => {
    const { key, symbol: sign, unit, value, choice, expression } = step;
    const made = expression.op !== 'number' && expression.op !== 'input';
    const { whole: main, parts } = parted(expression);
    return html`<div class="lines" tabindex="0" role="group" aria-label=${label}>
        ${chain(sign ? symbol(sign) : mathml`<mtext>${label}</mtext>`, main, bySymbol(constant, name))}
        ${made ? chain(nothing, main, byValue(say)) : nothing}
        ${line(
          mathml`<mo>${choice ? '⇒' : '='}</mo><mn>${say(step)}</mn>`,
          choice ? '' : ctx.format.exactly(value, unit),
        )}
      </div>
      ${renderParts(key, parts, label)}`;
  };
  const sourceMark = (source: string): TemplateResult =>
    html`<span title=${sourceOf(source, ctx.text)?.title ?? source}
      >[${sources.indexOf(source) + 1}]</span
    >`;
  /** A number that is taken as given, in a row: its symbol, its value, and what it is. */
  const renderGiven = (step: Step): TemplateResult => {
    const { key, symbol: sign, unit, value, source } = step;
    return html`<li class="given">
      <span
        >${line(
          mathml`${symbol(sign)}<mo>=</mo><mn>${say(step)}</mn>`,
          ctx.format.exactly(value, unit),
        )}</span
      >
      <span class="step">${ctx.answer(key).label} ${sourceMark(source)}</span>
    </li>`;
  };
  /** They stand at the end, and are drawn last. */
  const renderSources = (): TemplateResult =>
    html`<ol class="sources">
      ${sources.map((id, index) => {
        const source = sourceOf(id, ctx.text);
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
  const isGiven = ({ expression }: Step, place: number): boolean =>
    place > 0 && expression.op === 'number';
  const given = steps.filter(isGiven);
  const sentences = answers.flatMap((key) => ownValue(ctx.text.sources?.answers ?? {}, key) ?? []);
  return html`${sentences.map((sentence) => html`<p class="is">${sentence}</p>`)}
    <ol class="ladder">
      ${steps.map((step, place) => {
        if (isGiven(step, place)) return nothing;
        const { key, source, expression } = step;
        const { label } = ctx.answer(key);
        const opened = ctx.open.has(`parts ${key}`);
        const item = (): TemplateResult =>
          html`<li>
            <p class="step">${label} ${sourceMark(source)}</p>
            ${inSlices([expression, ctx.text, opened], 1, () => renderStep(step, label))}
          </li>`;
        return inSlices([expression, ...told, opened], perItem, item);
      })}
      ${
        given.length === 0
          ? nothing
          : html`<li>
              <p class="step">${ctx.text.sources?.given}</p>
              <ul>
                ${given.map((step) => inSlices([step, ctx.text], perItem, () => renderGiven(step)))}
              </ul>
            </li>`
      }
    </ol>
    ${inSlices(told, perItem, renderSources)}`;
}

/** The pieces of a formula that is wider than the screen. */
interface Piece {
  node: Expression;
  /** The operators before and after it. */
  before: TemplateResult | typeof nothing;
  after: TemplateResult | typeof nothing;
  /** A sum that is taken from another keeps its brackets. */
  isFenced: boolean;
}

const whole = (node: Expression): Piece => ({
  node,
  before: nothing,
  after: nothing,
  isFenced: false,
});

/** Terms of a sum, and what a limit chooses from. */
function pieces(expression: Expression): Piece[] {
  const { op, args = [] } = expression;
  if (op === 'add' || op === 'subtract') {
    const sign = mathml`<mo form="infix">${op === 'add' ? '+' : '−'}</mo>`;
    return args.flatMap((arg, index): Piece[] => {
      if (index === 0 && isSum(arg)) return pieces(arg);
      if (index === 0) return [whole(arg)];
      const [first, ...rest] = op === 'add' && isSum(arg) ? pieces(arg) : [whole(arg)];
      const isFenced = op === 'subtract' && isSum(arg);
      return [{ ...first!, before: sign, isFenced }, ...rest];
    });
  }
  if (op === 'max' || op === 'min') {
    const last = args.length - 1;
    return args.map((arg, index) => ({
      ...whole(arg),
      before: index === 0 ? mathml`<mi>${op}</mi><mo stretchy="false">(</mo>` : nothing,
      after: mathml`<mo stretchy="false">${index === last ? ')' : ','}</mo>`,
    }));
  }
  return [whole(expression)];
}

function line(content: TemplateResult, title = ''): TemplateResult {
  return html`<math displaystyle="true" title=${title || nothing}
    >${mathml`<mrow>${content}</mrow>`}</math
  >`;
}
