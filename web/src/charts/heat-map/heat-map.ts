import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes } from '../kit/axes.ts';
import type { Category, HeatMapData } from '../kit/data.ts';
import { GridMap, type Place } from '../kit/grid-map.ts';
import { layHeatMap, type HeatMapLayout } from './heat-map-layout.ts';
import { glyphs, px, shapePath } from '../kit/shape.ts';
import type { Cell, Table } from '../../export/csv.ts';
import type { Words } from '../kit/words.ts';

const ownRadius = 7;
/** The distance from one shape of a pattern to the next. */
const patternStep = 28;

/** An answer over two inputs. */
export class HeatMap extends GridMap<HeatMapData> {
  private layout!: HeatMapLayout;

  protected override get grid(): HeatMapLayout {
    return this.layout;
  }

  protected override lay(data: HeatMapData, format: Formatter): void {
    this.layout = layHeatMap(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepCells(data);
  }

  // ---- drawing

  protected override drawing(): TemplateResult {
    const { plot, xTicks, yTicks, placeX, placeY, regions, absent, border } = this.layout;
    const across = plot.right - plot.left;
    const up = plot.bottom - plot.top;
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
            <clipPath id="region-${index}"><path d=${d} /></clipPath>`,
        )}
      </defs>
      ${regions.map(
        ({ category: { bound }, d }, index) => svg`
          <path class="region ${bound ?? `tone-${index % 4}`}" d=${d} />
          <rect x=${plot.left} y=${plot.top} width=${px(across)} height=${px(up)} fill="url(#shapes-${index})" clip-path="url(#region-${index})" />`,
      )}
      <path class="absent" d=${absent} />
      <path class="border" d=${border} />
      ${axes(plot, { ticks: xTicks, place: placeX }, { ticks: yTicks, place: placeY }, this.width, this.measure, false)}
      ${regions.map(({ category: { bound }, text, name }) =>
        name
          ? svg`<text class="halo middle strong word ${bound ?? ''}" x=${name.x} y=${name.y}>${text}</text>`
          : nothing,
      )}`;
  }

  protected override mark(data: HeatMapData, x: number, y: number): TemplateResult {
    const bound = this.ownCategory(data)?.bound;
    return svg`${this.cross(data.own !== undefined, x, y)}
      <path class="point own ${bound ?? ''}" ?data-transient=${!data.own} transform="translate(${x} ${y})" d=${shapePath(bound, ownRadius)} />`;
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

  protected override sayOwn(data: HeatMapData, format: Formatter, words: Words): string {
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
    const rows: Cell[][] = [];
    for (let row = 0; row < y.values.length; ++row) {
      let from = 0;
      for (let column = 1; column <= x.values.length; ++column) {
        const said = this.sayCell(data, { x: from, y: row }, words);
        const ends =
          column === x.values.length || this.sayCell(data, { x: column, y: row }, words) !== said;
        if (!ends) continue;
        rows.push([this.name(y, row), this.name(x, from), this.name(x, column - 1), said]);
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
    return {
      columns: [
        { label: x.label, unit: x.unit },
        { label: y.label, unit: y.unit },
        { label: words.kind },
      ],
      rows: this.listCells(data, (at) => [this.sayCell(data, at, words)]),
    };
  }
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
