import { html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../dom/define.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import type { FieldId } from '../../../model/fields.ts';
import { LightElement } from '../../kit/light-element.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import text from './budget.css?inline';

/** Hoffmann et al. 2022: Chinchilla, 70B parameters on 1.4T tokens. */
export const optimal = 20;
/** LLaMA 3 70B on 15T tokens, to three digits. */
const overTrained = 214;

/** The kind of budget, and how long a model is trained for its size, one click each. Renders into its
 *  parent's tree. */
class BudgetChoices extends LightElement {
  static override sheets = [sheetOf(text)];
  static override properties: PropertyDeclarations = { ctx: { attribute: false } };

  declare ctx: RenderContext;

  protected override render(): TemplateResult {
    const { ctx } = this;
    const { budgeted: words } = ctx.text;
    const ratio = (value: number, says: string): TemplateResult =>
      this.choice(
        'budget.tokensPerParameter',
        value,
        ctx.fill(says, { n: ctx.format.count(value) }),
      );
    const kind = (value: string): TemplateResult =>
      this.choice('budget.kind', value, ctx.choice('budget.kind', value));
    return html`<div class="budget-choices">
      <p role="group" aria-label=${words.kinds}>
        <span>${words.kinds}</span> ${kind('money')} ${kind('time')}
      </p>
      <p role="group" aria-label=${words.ratios}>
        <span>${words.ratios}</span> ${ratio(optimal, words.optimal)}
        ${ratio(overTrained, words.overTrained)}
      </p>
    </div>`;
  }

  private choice(id: FieldId, value: string | number, says: string): TemplateResult {
    const { ctx } = this;
    return html`<button
      type="button"
      aria-pressed=${ctx.value(id) === value}
      @click=${() => ctx.actions.set(id, value)}
    >
      ${says}
    </button>`;
  }
}

/** The choice between a budget of money and one of time. */
export function budgetChoices(ctx: RenderContext): TemplateResult {
  define('scaling-budget', BudgetChoices);
  return html`<scaling-budget .ctx=${ctx}></scaling-budget>`;
}
