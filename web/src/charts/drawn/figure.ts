// What all drawings of answers are on the page: sheets of marks whose parts are one list of buttons with
// one tab stop. Pointing at one lights and names it everywhere, choosing it asks why (`why`, with its key).
// A number among them that can be changed is stepped or dragged (`step`, with its field).

import {
  LitElement,
  html,
  nothing,
  svg,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { sheetOf } from '../../dom/sheet.ts';
import { measureBy, type Measure } from '../kit/text.ts';
import { definitions, draw } from './draw.ts';
import style from './drawn.css?inline';
import { nameOf, type Part, type Sheet } from './marks.ts';
import { lit, table, type TableWords, type Told } from './reading.ts';

/** Changes that follow each other within this time are one [ms]. */
const oneChange = 1200;
/** A ghost is shown for this time after the change [ms]. */
const ghostLasts = 3000;
/** A ghost closer than this share to what is drawn can't be told from it. */
const apart = 0.004;

/** Narrower ones, as while a page is being laid out, show nothing. */
const leastWidth = 100;

/** Sideways pixels of a drag for each step. */
const dragStep = 24;

/** A step of a number that is drawn: up, down, or none where it is over. */
export interface Step {
  field: string;
  direction: 1 | -1 | 0;
}

const keys: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export interface FigureData {
  /** The finding, for those who can't see the drawing. */
  title: string;
  /** The answers are those of a layout that does not fit. */
  ghostly: boolean;
}

/** A sheet with its height. */
export interface Laid {
  sheet: Sheet;
  height: number;
}

export abstract class Figure<Data extends FigureData, Words extends TableWords> extends LitElement {
  static override styles = [sheetOf(style)];
  static override properties: PropertyDeclarations = {
    data: { attribute: false },
    words: { attribute: false },
    opened: { attribute: false },
    width: { state: true },
    pointed: { state: true },
  };

  declare data: Data | undefined;
  declare words: Words | undefined;
  /** The part whose reason is open. */
  declare opened: string | undefined;
  declare private width: number;
  /** The part under the pointer or in focus. */
  declare private pointed: Part | undefined;

  /** What was drawn before the reader's change. */
  protected ghost: Data | undefined;
  private changedAt = 0;
  private fading: ReturnType<typeof setTimeout> | undefined;
  private family = 'sans-serif';
  private laid: readonly Laid[] = [];
  /** The part that the tab key comes to. */
  private current = 0;
  private readonly observer = new ResizeObserver(() => this.resize());
  private readonly measure = measureBy(() => this.family);

  constructor() {
    super();
    this.width = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.forget();
  }

  private resize(): void {
    this.family = getComputedStyle(this).fontFamily;
    this.width = this.clientWidth;
  }

  /** Lays all sheets out, from the top down. */
  protected abstract lay(measure: Measure, width: number, data: Data): readonly Laid[];
  /** The numbers that a reader sees change: a page draws again for other reasons, too. */
  protected abstract levels(data: Data): readonly number[];
  /** All values, for those who can't see the drawing. */
  protected abstract rows(data: Data): readonly Told[];
  /** What stands below the first sheet. */
  protected below(_data: Data, _words: Words): TemplateResult | typeof nothing {
    return nothing;
  }
  /** The properties after whose change the sheets are laid out anew. */
  protected readonly lays: readonly string[] = ['data', 'width'];

  protected override willUpdate(changed: PropertyValues): void {
    const { data, width } = this;
    const names = changed as Map<PropertyKey, unknown>;
    const before = names.get('data') as Data | undefined;
    if (before && data && this.isOther(before, data)) {
      const now = performance.now();
      if (now - this.changedAt > oneChange) this.ghost = before;
      this.changedAt = now;
      clearTimeout(this.fading);
      this.fading = setTimeout(() => this.forget(), ghostLasts);
    }
    if (!data || width < leastWidth || !this.lays.some((name) => names.has(name))) return;
    this.laid = this.lay(this.measure, width, data);
  }

  /** Draws without the ghost. */
  private forget(): void {
    clearTimeout(this.fading);
    if (!this.ghost) return;
    this.ghost = undefined;
    this.requestUpdate('data');
  }

  private isOther(one: Data, other: Data): boolean {
    const levels = this.levels(other);
    return this.levels(one).some((level, index) => level !== levels[index]);
  }

  /** What was, where it can be told from what is. */
  protected unlike(before: number, now: number): number | undefined {
    return Math.abs(before - now) > apart * now ? before : undefined;
  }

  /** What a reader can come to by the keyboard: each part once, at its first place. */
  private get parts(): Part[] {
    const all = this.laid.flatMap(({ sheet }) => sheet.parts);
    const names = all.map(nameOf);
    return all.filter((_, index) => names.indexOf(names[index]!) === index);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { data, words, parts } = this;
    if (!data || !words) return nothing;
    const drawn = this.laid.map((laid, index) => this.renderSheet(laid, parts, index === 0));
    return html`<figure class=${data.ghostly ? 'ghostly' : ''}>
      <div
        class="sheets"
        role="toolbar"
        aria-label=${data.title}
        @keydown=${this.onKey}
        @focusout=${() => (this.pointed = undefined)}
        @pointerleave=${() => (this.pointed = undefined)}
      >
        ${drawn[0]} ${this.below(data, words)} ${drawn.slice(1)}
      </div>
      <p class="named" aria-hidden="true">${this.pointed?.says ?? nothing}</p>
      ${guard([this.laid], () => table(data.title, words, this.rows(data)))}
    </figure>`;
  }

  private renderSheet(
    { sheet, height }: Laid,
    parts: readonly Part[],
    defines: boolean,
  ): TemplateResult {
    const { pointed, width } = this;
    return html`<svg viewBox="0 0 ${width} ${height}" width=${width} height=${height}>
      ${defines ? definitions() : nothing}
      <g aria-hidden="true">${guard([sheet], () => sheet.marks.map(draw))}</g>
      <g aria-hidden="true">${lit(sheet, pointed?.key)}</g>
      ${repeat(
        sheet.parts,
        (part) => `${nameOf(part)} ${parts.indexOf(part) < 0}`,
        (part) => this.renderPart(part, parts.indexOf(part)),
      )}
    </svg>`;
  }

  /** A place to point at; `index` tells which of the parts it is, -1 that it is one once more. */
  private renderPart(part: Part, index: number): TemplateResult {
    const { key, says, box, steps, goes } = part;
    const [x, y, width, height] = [box.left, box.top, box.right - box.left, box.bottom - box.top];
    const name = nameOf(part);
    const at = (): number => this.parts.findIndex((each) => nameOf(each) === name);
    const point = (): void => void (this.pointed = part);
    if (index >= 0 && steps) {
      return svg`<rect class="hit" role="spinbutton" data-key=${name} x=${x} y=${y} width=${width} height=${height}
          tabindex=${index === this.current ? 0 : -1} aria-label=${says} aria-valuenow=${steps.value}
          @click=${() => this.ask(at())} @focus=${() => this.point(at())} @blur=${() => this.settle()}
          @pointerdown=${(event: PointerEvent) => this.press(event)}
          @pointermove=${(event: PointerEvent) => this.drag(event, steps.field)}
          @pointerup=${() => this.settle()} @pointercancel=${() => this.settle()}
          @pointerenter=${point} />`;
    }
    return index < 0
      ? svg`<rect class="hit" aria-hidden="true" x=${x} y=${y} width=${width} height=${height}
          @click=${() => this.ask(at())} @pointerenter=${point} />`
      : svg`<rect class="hit" role="button" data-key=${name} x=${x} y=${y} width=${width} height=${height}
          tabindex=${index === this.current ? 0 : -1}
          aria-label=${says} aria-expanded=${goes ? nothing : key === this.opened}
          @click=${() => this.ask(index)} @focus=${() => this.point(index)}
          @pointerenter=${point} />`;
  }

  private point(index: number): void {
    this.current = index;
    this.pointed = this.parts[index];
  }

  // ---- a number that is changed where it is drawn

  private pressed: { x: number; at: Element } | undefined;
  /** The field that was stepped and is not over yet. */
  private stepped: string | undefined;
  /** The press was a drag, so that its end asks nothing. */
  private hasDragged = false;

  private press(event: PointerEvent): void {
    const at = event.currentTarget as Element;
    this.hasDragged = false;
    this.pressed = { x: event.clientX, at };
    at.setPointerCapture(event.pointerId);
  }

  private drag(event: PointerEvent, field: string): void {
    const { pressed } = this;
    if (!pressed || event.currentTarget !== pressed.at) return;
    const steps = Math.trunc((event.clientX - pressed.x) / dragStep);
    if (steps === 0) return;
    pressed.x += steps * dragStep;
    this.hasDragged = true;
    for (let i = 0; i < Math.abs(steps); ++i) this.step(field, steps > 0 ? 1 : -1);
  }

  private step(field: string, direction: Step['direction']): void {
    this.stepped = direction === 0 ? undefined : field;
    this.dispatchEvent(new CustomEvent<Step>('step', { detail: { field, direction } }));
  }

  /** The change is over: the next one is another. */
  private settle(): void {
    this.pressed = undefined;
    if (this.stepped) this.step(this.stepped, 0);
  }

  private ask(index: number): void {
    const dragged = this.hasDragged;
    this.hasDragged = false;
    if (dragged) return;
    this.point(index);
    const detail = this.parts[index]?.key;
    if (detail) this.dispatchEvent(new CustomEvent('why', { detail }));
  }

  private onKey(event: KeyboardEvent): void {
    const at = event.target as Element;
    if (!at.matches('[data-key]')) return;
    const { length } = this.parts;
    const step = keys[event.key];
    const field = this.parts[this.current]?.steps?.field;
    const isUpright = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    if (field && isUpright) this.step(field, event.key === 'ArrowUp' ? 1 : -1);
    else if (event.key === 'Enter' || event.key === ' ') this.ask(this.current);
    else if (event.key === 'Home') this.focusOn(0);
    else if (event.key === 'End') this.focusOn(length - 1);
    else if (step) this.focusOn((this.current + step + length) % length);
    else return;
    event.preventDefault();
  }

  private focusOn(index: number): void {
    this.renderRoot.querySelectorAll<SVGElement>('[data-key]')[index]?.focus();
  }
}
