import {
  LitElement,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Formatter } from '../../number/format.ts';
import { sheetOf } from '../../dom/sheet.ts';
import text from './chart.css?inline';
import type { Finding } from './data.ts';
import { download, png, svgText } from './export.ts';
import { tableOf } from './table.ts';
import { csv, type Table } from '../../export/csv.ts';
import { measureBy } from './text.ts';
import type { Words } from './words.ts';

const style = sheetOf(text);

/** The table waits this long for data that changes with every frame to rest [ms]. */
const tableRests = 250;
/** A drawing is scaled down below this width. */
const narrowest = 240;
/** Pixels that a finger may stray before a touch is a drag. */
const tapWithin = 4;

/**
 * The base of all charts: a figure with its title, a drawing, the numbers at the pointer, a data table
 * and downloads. The drawing is laid out anew for each width, so that text keeps its size.
 */
export abstract class Chart<Data extends Finding, Said extends Words = Words> extends LitElement {
  static override styles: CSSStyleSheet[] = [style];
  static override properties: PropertyDeclarations = {
    data: { attribute: false },
    format: { attribute: false },
    words: { attribute: false },
    width: { state: true },
    table: { state: true },
  };

  declare data: Data | undefined;
  declare format: Formatter | undefined;
  declare words: Said | undefined;
  declare private table: Table | undefined;
  /** The width of the drawing in pixels; 0 before layout. */
  declare protected width: number;
  protected height = 0;
  /** Measures text in the font of the drawing. */
  private family = 'sans-serif';

