import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { live } from 'lit/directives/live.js';
import { stay } from '../../dom/stay.ts';
import { LightElement } from './light-element.ts';

export interface Option {
  id: string;
  name: string;
  /** Maker and year; options of one group stand together. */
  group: string;
  detail: string;
  /** Further words that find it. */
  words?: string;
  /** Of several that are found alike, the one with the least is taken. */
  rank?: number;
  /** Opens a dialog instead of being chosen, so that every search offers it. */
  offer?: boolean;
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

const texts = new WeakMap<Option, string>();

/** All by which an option is found; lists stay the same while the reader types. */
function textOf(option: Option): string {
  let text = texts.get(option);
  if (text === undefined) {
    const { id, name, group, words = '' } = option;
    texts.set(option, (text = `${id} ${name} ${group} ${words}`.toLowerCase()));
  }
  return text;
}

/** Whether a word of a text begins so: `8b` finds Llama 3 8B, and no 48B. */
const hasWord = (text: string, start: string): boolean =>
  ` ${text}`.replaceAll('-', ' ').includes(` ${start.replaceAll('-', ' ')}`);

/**
 * A choice among many, with search: the ARIA combobox pattern with a list. Renders into its
 * parent's tree. Tells `browse` when the list opens, `choose` with the option's id.
 */
export class PresetControl extends LightElement {
  static override properties: PropertyDeclarations = {
    fieldId: {},
    label: {},
    options: { attribute: false },
    value: {},
    mark: {},
    nothingFound: {},
    open: { state: true },
    query: { state: true },
    active: { state: true },
  };

  declare fieldId: string;
  declare label: string;
  declare options: readonly Option[];
  declare value: string;
  /** Follows the name, e.g. to say that figures were edited. */
  declare mark: string;
  declare nothingFound: string;
  declare private open: boolean;
  declare private query: string | undefined;
  declare private active: string | undefined;

  constructor() {
    super();
    this.open = false;
    this.mark = '';
  }

  /** Those with words that begin as typed; without any, those that have it anywhere. */
  private get found(): Option[] {
    const words = wordsOf(this.query ?? '');
    const those = (holds: (text: string, word: string) => boolean): Option[] =>
      this.options.filter(
        (option) => option.offer || words.every((word) => holds(textOf(option), word)),
      );
    const found = those(hasWord);
    return found.some(({ offer }) => !offer) ? found : those((text, word) => text.includes(word));
  }

  /** The option found whose name is likest to what was typed. */
  private get best(): Option | undefined {
    const query = (this.query ?? '').trim().toLowerCase();
    const [word = ''] = wordsOf(query);
    const found = this.found
      .filter(({ offer }) => !offer)
      .sort(({ rank: one = -1 }, { rank: other = -1 }) => one - other);
    const is = (text: string): boolean => text.toLowerCase() === query;
    const begins = (text: string): boolean => text.toLowerCase().startsWith(query);
    return (
      found.find(({ id, name }) => is(name) || is(id)) ??
      found.find(({ id, name }) => begins(name) || begins(id)) ??
      found.find(({ name }) => hasWord(name.toLowerCase(), word)) ??
      found[0]
    );
  }

  private optionId(id: string): string {
    return `${this.fieldId}-${id}`;
  }

  protected override render(): TemplateResult {
    const chosen = this.options.find(({ id }) => id === this.value);
    const text = this.query ?? chosen?.name ?? '';
    const list = `${this.fieldId}-list`;
    return html`<span class="ghost" aria-hidden="true">${text + this.mark || ' '}</span
      ><input
        type="text"
        role="combobox"
        size="1"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        data-field=${this.fieldId}
        aria-label=${this.label}
        aria-autocomplete="list"
        aria-expanded=${this.open}
        aria-controls=${list}
        aria-activedescendant=${this.open && this.active ? this.optionId(this.active) : nothing}
        .value=${live(this.open ? text : text + this.mark)}
        @input=${this.onInput}
        @keydown=${this.onKeydown}
        @mousedown=${this.onMouseDown}
        @click=${this.show}
        @blur=${this.hide}
      />
      <div class="options" id=${list} role="listbox" aria-label=${this.label} ?hidden=${!this.open}>
        ${this.open ? this.renderList() : nothing}
      </div>`;
  }

