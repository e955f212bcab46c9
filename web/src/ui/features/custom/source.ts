// The source of a preset: a text that is typed or pasted, or a file.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { cleanName } from '../../../link/address.ts';
import type { Place } from './any.ts';
import type { Draft } from './drafts.ts';
import type { Says } from './words.ts';

export interface SourceActions {
  type(text: string): void;
  choose(input: HTMLInputElement): Promise<void>;
}

/** The text field and the file chooser; `refused` tells that the text can't be read. */
export function sourceOf(
  { own, ctx }: Says,
  kind: Place,
  { typed, file }: Draft,
  refused: boolean,
  actions: SourceActions,
): TemplateResult {
  const mistaken = refused && !file;
  return html`<label class="above" for="own-text">${own.text[kind]}</label>
    <textarea
      id="own-text"
      rows="5"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      aria-invalid=${mistaken ? 'true' : nothing}
      aria-describedby=${mistaken ? 'own-refused' : nothing}
      .value=${live(typed)}
      @input=${(event: Event) => actions.type((event.target as HTMLTextAreaElement).value)}
    ></textarea>
    <p class="files">
      <label class="button"
        >${own.choose}<input
          type="file"
          class="hidden"
          accept=${kind === 'launch' ? nothing : '.json,.gguf,application/json,text/plain'}
          @change=${(event: Event) => actions.choose(event.target as HTMLInputElement)}
      /></label>
      ${
        file
          ? html`<span class="from">${ctx.fill(own.fromFile, { name: cleanName(file.name) })}</span>
              ${
                typed
                  ? html`<button type="button" class="plain" @click=${() => actions.type(typed)}>
                      ${own.dropFile}
                    </button>`
                  : nothing
              }`
          : nothing
      }
    </p>`;
}
