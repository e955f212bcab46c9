import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../number/format.ts';
import { axes, normal, small } from './axes.ts';
import { Chart } from './chart.ts';
import type { Category, HeatMapData, MapAxis } from './data.ts';
import { layHeatMap, type HeatMapLayout } from './heat-map-layout.ts';
import { keyed } from './keys.ts';
import { nearest } from './scale.ts';
import { glyphs, px, shapePath } from './shape.ts';
import type { Cell, Table } from './table.ts';
import type { Words } from './words.ts';

const ownRadius = 7;
/** From one shape of a pattern to the next. */
const patternStep = 28;

interface Place {
  x: number;
  y: number;
}

/** What is so over two inputs. */
export class HeatMap extends Chart<HeatMapData> {
  static override properties = { ...Chart.properties, pointed: { state: true } };

  /** The cell under the pointer. */
  declare private pointed: Place | undefined;
  /** Where the cursor stands without a state of the reader's. */
  private cursor: Place = { x: 0, y: 0 };
  private layout!: HeatMapLayout;

  protected override lay(data: HeatMapData, format: Formatter): void {
    this.layout = layHeatMap(data, this.width, format, this.measure);
    this.height = this.layout.height;
    const inside = ({ x, y }: Place): boolean =>
      x < data.x.values.length && y < data.y.values.length;
    if (!inside(this.cursor)) this.cursor = { x: 0, y: 0 };
    if (this.pointed && !inside(this.pointed)) this.pointed = undefined;
  }

  // ---- drawing

  protected override drawing(): TemplateResult {
    const { plot, cell, xTicks, yTicks, placeX, placeY, regions, absent } = this.layout;
    const across = plot.right - plot.left;
    const up = plot.bottom - plot.top;
    // Cells are whole numbers; this brings them to their place and size.
    const toPixels = `translate(${plot.left} ${plot.top}) scale(${cell.width} ${cell.height})`;
    return svg`
      <defs>
        ${regions.map(
          ({ category: { bound }, d }, index) => svg`
            <pattern id="shapes-${index}" width=${patternStep} height=${patternStep} patternUnits="userSpaceOnUse">
              ${
                bound
                  ? svg`<path class="sprinkle ${bound}" transform="translate(${patternStep / 4} ${patternStep / 4})" d=${shapePath(bound, 2.5)} />
                    <path class="sprinkle ${bound}" transform="translate(${(patternStep * 3) / 4} ${(patternStep * 3) / 4})" d=${shapePath(bound, 2.5)} />`
                  : svg`<path class="stripe" d=${stripes(index)} />`
              }
            </pattern>
            <clipPath id="region-${index}"><path transform=${toPixels} d=${d} /></clipPath>`,
        )}
      </defs>
      ${regions.map(
        ({ category: { bound }, d }, index) => svg`
          <path class="region ${bound ?? `tone-${index % 4}`}" transform=${toPixels} d=${d} />
          <rect x=${plot.left} y=${plot.top} width=${px(across)} height=${px(up)} fill="url(#shapes-${index})" clip-path="url(#region-${index})" />`,
      )}
      <path class="absent" transform=${toPixels} d=${absent} />
      ${axes(plot, { ticks: xTicks, place: placeX }, { ticks: yTicks, place: placeY }, this.width, this.measure, false)}
      ${regions.map(({ category: { bound }, text, name }) =>
        name
          ? svg`<text class="halo middle strong word ${bound ?? ''}" x=${name.x} y=${name.y}>${text}</text>`
          : nothing,
      )}`;
  }

  protected override reading(data: HeatMapData, format: Formatter, words: Words): TemplateResult {
    const { plot, placeX, placeY, cell } = this.layout;
    const at = this.at(data);
    const x = placeX(data.own?.x ?? data.x.values[at.x]!);
    const y = placeY(data.own?.y ?? data.y.values[at.y]!);
    const bound = this.ownCategory(data)?.bound;
    const said = this.sayOwn(data, format, words);
    const pointed = this.pointed && {
      x: plot.left + this.pointed.x * cell.width,
      y: plot.bottom - (this.pointed.y + 1) * cell.height,
    };
    return svg`
      <line class="at" ?data-transient=${!data.own} x1=${x} x2=${x} y1=${plot.top} y2=${plot.bottom} />
      <line class="at" ?data-transient=${!data.own} x1=${plot.left} x2=${plot.right} y1=${y} y2=${y} />
      ${
        pointed
          ? svg`<rect class="pointed" data-transient x=${px(pointed.x)} y=${px(pointed.y)} width=${px(cell.width)} height=${px(cell.height)} />`
          : nothing
      }
      <path class="point own ${bound ?? ''}" ?data-transient=${!data.own} transform="translate(${x} ${y})" d=${shapePath(bound, ownRadius)} />
      ${data.own ? this.ownValues(data, format, x, y) : nothing}
      ${this.handle(data.x, 'x', at.x, `translate(${x} ${plot.top})`, said)}
      ${this.handle(data.y, 'y', at.y, `translate(${plot.right} ${y}) rotate(90)`, said)}`;
  }

