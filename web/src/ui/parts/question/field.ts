import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FieldInfo } from '../../../engine/index.ts';
import type { Stepping } from '../../../number/step.ts';
import { doubles, isModelKind, notationOf } from '../../../model/presentation.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import type { Edit } from '../../kit/number-control.ts';
import type { Scope } from '../../kit/scope.ts';
import { viewOf } from '../view.ts';

const messageId = (id: FieldId): string => `${id}-message`;

/** A field's control, whatever its kind. */
export function control(scope: Scope, id: FieldId): TemplateResult {
  const info = scope.info(id);
  const described = scope.messages(id).length > 0 ? messageId(id) : '';
  const value = scope.value(id);
  if (info.kind === 'choice') {
    return html`<select
      data-field=${id}
      aria-label=${scope.label(id)}
      aria-invalid=${scope.invalid(id) ? 'true' : nothing}
      aria-describedby=${described || nothing}
      @change=${(event: Event) => scope.actions.set(id, (event.target as HTMLSelectElement).value)}
    >
      ${optionGroups(scope, id, info.choices).map(({ label, choices }) => {
        const options = choices.map(
          (choice) =>
            html`<option value=${choice} .selected=${live(choice === value)}>
              ${scope.choice(id, choice)}
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
      aria-label=${scope.label(id)}
      .checked=${live(value === true)}
      @change=${(event: Event) => scope.actions.set(id, (event.target as HTMLInputElement).checked)}
    />`;
  }
  return html`<scaling-number
    class="control"
    .fieldId=${id}
    .label=${scope.label(id)}
    .value=${typeof value === 'number' ? value : null}
    .draft=${scope.drafts.get(id)}
    .rule=${{ ...ruleOf(id, info), along: viewOf(scope).along?.(scope, id) }}
    .optional=${info.optional}
    .missing=${info.optional ? scope.text.ui.notGiven : ''}
    .describedBy=${described}
    .invalid=${scope.invalid(id)}
    .language=${scope.language}
    @edit=${(event: CustomEvent<Edit>) => scope.actions.edit(id, event.detail)}
  ></scaling-number>`;
}

/** How a field's number is written and stepped. */
export const ruleOf = (id: FieldId, info: FieldInfo): Stepping => ({
  ...notationOf(splitId(id)[0], info),
  whole: info.kind === 'count',
  doubles: doubles(id),
  min: info.min,
  max: info.max,
});

/** Long lists of choices are shown in groups. */
function optionGroups(
  { text }: Scope,
  id: FieldId,
  choices: string[],
): { label?: string; choices: string[] }[] {
  if (id !== 'operation.kind') return [{ choices }];
  const { own, model } = text.ui.choiceGroups;
  return [
    { label: own, choices: choices.filter((kind) => !isModelKind(kind)) },
    { label: model, choices: choices.filter(isModelKind) },
  ];
}

type SuggestFix = (scope: Scope, id: FieldId) => TemplateResult | typeof nothing;
let suggestFix: SuggestFix | undefined;

/** Tells what is offered beside the messages at a field; an element in a post offers nothing. */
export const suggestAtFields = (offers: SuggestFix): void => void (suggestFix = offers);

/** What is wrong with a field, beside it. */
export function messages(scope: Scope, id: FieldId): TemplateResult | typeof nothing {
  const found = scope.messages(id);
  const offered = suggestFix?.(scope, id) ?? nothing;
  if (found.length === 0 && offered === nothing) return nothing;
  return html`<p
    class="message"
    ?data-notice=${!scope.invalid(id)}
    id=${messageId(id)}
    data-message=${id}
  >
    ${found.map((message) => html`<span>${message}</span> `)} ${offered}
  </p>`;
}
