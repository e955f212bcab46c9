import { html, type TemplateResult } from 'lit';

/** Software that sets fields. */
interface Software {
  id: string;
}

/** The entries of a choice of software, and their effect. */
interface Choice<S extends Software> {
  /** Names it among the controls. */
  field: string;
  label: string;
  all: readonly S[];
  /** The software that has all fields as they are, if any. */
  present: S | undefined;
  called(software: S | undefined): string;
  choose(software: S): void;
}

/** Lists software. Settings of no listed software have an option of their own, in first place. */
export function softwareChoice<S extends Software>(choice: Choice<S>): TemplateResult {
  const { field, label, all, present } = choice;
  const choose = (id: string): void => {
    const software = all.find((each) => each.id === id);
    if (software) choice.choose(software);
  };
  return html`<label class="choice"
    ><span>${label}</span>
    <select
      data-field=${field}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${[...(present ? [] : [undefined]), ...all].map(
        (software) =>
          html`<option value=${software?.id ?? ''} .selected=${software === present}>
            ${choice.called(software)}
          </option>`,
      )}
    </select></label
  >`;
}
