// Derivations on paper: no step twice, and no line wider than the page.

import { html, mathml, nothing, type TemplateResult } from 'lit';
import type { Expression, Step } from '../../../engine/index.ts';
import { bySymbol, byValue, formula, type Leaf } from '../../../math/formula.ts';
import { inRow } from '../../../math/row.ts';
import { symbol } from '../../../math/symbol.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** Characters of a formula that fit a line; longer ones are written so that they can wrap. */
const widest = 64;

/** The notes of steps, and their sources. */
export class Paper {
  /** Steps that stand above. */
  private readonly written = new Set<string>();
  /** Sources of steps, in the order of their first use. */
  readonly sources: string[] = [];

  constructor(private readonly ctx: RenderContext) {}

  /** The steps that `answers` rest on, but for those that stand above. */
  steps(answers: readonly string[]): TemplateResult | typeof nothing {
    const steps = answers
      .flatMap((answer) => {
        const explanation = this.ctx.actions.explain(answer);
        return explanation?.ok ? explanation.derivation.steps : [];
      })
      .filter(({ key }) => {
        const first = !this.written.has(key);
        this.written.add(key);
        return first;
      });
    if (steps.length === 0) return nothing;
    return html`<ol class="ladder">
      ${steps.map((step) => this.step(step))}
    </ol>`;
  }

  private step(step: Step): TemplateResult {
    const { ctx } = this;
    const { key, symbol: sign, choice, source, expression } = step;
    if (!this.sources.includes(source)) this.sources.push(source);
    const { label } = ctx.answer(key);
    const made = expression.op !== 'number' && expression.op !== 'input';
    const result = ctx.sayQuantity(step);
    return html`<li>
      <p class="step">${label} [${this.sources.indexOf(source) + 1}]</p>
      <div class="lines">
        ${
          expression.op === 'number'
            ? html`<math>${symbol(sign)}</math>`
            : this.line(
                sign ? symbol(sign) : mathml`<mtext>${label}</mtext>`,
                expression,
                this.signs,
              )
        }
        ${made ? this.line(nothing, expression, this.numbers) : nothing}
        <math><mo>${choice ? '⇒' : '='}</mo><mn>${result}</mn></math>
      </div>
    </li>`;
  }

  private readonly signs: Leaf = bySymbol(
    ({ value }) => this.ctx.format.exactly(value, ''),
    ({ key }) => (key ? this.ctx.answer(key).label : ''),
  );
  private readonly numbers: Leaf = byValue((node) => this.ctx.sayQuantity(node));

  private line(
    left: TemplateResult | typeof nothing,
    expression: Expression,
    leaf: Leaf,
  ): TemplateResult[] {
    const drawn = (node: Expression): TemplateResult => html`<math>${leaf(node)}</math>`;
    const terms = expression.op === 'add' ? (expression.args ?? []) : [expression];
    return terms.map((term, index) => {
      const before = index === 0 ? mathml`${left}<mo>=</mo>` : mathml`<mo form="infix">+</mo>`;
      return this.width(term, leaf) > widest
        ? html`<span class="long"><math>${before}</math> ${inRow(term, drawn)}</span>`
        : html`<math displaystyle="true"><mrow>${before}${formula(term, leaf)}</mrow></math>`;
    });
  }

  /** Roughly: fractions are as wide as their wider half. */
  private width(node: Expression, leaf: Leaf): number {
    const widths = (node.args ?? []).map((argument) => this.width(argument, leaf));
    if (widths.length === 0) {
      if (leaf === this.numbers) return this.ctx.sayQuantity(node).length;
      return node.choice || !node.symbol ? 20 : node.symbol.length;
    }
    if (node.op === 'divide') return Math.max(...widths);
    return widths.reduce((sum, width) => sum + width + 2, 0);
  }
}
