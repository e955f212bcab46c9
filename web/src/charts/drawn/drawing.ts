// <scaling-drawing>: a training, drawn. Its parts are one list of buttons with one tab stop; pointing at
// one lights and names it everywhere, choosing it asks why (`why`, with its key).

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
import { sheetOf } from '../../dom/sheet.ts';
import { measureBy } from '../kit/text.ts';
import { definitions, draw } from './draw.ts';
import style from './drawn.css?inline';
import type { DrawingData, DrawingWords, Reading } from './drawing-data.ts';
import type { Part, Sheet } from './marks.ts';
import { lit, table } from './reading.ts';
import { wholeOf } from './step.ts';
import {
  heights,
  layMachines,
  layMachinesNarrow,
  layTankNarrow,
  layTime,
  layTimeNarrow,
  narrowBelow,
} from './training.ts';

/** Changes that follow each other within this time are one [ms]. */
const oneChange = 1200;
/** A ghost closer than this share to what is drawn can't be told from it. */
const apart = 0.004;

/** Narrower ones, as while a page is being laid out, show nothing. */
const leastWidth = 100;

const keys: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class Drawing extends LitElement {
  static override styles = [sheetOf(style)];
  static override properties: PropertyDeclarations = {
    data: { attribute: false },
    words: { attribute: false },
    opened: { attribute: false },
    width: { state: true },
    pointed: { state: true },
    reading: { state: true },
  };

  declare data: DrawingData | undefined;
  declare words: DrawingWords | undefined;
  /** The part whose reason is open. */
  declare opened: string | undefined;
  declare private width: number;
  /** The part under the pointer or in focus. */
  declare private pointed: Part | undefined;
  /** The unit in which the step reads. */
  declare private reading: string | undefined;

  private family = 'sans-serif';
  private sheets: Sheet[] = [];
  /** The part that the tab key comes to. */
  private current = 0;
  /** What was drawn before the reader's change, and when that was. */
  private ghost: DrawingData | undefined;
  private changedAt = 0;
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
  }

  private resize(): void {
    this.family = getComputedStyle(this).fontFamily;
    this.width = this.clientWidth;
  }

  private get read(): Reading | undefined {
    const { data, reading } = this;
    return data?.readings.find(({ key }) => key === reading) ?? data?.readings[0];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('data');
    if (before && this.data && isOther(before, this.data)) {
      const now = performance.now();
      if (now - this.changedAt > oneChange) this.ghost = before;
      this.changedAt = now;
    }
    const laid = ['data', 'width', 'reading'].some((name) =>
      (changed as Map<PropertyKey, unknown>).has(name),
    );
    if (laid) this.lay();
  }

  private lay(): void {
    const { data, read, width, measure } = this;
    if (!data || !read || width < leastWidth) return;
    const machines = { ...data, tank: { ...data.tank, ghost: this.usedBefore(data) } };
    const time = { ...read, step: { ...read.step, ghost: this.timeBefore(read) } };
    this.sheets =
      width < narrowBelow
        ? [
            layTankNarrow(measure, width, machines),
            layTimeNarrow(measure, width, time),
            layMachinesNarrow(measure, width, machines),
          ]
        : [layMachines(measure, width, machines), layTime(measure, width, time)];
  }

  private usedBefore(data: DrawingData): number | undefined {
    return this.ghost && unlike(usedIn(this.ghost), usedIn(data));
  }

  private timeBefore({ key, step }: Reading): number | undefined {
    const before = this.ghost?.readings.find((each) => each.key === key);
    return before && unlike(wholeOf(before.step), wholeOf(step));
  }

  /** What a reader can come to by the keyboard: each part once, at its first place. */
  private get parts(): Part[] {
    const all = this.sheets.flatMap(({ parts }) => parts);
    return all.filter(({ key }, index) => all.findIndex((part) => part.key === key) === index);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { data, words, width, read } = this;
    if (!data || !words || !read) return nothing;
    const isNarrow = width < narrowBelow;
    const { wide, narrow } = heights;
    const tall = isNarrow
      ? [narrow.tank, narrow.time, data.replica ? narrow.machines : 0]
      : [data.replica ? wide.machines : wide.tank, wide.time];
    const { parts } = this;
    const drawn = this.sheets.map((sheet, index) =>
      this.renderSheet(sheet, tall[index] ?? 0, parts, index === 0),
    );
    return html`<figure class=${data.ghostly ? 'ghostly' : ''}>
      <div
        class="sheets"
        role="toolbar"
        aria-label=${data.title}
        @keydown=${this.onKey}
        @focusout=${() => (this.pointed = undefined)}
        @pointerleave=${() => (this.pointed = undefined)}
      >
        ${drawn[0]} ${this.renderUnits(data, words, read)} ${drawn.slice(1)}
      </div>
      <p class="named" aria-hidden="true">${this.pointed?.says ?? nothing}</p>
      ${guard([data, read], () => table(data, words, read))}
    </figure>`;
  }

  private renderUnits(data: DrawingData, words: DrawingWords, read: Reading): TemplateResult {
    return html`<div class="units" role="group" aria-labelledby="goes">
      <span id="goes">${words.goes}</span>
      ${data.readings.map(
        ({ key, label }) =>
          html`<button
            type="button"
            aria-pressed=${key === read.key}
            @click=${() => (this.reading = key)}
          >
            ${label}
          </button>`,
      )}
    </div>`;
  }

  private renderSheet(
    sheet: Sheet,
    height: number,
    parts: readonly Part[],
    defines: boolean,
  ): TemplateResult {
    const { pointed, width } = this;
    return html`<svg viewBox="0 0 ${width} ${height}" width=${width} height=${height}>
      ${defines ? definitions() : nothing}
      <g aria-hidden="true">${guard([sheet], () => sheet.marks.map(draw))}</g>
      <g aria-hidden="true">${lit(sheet, pointed?.key)}</g>
      ${sheet.parts.map((part) => this.renderPart(part, parts.indexOf(part)))}
    </svg>`;
  }

  /** A place to point at; `index` tells which of the parts it is, -1 that it is one once more. */
  private renderPart(part: Part, index: number): TemplateResult {
    const { key, says, box } = part;
    const [x, y, width, height] = [box.left, box.top, box.right - box.left, box.bottom - box.top];
    const at = (): number => this.parts.findIndex((each) => each.key === key);
    const point = (): void => void (this.pointed = part);
    return index < 0
      ? svg`<rect class="hit" aria-hidden="true" x=${x} y=${y} width=${width} height=${height}
          @click=${() => this.ask(at())} @pointerenter=${point} />`
      : svg`<rect class="hit" role="button" data-key=${key} x=${x} y=${y} width=${width} height=${height}
          tabindex=${index === this.current ? 0 : -1}
          aria-label=${says} aria-expanded=${key === this.opened}
          @click=${() => this.ask(index)} @focus=${() => this.point(index)}
          @pointerenter=${point} />`;
  }

  private point(index: number): void {
    this.current = index;
    this.pointed = this.parts[index];
  }

  private ask(index: number): void {
    this.point(index);
    const detail = this.parts[index]?.key;
    if (detail) this.dispatchEvent(new CustomEvent('why', { detail }));
  }

  private onKey(event: KeyboardEvent): void {
    const at = event.target as Element;
    if (at.getAttribute('role') !== 'button') return;
    const { length } = this.parts;
    const step = keys[event.key];
    if (event.key === 'Enter' || event.key === ' ') this.ask(this.current);
    else if (event.key === 'Home') this.focusOn(0);
    else if (event.key === 'End') this.focusOn(length - 1);
    else if (step) this.focusOn((this.current + step + length) % length);
    else return;
    event.preventDefault();
  }

  private focusOn(index: number): void {
    this.renderRoot.querySelectorAll<SVGElement>('[role=button]')[index]?.focus();
  }
}

const usedIn = ({ tank }: DrawingData): number =>
  tank.pieces.reduce((all, { value }) => all + value, 0);

/** Whether the levels differ: the page draws again for other reasons, too. */
const isOther = (one: DrawingData, other: DrawingData): boolean =>
  usedIn(one) !== usedIn(other) ||
  one.readings.some(({ step }, index) => {
    const there = other.readings[index];
    return !there || wholeOf(there.step) !== wholeOf(step);
  });

/** What was, where it can be told from what is. */
const unlike = (before: number, now: number): number | undefined =>
  Math.abs(before - now) > apart * now ? before : undefined;
