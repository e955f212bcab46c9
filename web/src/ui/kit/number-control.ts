import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { live } from 'lit/directives/live.js';
import { LightElement } from './light-element.ts';
import { inputMode, type Language } from '../../i18n/language.ts';
import { decimalOf, plainDigits } from '../../number/decimal.ts';
import { parseNumber } from '../../number/parse.ts';
import { step, type Stepping } from '../../number/step.ts';
import { writeForControl, writeForReading } from '../../number/write.ts';

/** An edit of a control: a number (null: none), or a text that is no number. */
export interface Edit {
  value?: number | null;
  draft?: string;
  /** The edit is over: the next one is a new entry in the browser's history. */
  done: boolean;
}

/** Sideways pixels before a press becomes a drag, and pixels for each step after that. */
const dragFrom = 4;
const dragStep = 5;

const plain = (value: number): string => plainDigits(decimalOf(value));

/**
 * A number that can be typed, stepped with the arrow keys (Shift: ten at once) and dragged sideways.
 * It renders into its parent's tree, so that labels and messages there can refer to it.
 */
export class NumberControl extends LightElement {
  static override properties: PropertyDeclarations = {
    fieldId: {},
    label: {},
    value: {},
    draft: {},
    rule: { attribute: false },
    optional: { type: Boolean },
    missing: {},
    describedBy: {},
    invalid: { type: Boolean },
    language: {},
    typed: { state: true },
    edited: { state: true },
  };

  declare fieldId: string;
  declare label: string;
  declare value: number | null;
  /** The typed text, if it could not be read. */
  declare draft: string | undefined;
  declare rule: Stepping;
  declare optional: boolean;
  /** Said in place of a value that is not given. */
  declare missing: string;
  declare describedBy: string;
  declare invalid: boolean;
  declare language: Language;
  declare private typed: string | undefined;
  /** Whether the control has the focus: it then shows the number exactly. */
  declare private edited: boolean;

  private press: { id: number; x: number; value: number; dragging: boolean } | undefined;
  private start: number | null = null;
  /** Keeps the whole number selected when it changes from outside. */
  private selects = false;

  /** Lit may reuse this element for another field, which must not inherit what was typed; nor does
   * what was typed outlive a value that comes from elsewhere, such as another link. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const isOther = changed.get('fieldId') !== undefined;
    if (isOther) this.start = null;
    if (isOther || this.isOutdated(changed)) this.typed = undefined;
  }

  private isOutdated(changed: PropertyValues<this>): boolean {
    if (this.typed === undefined || !(changed.has('value') || changed.has('draft'))) return false;
    const { typed, draft, value, rule } = this;
    const parsed = parseNumber(typed, rule);
    if (!parsed.ok) return typed !== draft && !(typed === '' && value === null);
    if (parsed.value === value) return false;
    // A draft that is refused may write the same number in another way.
    const kept = draft === undefined ? undefined : parseNumber(draft, rule);
    return !kept?.ok || kept.value !== parsed.value;
  }

  protected override render(): TemplateResult {
    const written = this.edited ? this.exact : this.said;
    const text = this.typed ?? this.draft ?? written;
    const ghost = text || this.missing || ' ';
    return html`<span class="ghost" aria-hidden="true">${ghost}</span
      ><input
        type="text"
        role="spinbutton"
        size="1"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        inputmode=${inputMode(this.language)}
        data-field=${this.fieldId}
        placeholder=${this.missing}
        aria-label=${this.label}
        aria-valuenow=${this.value === null ? nothing : plain(this.value)}
        aria-valuemin=${plain(this.rule.min)}
        aria-valuemax=${plain(this.rule.max)}
        aria-valuetext=${text || this.missing}
        aria-invalid=${this.invalid ? 'true' : nothing}
        aria-describedby=${this.describedBy || nothing}
        .value=${live(text)}
        @input=${this.onInput}
        @keydown=${this.onKeydown}
        @focus=${this.onFocus}
        @blur=${this.onBlur}
        @pointerdown=${this.onPointerDown}
        @pointermove=${this.onPointerMove}
        @pointerup=${this.onPointerUp}
        @pointercancel=${this.onPointerUp}
        @mousedown=${this.onMouseDown}
      />`;
  }

  private get exact(): string {
    return this.value === null ? '' : writeForControl(this.value, this.rule, this.language);
  }

  private get said(): string {
    return this.value === null ? '' : writeForReading(this.value, this.rule, this.language);
  }

  private get input(): HTMLInputElement {
    return this.querySelector('input')!;
  }

  /** Whether what was typed, or taken over though it cannot be, stands in place of a number. */
  private get canGoBack(): boolean {
    const isTyped = this.typed !== undefined || this.draft !== undefined;
    return isTyped || (this.invalid && this.start !== null && this.start !== this.value);
  }