  private ownValues(data: HeatMapData, format: Formatter, x: number, y: number): TemplateResult {
    const { plot } = this.layout;
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

  private categoryAt(
    { cells, absent, categories, x }: HeatMapData,
    at: Place,
  ): Category | undefined {
    const index = at.y * x.values.length + at.x;
    return absent?.[index] ? undefined : categories[cells[index]!];
  }

  /** The state's own category, which near an edge may differ from its cell's. */
  private ownCategory(data: HeatMapData): Category | undefined {
    const category = data.own?.category;
    return category === undefined
      ? this.categoryAt(data, this.at(data))
      : data.categories[category];
  }

  private sayOwn(data: HeatMapData, format: Formatter, words: Words): string {
    const at = this.at(data);
    const said = this.ownCategory(data)?.label ?? this.sayCell(data, at, words);
    return `${this.sayPlace(data, at, format, data.own)} · ${said}`;
  }

  private sayCell(data: HeatMapData, at: Place, words: Words): string {
    const category = this.categoryAt(data, at);
    if (category) return category.label;
    const reason = data.absent?.[at.y * data.x.values.length + at.x];
    return (reason && data.absences?.[reason - 1]) || words.none;
  }

  /** Both inputs at a cell, or at the reader's own state in it. */
  private sayPlace(
    { x, y }: HeatMapData,
    at: Place,
    format: Formatter,
    exact?: { x: number; y: number },
  ): string {
    const xSaid = sayValue(x, at.x, format, exact?.x);
    return `${x.label} ${xSaid} · ${y.label} ${sayValue(y, at.y, format, exact?.y)}`;
  }

  protected override readout(data: HeatMapData, format: Formatter, words: Words): TemplateResult {
    const at = this.pointed ?? this.at(data);
    const category = this.pointed ? this.categoryAt(data, at) : this.ownCategory(data);
    const bound = category?.bound;
    const unnamed = this.layout.regions.filter(({ name, d }) => !name && d);
    return html`<p class="readout">
        <span>${this.sayPlace(data, at, format, this.pointed ? undefined : data.own)}</span>
        <span class="word ${bound ?? ''}"
          >${bound ? `${glyphs[bound]} ` : ''}${category?.label ?? this.sayCell(data, at, words)}</span
        >
      </p>
      ${
        unnamed.length > 0
          ? html`<p class="readout quiet">
              ${unnamed.map(
                ({ category: { bound }, text }) =>
                  html`<span class="word ${bound ?? ''}">${text}</span>`,
              )}
            </p>`
          : nothing
      }`;
  }

  /** A row for each run, so that it can be read; the whole grid is in the file. */
  protected override tabulate(data: HeatMapData, _: Formatter, words: Words): Table {
    const { x, y } = data;
    const name = (axis: MapAxis, index: number): Cell => axis.names?.[index] ?? axis.values[index]!;
    const rows: Cell[][] = [];
    for (let row = 0; row < y.values.length; ++row) {
      let from = 0;
      for (let column = 1; column <= x.values.length; ++column) {
        const said = this.sayCell(data, { x: from, y: row }, words);
        const ends =
          column === x.values.length || this.sayCell(data, { x: column, y: row }, words) !== said;
        if (!ends) continue;
        rows.push([name(y, row), name(x, from), name(x, column - 1), said]);
        from = column;
      }
    }
    return {
      columns: [
        { label: y.label, unit: y.unit },
        { label: `${x.label} ${words.from}`, unit: x.unit },
        { label: words.to, unit: x.unit },
        { label: words.kind },
      ],
      rows,
    };
  }

  protected override listed(data: HeatMapData, _: Formatter, words: Words): Table {
    const { x, y } = data;
    const name = (axis: MapAxis, index: number): Cell => axis.names?.[index] ?? axis.values[index]!;
    return {
      columns: [
        { label: x.label, unit: x.unit },
        { label: y.label, unit: y.unit },
        { label: words.kind },
      ],
      rows: Array.from({ length: x.values.length * y.values.length }, (_, index) => {
        const at = { x: index % x.values.length, y: Math.floor(index / x.values.length) };
        return [name(x, at.x), name(y, at.y), this.sayCell(data, at, words)];
      }),
    };
  }

  // ---- the reader

  /** The cell that the cursor stands in. */
  private at({ x, y, own }: HeatMapData): Place {
    if (!own) return this.cursor;
    const index = ({ values }: MapAxis, value: number): number =>
      nearest(values.length, (each) => values[each]!, value);
    return { x: index(x, own.x), y: index(y, own.y) };
  }

  private cellAt(x: number, y: number): Place {
    const { plot, cell } = this.layout;
    const { x: columns, y: rows } = this.data!;
    const clamp = (value: number, count: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor(value)));
    return {
      x: clamp((x - plot.left) / cell.width, columns.values.length),
      y: clamp((plot.bottom - y) / cell.height, rows.values.length),
    };
  }

  protected override hover(x: number | undefined, y: number): void {
    const { plot } = this.layout;
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

/** Hatching that differs from one category to the next. */
function stripes(index: number): string {
  const step = patternStep / 4;
  const slanted = index % 2 === 0;
  return [0, 1, 2, 3]
    .filter((each) => index < 2 || each % 2 === 0)
    .map((each) =>
      slanted
        ? `M0 ${(each + 1) * step}L${(each + 1) * step} 0M${each * step} ${patternStep}L${patternStep} ${each * step}`
        : `M${each * step} 0L${patternStep} ${patternStep - each * step}M0 ${each * step}L${patternStep - each * step} ${patternStep}`,
    )
    .join('');
}
