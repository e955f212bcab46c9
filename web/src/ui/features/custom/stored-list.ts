import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { CustomPreset } from '../../../custom/custom-presets.ts';
import type { Says } from './words.ts';

export interface KeptActions {
  use(thing: CustomPreset): void;
  export(thing: CustomPreset): void;
  remove(thing: CustomPreset): void;
  beginRenaming(thing: CustomPreset): void;
  type(name: string): void;
  endRenaming(save: boolean): void;
}

/** What is kept, each with what can be done with it. */
export function keptList(
  { own, scope }: Says,
  things: readonly CustomPreset[],
  gist: (thing: CustomPreset) => string,
  renaming: { thing: CustomPreset; name: string } | undefined,
  actions: KeptActions,
): TemplateResult {
  const button = (
    thing: CustomPreset,
    says: string,
    label: string,
    act: () => void,
  ): TemplateResult =>
    html`<button
      type="button"
      class="plain"
      aria-label=${scope.fill(label, { name: thing.name })}
      @click=${act}
    >
      ${says}
    </button>`;
  return html`<ul class="kept">
    ${things.map((thing) => {
      if (renaming?.thing.name === thing.name) return renamingForm(own, renaming.name, actions);
      return html`<li data-kept=${thing.name}>
        <span class="called">${thing.name}</span> <span class="quiet">${gist(thing)}</span>
        <span class="do">
          ${button(thing, own.take, own.takeLabel, () => actions.use(thing))}
          <button
            type="button"
            class="plain"
            data-rename=${thing.name}
            aria-label=${scope.fill(own.renameLabel, { name: thing.name })}
            @click=${() => actions.beginRenaming(thing)}
          >
            ${own.rename}
          </button>
          ${button(thing, own.export, own.exportLabel, () => actions.export(thing))}
          ${button(thing, own.delete, own.deleteLabel, () => actions.remove(thing))}
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