  private readonly observer = new ResizeObserver(() => this.resize());
  private resting: ReturnType<typeof setTimeout> | undefined;
  private press: { id: number; x: number; y: number; dragging: boolean } | undefined;

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
    clearTimeout(this.resting);
  }

  private resize(): void {
    this.family = getComputedStyle(this).fontFamily;
    const { clientWidth } = this;
    this.width = clientWidth > 0 ? Math.max(narrowest, clientWidth) : 0;
  }

  // ---- what each chart does

  /** The properties that the layout depends on. */
  protected readonly laidBy: readonly string[] = ['data', 'format', 'words', 'width'];
  /** Finds where everything goes, for the data and the width. */
  protected abstract lay(data: Data, format: Formatter, words: Said): void;
  /** The static drawing, which changes with the data only. */
  protected abstract drawing(data: Data, format: Formatter, words: Said): TemplateResult;
  /** The overlay: the reader's own state, and marks under the pointer. */
  protected abstract reading(data: Data, format: Formatter, words: Said): TemplateResult;
  /** The numbers at the pointer or at the reader's own state. */
  protected abstract readout(data: Data, format: Formatter, words: Said): TemplateResult;
  /** Buttons above the drawing. */
  protected controls(_data: Data, _words: Said): TemplateResult | typeof nothing {
    return nothing;
  }
  protected abstract tabulate(data: Data, format: Formatter, words: Said): Table;
  /** The table for files, if it holds more than the page shows. */
  protected listed(data: Data, format: Formatter, words: Said): Table {
    return this.tabulate(data, format, words);
  }

  /** The pointer is at a place, or nowhere. */
  protected abstract hover(x: number | undefined, y: number): void;
  /** Whether what lies at a place can be dragged. */
  protected abstract canDrag(x: number, y: number): boolean;
  protected abstract drag(x: number, y: number, done: boolean): void;

  protected readonly measure = measureBy(() => this.family);

  // ---- drawing

  protected override willUpdate(changed: PropertyValues): void {
    const { data, format, words } = this;
    if (!data || !format || !words || this.width === 0) return;
    if (this.laidBy.some((name) => changed.has(name))) {
      this.lay(data, format, words);
    }
    if (this.table && !changed.has('table')) {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.renewTable(), tableRests);
    }
  }

  private renewTable(): void {
    const { data, format, words } = this;
    if (this.table && data && format && words) this.table = this.tabulate(data, format, words);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { data, format, words, width, height } = this;
    if (!data || !format || !words) return nothing;
    if (width === 0) return html`<figure><figcaption>${data.title}</figcaption></figure>`;
    const box = `0 0 ${width} ${height}`;
    return html`<figure aria-labelledby="title">
      <figcaption id="title">${data.title}</figcaption>
      <p id="description" class="hidden">${data.description}</p>
      ${this.controls(data, words)}
      <div class="plot">
        <svg
          class="drawing"
          role="img"
          aria-labelledby="title"
          aria-describedby="description"
          viewBox=${box}
        >
          ${this.drawing(data, format, words)}
        </svg>
        <svg
          class="reading"
          viewBox=${box}
          @pointerdown=${this.onPointerDown}
          @pointermove=${this.onPointerMove}
          @pointerup=${this.onPointerUp}
          @pointercancel=${this.onPointerUp}
          @pointerleave=${this.onPointerLeave}
        >
          ${this.reading(data, format, words)}
        </svg>
      </div>
      ${this.readout(data, format, words)}
      <div class="foot">
        <div class="tools">
          <button type="button" aria-label=${words.downloadSvg} @click=${this.saveSvg}>SVG</button>
          <button type="button" aria-label=${words.downloadPng} @click=${this.savePng}>PNG</button>
          <button type="button" aria-label=${words.downloadCsv} @click=${this.saveCsv}>CSV</button>
        </div>
        <details @toggle=${this.onToggle}>
          <summary>${words.dataTable}</summary>
          ${
            this.table
              ? guard([this.table, format], () => tableOf(this.table!, data.title, format, words))
              : nothing
          }
        </details>
      </div>
    </figure>`;
  }

  private onToggle(event: Event): void {
    const { data, format, words } = this;
    const { open } = event.target as HTMLDetailsElement;
    this.table = open && data && format && words ? this.tabulate(data, format, words) : undefined;
  }

  // ---- the pointer

  private placeOf(event: PointerEvent): [x: number, y: number] {
    const { left, top, width, height } = (
      event.currentTarget as SVGSVGElement
    ).getBoundingClientRect();
    return [
      ((event.clientX - left) * this.width) / width,
      ((event.clientY - top) * this.height) / height,
    ];
  }

  private onPointerDown(event: PointerEvent): void {
    const [x, y] = this.placeOf(event);
    if (event.button !== 0 || !this.canDrag(x, y)) return;
    (event.currentTarget as SVGSVGElement).setPointerCapture(event.pointerId);
    // A finger that goes down may be about to scroll: it drags once it moves sideways.
    const dragging = event.pointerType !== 'touch';
    this.press = { id: event.pointerId, x, y, dragging };
    if (dragging) {
      this.toggleAttribute('dragging', true);
      this.drag(x, y, false);
    }
  }

  private onPointerMove(event: PointerEvent): void {
    const [x, y] = this.placeOf(event);
    const { press } = this;
    if (!press || event.pointerId !== press.id) return this.hover(x, y);
    if (!press.dragging && Math.hypot(x - press.x, y - press.y) < tapWithin) return;
    press.dragging = true;
    this.toggleAttribute('dragging', true);
    this.drag(x, y, false);
  }

  private onPointerUp(event: PointerEvent): void {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    this.press = undefined;
    this.toggleAttribute('dragging', false);
    const [x, y] = event.type === 'pointerup' ? this.placeOf(event) : [press.x, press.y];
    if (press.dragging || event.type === 'pointerup') this.drag(x, y, true);
  }

  private onPointerLeave(): void {
    this.hover(undefined, 0);
  }

  // ---- telling

  /** The reader's last move, until it ends. */
  private going: object | undefined;

  protected tell(where: object, done: boolean): void {
    this.going = done ? undefined : where;
    this.dispatchEvent(new CustomEvent('move', { detail: { ...where, done } }));
  }

  /** Ends a change by keys, which have no end of their own: the focus has gone elsewhere. */
  protected settle(): void {
    if (this.going) this.tell(this.going, true);
  }

  // ---- downloads

  /** The drawing as it is now, as a file of its own. */
  svg(): string {
    const { title, description } = this.data!;
    return svgText({
      layers: [...this.renderRoot.querySelectorAll<SVGSVGElement>('.plot > svg')],
      title,
      description,
      width: this.width,
      height: this.height,
    });
  }

  csv(): string {
    return csv(this.listed(this.data!, this.format!, this.words!));
  }

  private saveSvg(): void {
    download(new Blob([this.svg()], { type: 'image/svg+xml' }), `${this.data!.file}.svg`);
  }

  private async savePng(): Promise<void> {
    download(await png(this.svg()), `${this.data!.file}.png`);
  }

  private saveCsv(): void {
    download(new Blob([this.csv()], { type: 'text/csv' }), `${this.data!.file}.csv`);
  }
}
