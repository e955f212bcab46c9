import { nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { normal, small } from './axes.ts';
import { Chart } from './chart.ts';
import type { MapAxis, MapData } from './data.ts';
import { cellBox, type Grid } from './grid-layout.ts';
import { keyed } from './keys.ts';
import { nearest } from './scale.ts';
import { px } from './shape.ts';
import type { Cell } from '../../export/csv.ts';
import type { Words } from './words.ts';

export interface Place {
  x: number;
  y: number;
}

/** Cells over two inputs, over which the reader goes. */
export abstract class GridMap<Data extends MapData> extends Chart<Data> {
  static override properties = { ...Chart.properties, pointed: { state: true } };

  /** The cell under the pointer. */
  declare protected pointed: Place | undefined;
  /** The place of the cursor without a state of the reader's. */
  private cursor: Place = { x: 0, y: 0 };
  protected abstract readonly grid: Grid;

  /** Drops cells that a new layout no longer has; call it with each layout. */
  protected keepCells(data: Data): void {
    const inside = ({ x, y }: Place): boolean =>
      x < data.x.values.length && y < data.y.values.length;
    if (!inside(this.cursor)) this.cursor = { x: 0, y: 0 };
    if (this.pointed && !inside(this.pointed)) this.pointed = undefined;
  }

  /** The value at the cursor, in words. */
  protected abstract sayOwn(data: Data, format: Formatter, words: Words): string;

  // ---- drawing

  protected override reading(data: Data, format: Formatter, words: Words): TemplateResult {
    const { plot, placeX, placeY } = this.grid;
    const at = this.at(data);
    const x = placeX(data.own?.x ?? data.x.values[at.x]!);
    const y = placeY(data.own?.y ?? data.y.values[at.y]!);
    const said = this.sayOwn(data, format, words);
    const pointed = this.pointed && cellBox(this.grid, this.pointed.x, this.pointed.y);
    return svg`
      ${this.mark(data, x, y)}
      ${
        pointed
          ? svg`<rect class="pointed" data-transient x=${px(pointed.left)} y=${px(pointed.top)} width=${px(pointed.width)} height=${px(pointed.height)} />`
          : nothing
      }
      ${data.own ? this.ownValues(data, format, x, y) : nothing}
      ${this.handle(data.x, 'x', at.x, `translate(${x} ${plot.top})`, said)}
      ${this.handle(data.y, 'y', at.y, `translate(${plot.right} ${y}) rotate(90)`, said)}`;
  }

  /** The cell at the cursor. */
  protected abstract mark(data: Data, x: number, y: number): TemplateResult;

  /** Lines through the cursor. */
  protected cross(own: boolean, x: number, y: number): TemplateResult {
    const { plot } = this.grid;
    return svg`<line class="at" ?data-transient=${!own} x1=${x} x2=${x} y1=${plot.top} y2=${plot.bottom} />
      <line class="at" ?data-transient=${!own} x1=${plot.left} x2=${plot.right} y1=${y} y2=${y} />`;
  }

  private ownValues(data: Data, format: Formatter, x: number, y: number): TemplateResult {
    const { plot } = this.grid;
    const at = this.at(data);
    const texts = [
      sayValue(data.x, at.x, format, data.own!.x),
      sayValue(data.y, at.y, format, data.own!.y),
    ];
    const beside = x + 14 + this.measure(texts[0]!, 600, normal) < this.width;
    const length = this.measure(texts[1]!, 600, small);
    const room = plot.left - 5;
    return svg`<text class="strong halo ${beside ? 'start' : 'end'}" x=${x + (beside ? 12 : -12)} y=${plot.top - 4}>${texts[0]}</text>
      <rect class="ground" x="0" y=${px(y - 9)} width=${plot.left} height="18" />
      <text class="value halo ${length > room ? '' : 'end'}" x=${length > room ? 0 : room} y=${px(y + small * 0.35)}>${texts[1]}</text>`;
  }

  /** A grip on an axis, for the keyboard and for fingers, which scroll when they drag upwards. */
  private handle(
    axis: MapAxis,
    direction: 'x' | 'y',
    index: number,
    transform: string,
    said: string,
  ): TemplateResult {
    return svg`<g class="handle-${direction}" role="slider" tabindex="0" transform=${transform} data-axis=${direction}
        aria-orientation=${direction === 'x' ? 'horizontal' : 'vertical'} aria-label=${axis.label}
        aria-valuemin="0" aria-valuemax=${axis.values.length - 1} aria-valuenow=${index} aria-valuetext=${said}
        @keydown=${this.onKey} @blur=${this.settle}>
      <circle class="ring" data-transient cy="-7" r="11" />
      <path class="handle" d="M0 0l6 -7v-6h-12v6z" />
    </g>`;
  }

  /** Both inputs at a cell, or at the reader's own state in it. */
  protected sayPlace(
    { x, y }: Data,
    at: Place,
    format: Formatter,
    exact?: { x: number; y: number },
  ): string {
    const xSaid = sayValue(x, at.x, format, exact?.x);
    return `${x.label} ${xSaid} · ${y.label} ${sayValue(y, at.y, format, exact?.y)}`;
  }

  /** A value of an axis for the table. */
  protected name({ names, values }: MapAxis, index: number): Cell {
    return names?.[index] ?? values[index]!;
  }

  /** Every cell, with what is said of it. */
  protected listCells(data: Data, say: (at: Place) => Cell[]): Cell[][] {
    const { x, y } = data;
    return Array.from({ length: x.values.length * y.values.length }, (_, index) => {
      const at = { x: index % x.values.length, y: Math.floor(index / x.values.length) };
      return [this.name(x, at.x), this.name(y, at.y), ...say(at)];
    });
  }

  // ---- the reader

  /** The cell that the cursor stands in. */
  protected at({ x, y, own }: Data): Place {
    if (!own) return this.cursor;
    const index = ({ values }: MapAxis, value: number): number =>
      nearest(values.length, (each) => values[each]!, value);
    return { x: index(x, own.x), y: index(y, own.y) };
  }

  private cellAt(x: number, y: number): Place {
    const { columns, rows } = this.grid;
    const last = (edges: number[], passed: (edge: number) => boolean): number =>
      Math.max(0, edges.slice(0, -1).filter(passed).length - 1);
    return { x: last(columns, (edge) => edge <= x), y: last(rows, (edge) => edge >= y) };
  }

  protected override hover(x: number | undefined, y: number): void {
    const { plot } = this.grid;
    const inside =
      x !== undefined && x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom;
    const at = inside ? this.cellAt(x, y) : undefined;
    if (at?.x !== this.pointed?.x || at?.y !== this.pointed?.y) this.pointed = at;
    this.toggleAttribute('grabbing', inside && this.canDrag());
  }

  protected override canDrag(): boolean {
    return this.data!.own !== undefined && this.data!.cells.length > 0;
  }

  protected override drag(x: number, y: number, done: boolean): void {
    this.pointed = undefined;
    this.tell(this.cellAt(x, y), done);
  }

  private onKey(event: KeyboardEvent): void {
    const data = this.data!;
    const axis = (event.currentTarget as SVGElement).dataset['axis'] as 'x' | 'y';
    const at = this.at(data);
    const index = keyed(event, at[axis], data[axis].values.length);
    if (index === undefined) return;
    event.preventDefault();
    this.pointed = undefined;
    const there = { ...at, [axis]: index };
    if (data.own) return this.tell(there, false);
    this.cursor = there;
    this.requestUpdate();
  }
}

function sayValue(axis: MapAxis, index: number, format: Formatter, value?: number): string {
  return axis.names?.[index] ?? format.say(value ?? axis.values[index]!, axis.unit);
}
