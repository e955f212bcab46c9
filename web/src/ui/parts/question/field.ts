import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FieldInfo } from '../../../engine/index.ts';
import type { Stepping } from '../../../number/step.ts';
import { notationOf } from '../../../model/presentation.ts';
import type { FieldId } from '../../../model/fields.ts';
import { isColumn, shortened } from '../../../model/shortened.ts';
import type { Edit } from '../../kit/number-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../view.ts';

const messageId = (id: FieldId): string => `${id}-message`;

/** A field's control, whatever its kind. */
export function control(ctx: RenderContext, id: FieldId): TemplateResult {
  const info = ctx.info(id);
  const described = ctx.messages(id).length > 0 ? messageId(id) : '';
  const value = ctx.value(id);
  if (info.kind === 'choice') {
    return html`<select
      data-field=${id}
      aria-label=${ctx.label(id)}
      aria-invalid=${ctx.invalid(id) ? 'true' : nothing}
      aria-describedby=${described || nothing}
      @change=${(event: Event) => ctx.actions.set(id, (event.target as HTMLSelectElement).value)}
    >
      ${optionGroups(ctx, id, info.choices).map(({ label, choices }) => {
        const options = choices.map(
          (choice) =>
            html`<option value=${choice} .selected=${live(choice === value)}>
              ${ctx.choice(id, choice)}
            </option>`,
        );
        return label ? html`<optgroup label=${label}>${options}</optgroup>` : options;
      })}
    </select>`;
  }
  if (info.kind === 'flag') {
    return html`<input
      type="checkbox"
      data-field=${id}
      aria-label=${ctx.label(id)}
      .checked=${live(value === true)}
      @change=${(event: Event) => ctx.actions.set(id, (event.target as HTMLInputElement).checked)}
    />`;
  }
  if (info.kind === 'text' && isColumn(id)) {
    return html`<span class="control">
      <textarea
        rows="2"
        spellcheck="false"
        autocapitalize="off"
        data-field=${id}
        aria-label=${ctx.label(id)}
        aria-invalid=${ctx.invalid(id) ? 'true' : nothing}
        aria-describedby=${described || nothing}
        .value=${live(String(value ?? ''))}
        @change=${(event: Event) =>
          ctx.actions.set(id, shortened(id, (event.target as HTMLTextAreaElement).value))}
      ></textarea>
    </span>`;
  }
  if (info.kind === 'text') {
    return html`<span class="control"
      ><input
        type="text"
        spellcheck="false"
        autocapitalize="off"
        maxlength=${info.max}
        data-field=${id}
        aria-label=${ctx.label(id)}
        aria-invalid=${ctx.invalid(id) ? 'true' : nothing}
        aria-describedby=${described || nothing}
        .value=${live(String(value ?? ''))}
        @change=${(event: Event) => ctx.actions.set(id, (event.target as HTMLInputElement).value)}
    /></span>`;
  }
  return html`<scaling-number
    class="control"
    .fieldId=${id}
    .label=${ctx.label(id)}
    .value=${typeof value === 'number' ? value : null}
    .draft=${ctx.drafts.get(id)}
    .rule=${{ ...ruleOf(info), along: viewOf(ctx).along?.(ctx, id) }}
    .optional=${info.optional}
    .missing=${info.optional ? ctx.text.ui.notGiven : ''}
    .describedBy=${described}
    .invalid=${ctx.invalid(id)}
    .language=${ctx.language}
    @edit=${(event: CustomEvent<Edit>) => ctx.actions.edit(id, event.detail)}
  ></scaling-number>`;
}

/** The notation and the steps of a field's number. */
export const ruleOf = (info: FieldInfo): Stepping => ({
  ...notationOf(info),
  whole: info.kind === 'count',
  doubles: info.shown === 'doubling',
  min: info.min,
  max: info.max,
});

/** Choices that ask for a model are shown in a group of their own. */
function optionGroups(
  { text, description, state }: RenderContext,
  id: FieldId,
  choices: string[],
): { label?: string; choices: string[] }[] {
  const asking = description.questions[state.view].when.model;
  if (!asking || id !== `${asking.group}.${asking.field}`) return [{ choices }];
  const ofModel = (choice: string): boolean => asking.choices.includes(choice);
  const { own, model } = text.ui.choiceGroups;
  return [
    { label: own, choices: choices.filter((choice) => !ofModel(choice)) },
    { label: model, choices: choices.filter(ofModel) },
  ];
}

/** Draws the messages of a field beside it. */
export function messages(ctx: RenderContext, id: FieldId): TemplateResult | typeof nothing {
  const found = ctx.messages(id);
  const offered = ctx.features.fixesAt?.(ctx, id) ?? nothing;
  if (found.length === 0 && offered === nothing) return nothing;
  return html`<p
    class="message"
    ?data-notice=${!ctx.invalid(id)}
    id=${messageId(id)}
    data-message=${id}
  >
    ${found.map((message) => html`<span>${message}</span> `)} ${offered}
  </p>`;
}
