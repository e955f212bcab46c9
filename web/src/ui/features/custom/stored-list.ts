import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { CustomPreset } from '../../../custom/custom-presets.ts';
import type { Says } from './words.ts';

export interface KeptActions {
  use(preset: CustomPreset): void;
  export(preset: CustomPreset): void;
  remove(preset: CustomPreset): void;
  beginRenaming(preset: CustomPreset): void;
  type(name: string): void;
  endRenaming(save: boolean): void;
}

/** The list of stored presets with their actions. */
export function keptList(
  { own, ctx }: Says,
  presets: readonly CustomPreset[],
  gist: (preset: CustomPreset) => string,
  renaming: { preset: CustomPreset; name: string } | undefined,
  actions: KeptActions,
): TemplateResult {
  const button = (
    preset: CustomPreset,
    says: string,
    label: string,
    act: () => void,
  ): TemplateResult =>
    html`<button
      type="button"
      class="plain"
      aria-label=${ctx.fill(label, { name: preset.name })}
      @click=${act}
    >
      ${says}
    </button>`;
  return html`<ul class="kept">
    ${presets.map((preset) => {
      if (renaming?.preset.name === preset.name) return renamingForm(own, renaming.name, actions);
      return html`<li data-kept=${preset.name}>
        <span class="called">${preset.name}</span> <span class="quiet">${gist(preset)}</span>
        <span class="do">
          ${button(preset, own.take, own.takeLabel, () => actions.use(preset))}
          <button
            type="button"
            class="plain"
            data-rename=${preset.name}
            aria-label=${ctx.fill(own.renameLabel, { name: preset.name })}
            @click=${() => actions.beginRenaming(preset)}
          >
            ${own.rename}
          </button>
          ${button(preset, own.export, own.exportLabel, () => actions.export(preset))}
          ${button(preset, own.delete, own.deleteLabel, () => actions.remove(preset))}
        </span>
      </li>`;
    })}
  </ul>`;
}

function renamingForm(own: Says['own'], name: string, actions: KeptActions): TemplateResult {
  return html`<li class="renaming">
    <form
      @submit=${(event: Event) => {
        event.preventDefault();
        actions.endRenaming(true);
      }}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        // The dialog itself would close.
        event.preventDefault();
        actions.endRenaming(false);
      }}
    >
      <input
        type="text"
        class="name"
        maxlength="60"
        autocomplete="off"
        spellcheck="false"
        aria-label=${own.name}
        .value=${live(name)}
        @input=${(event: Event) => actions.type((event.target as HTMLInputElement).value)}
      />
      <button type="submit" class="plain">${own.save}</button>
      <button type="button" class="plain" @click=${() => actions.endRenaming(false)}>
        ${own.cancel}
      </button>
    </form>
  </li>`;
}