  private get focused(): boolean {
    return (this.getRootNode() as ShadowRoot).activeElement === this.input;
  }

  private tell(edit: Edit): void {
    this.dispatchEvent(new CustomEvent<Edit>('edit', { detail: edit }));
  }

  private onInput(): void {
    this.selects = false;
    this.typed = this.input.value;
    this.read(this.typed, false);
  }

  private read(text: string, done: boolean): void {
    const parsed = parseNumber(text, this.rule);
    if (parsed.ok) this.tell({ value: parsed.value, done });
    else if (parsed.reason === 'empty' && this.optional) this.tell({ value: null, done });
    else this.tell({ draft: text, done });
  }

  private onFocus(): void {
    // What cannot be is nothing to go back to.
    if (!this.invalid) this.start = this.value;
    this.edited = true;
    if (this.exact !== this.said) this.selectAll();
  }

  private onBlur(): void {
    this.edited = false;
    this.finish();
  }

  private finish(): void {
    this.selects = false;
    if (this.typed !== undefined) this.read(this.typed, true);
    this.typed = undefined;
  }

  private onKeydown(event: KeyboardEvent): void {
    const directions: Record<string, 1 | -1> = {
      ArrowUp: 1,
      ArrowDown: -1,
      PageUp: 1,
      PageDown: -1,
    };
    const direction = directions[event.key];
    this.selects = false;
    if (direction) {
      event.preventDefault();
      this.stepBy(direction, event.shiftKey || event.key.startsWith('Page'));
    } else if (event.key === 'Enter') {
      this.finish();
      this.selectAll();
    } else if (event.key === 'Escape' && this.canGoBack) {
      event.stopPropagation();
      this.typed = undefined;
      this.tell({ value: this.start, done: true });
      this.selectAll();
    }
  }

  /** Selects the number again when its text changes, so that typing replaces it. */
  private selectAll(): void {
    this.selects = true;
    this.input.select();
  }

  protected override updated(): void {
    if (this.selects && this.focused) this.input.select();
  }

  private stepBy(direction: 1 | -1, large: boolean): void {
    this.typed = undefined;
    this.tell({
      value: step(this.value ?? this.rule.min, direction, large, this.rule),
      done: false,
    });
    this.selectAll();
  }

  // A press that moves sideways drags the number; one that does not puts the caret there. Once the
  // caret is in, the mouse selects text as in any field.
  private onPointerDown(event: PointerEvent): void {
    if (this.focused || event.button !== 0 || this.value === null) return;
    this.press = { id: event.pointerId, x: event.clientX, value: this.value, dragging: false };
    this.input.setPointerCapture(event.pointerId);
  }

  private onMouseDown(event: MouseEvent): void {
    const { input, press, typed } = this;
    const whole = input.selectionStart === 0 && input.selectionEnd === input.value.length;
    // A press on a selected number leaves it selected: what is typed then takes its place.
    if (press || (this.focused && typed === undefined && whole)) event.preventDefault();
    else this.selects = false;
  }

  private onPointerMove(event: PointerEvent): void {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    const moved = event.clientX - press.x;
    if (!press.dragging && Math.abs(moved) < dragFrom) return;
    press.dragging = true;
    this.toggleAttribute('dragging', true);
    let value = press.value;
    const steps = Math.trunc(moved / dragStep);
    for (let i = 0; i < Math.abs(steps); ++i) {
      value = step(value, steps > 0 ? 1 : -1, event.shiftKey, this.rule);
    }
    if (value !== this.value) this.tell({ value, done: false });
  }

  private onPointerUp(event: PointerEvent): void {
    const { press } = this;
    this.press = undefined;
    if (!press || event.pointerId !== press.id) return;
    if (press.dragging) {
      this.toggleAttribute('dragging', false);
      if (this.value !== null) this.tell({ value: this.value, done: true });
    } else if (event.type === 'pointerup') {
      this.input.focus();
      this.input.select();
    }
  }
}