  private renderList(): TemplateResult {
    const { found } = this;
    const groups = new Map<string, Option[]>();
    for (const option of found) {
      const group = groups.get(option.group);
      if (group) group.push(option);
      else groups.set(option.group, [option]);
    }
    return html`${
      found.every(({ offer }) => offer)
        ? html`<div role="option" aria-disabled="true" aria-selected="false">
            ${this.nothingFound}
          </div>`
        : nothing
    }
    ${[...groups].map(
      ([group, options], index) =>
        html`<div role="group" aria-labelledby="${this.fieldId}-group-${index}">
          <div class="group" role="presentation" id="${this.fieldId}-group-${index}">${group}</div>
          ${options.map(
            (option) =>
              html`<div
                role="option"
                id=${this.optionId(option.id)}
                class=${option.id === this.active ? 'active' : nothing}
                aria-selected=${option.id === this.value}
                @pointerdown=${stay}
                @click=${() => this.choose(option.id)}
              >
                <span>${option.name}</span> <span class="detail">${option.detail}</span>
              </div>`,
          )}
        </div>`,
    )}`;
  }

  /** Options may arrive after the reader has typed the name of one. */
  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('options') && this.query !== undefined) this.active ??= this.best?.id;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.open) return;
    // A name that is typed moves the control, and the list with it.
    if (changed.has('open') || changed.has('query')) this.place();
    if (changed.has('open')) this.dispatchEvent(new CustomEvent('browse'));
    if (changed.has('open') || changed.has('active')) {
      this.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
    }
  }

  private get input(): HTMLInputElement {
    return this.querySelector('input')!;
  }

  private readonly show = (): void => {
    if (this.open) return;
    this.open = true;
    this.active = this.value;
    this.selectAll();
  };

  /** Selects the name again when its text changes, so that typing replaces it. */
  private selectAll(): void {
    void this.updateComplete.then(() => {
      if (this.isFocused && this.query === undefined) this.input.select();
    });
  }

  private get isFocused(): boolean {
    return (this.getRootNode() as ShadowRoot).activeElement === this.input;
  }

  /** A press on a selected name leaves it selected. */
  private onMouseDown(event: Event): void {
    const { selectionStart, selectionEnd, value } = this.input;
    const whole = selectionStart === 0 && selectionEnd === value.length;
    if (this.isFocused && this.query === undefined && whole) event.preventDefault();
  }

  private readonly hide = (): void => {
    this.open = false;
    this.query = undefined;
    this.active = undefined;
  };

  /** Keeps the list inside the calculator, however narrow it is. */
  private place(): void {
    const list = this.querySelector<HTMLElement>('.options')!;
    list.style.left = '0';
    const box = (this.getRootNode() as ShadowRoot).host.getBoundingClientRect();
    const { left, right } = list.getBoundingClientRect();
    const margin = 12;
    const shift = Math.max(box.left + margin - left, Math.min(0, box.right - margin - right));
    list.style.left = `${shift}px`;
  }

  private onInput(): void {
    this.open = true;
    this.query = this.input.value;
    this.active = this.best?.id;
  }

  private onKeydown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (this.open) this.move(event.key === 'ArrowDown' ? 1 : -1);
      else this.show();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (!this.open) this.show();
      else if (this.active) this.choose(this.active);
    } else if (event.key === 'Escape' && this.open) {
      event.stopPropagation();
      this.hide();
      this.selectAll();
    }
  }

  private move(by: number): void {
    const { found } = this;
    const at = found.findIndex(({ id }) => id === this.active);
    this.active = found[Math.min(found.length - 1, Math.max(0, at + by))]?.id;
  }

  private choose(id: string): void {
    this.hide();
    if (id !== this.value) this.dispatchEvent(new CustomEvent<string>('choose', { detail: id }));
    this.selectAll();
  }
}
