import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes } from '../kit/axes.ts';
import type { Category, ValueMapData } from '../kit/data.ts';
import { cellBox } from '../kit/grid-layout.ts';
import { GridMap, type Place } from '../kit/grid-map.ts';
import { hatching } from '../kit/kinds.ts';
import { style } from '../kit/plan-style.ts';
import { glyphs, px } from '../kit/shape.ts';
import type { Table } from '../../export/csv.ts';
import { hasValue, layValueMap, shades, type ValueMapLayout } from './value-map-layout.ts';
import type { Words } from '../kit/words.ts';

const star = 'M0 -6l1.8 3.9l4.2 .5l-3.1 2.9l.8 4.2l-3.7 -2.1l-3.7 2.1l.8 -4.2l-3.1 -2.9l4.2 -.5z';

/** The map of a quantity over two inputs. */
export class ValueMap extends GridMap<ValueMapData> {
  static override styles = [...GridMap.styles, style];

  private layout!: ValueMapLayout;

  protected override get grid(): ValueMapLayout {
    return this.layout;
  }

  protected override lay(data: ValueMapData, format: Formatter): void {
    this.layout = layValueMap(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepCells(data);
  }

  // ---- drawing

  protected override drawing(data: ValueMapData): TemplateResult {
    const { plot, xTicks, yTicks, placeX, placeY, shaded, absent, numbers } = this.layout;
    return svg`
      <defs>
        ${hatching('outside')}
        <clipPath id="absent"><path d=${absent} /></clipPath>
      </defs>
      ${shaded.map((d, index) => svg`<path class="shade" d=${d} fill-opacity=${shades[index]!} />`)}
      <rect x=${plot.left} y=${plot.top} width=${px(plot.right - plot.left)} height=${px(plot.bottom - plot.top)} fill="url(#outside)" clip-path="url(#absent)" />
      ${axes(plot, { ticks: xTicks, place: placeX }, { ticks: yTicks, place: placeY }, this.width, this.measure, false)}
      ${numbers.map(({ at, x, y, text }) => svg`<text class="halo middle ${at === data.best?.at ? 'value' : ''}" x=${x} y=${y}>${text}</text>`)}
      ${data.best ? this.best(data, data.best.at) : nothing}
      ${this.legend(data)}`;
  }

  /** The mark of the best cell: in its corner, or in its middle where it has no number. */
  private best({ x }: ValueMapData, at: number): TemplateResult {
    const columns = x.values.length;
    const box = cellBox(this.layout, at % columns, Math.floor(at / columns));
    const { left, top, width, height } = box;
    const beside = this.layout.numbers.length > 0;
    const size = beside ? Math.min(1, height / 44) : 1;
    const [dx, dy] = beside ? [9 * size, 9 * size] : [width / 2, height / 2];
    return svg`<path class="star" transform="translate(${px(left + dx)} ${px(top + dy)}) scale(${px(size)})" d=${star} />`;
  }

  private legend({ best }: ValueMapData): TemplateResult {
    const { baseline, width, title, after, count, labels } = this.layout.legend;
    return svg`<g>
      <text class="quiet" x="0" y=${baseline}>${title}</text>
      ${shades.slice(0, count).map((opacity, index) => svg`<rect class="shade" x=${index * width} y=${baseline + 6} width=${width} height="14" fill-opacity=${opacity} />`)}
      ${labels.map(({ x, text, anchor }) => svg`<text class=${anchor} x=${x} y=${baseline + 33}>${text}</text>`)}
      ${
        best
          ? svg`<path class="star" transform="translate(${after} ${baseline - 4})" d=${star} />
              <text x=${after + 10} y=${baseline}>${best.label}</text>`
          : nothing
      }
    </g>`;
  }

  protected override mark(data: ValueMapData, x: number, y: number): TemplateResult {
    const { own } = data;
    const at = this.at(data);
    const { left, top, width, height } = cellBox(this.layout, at.x, at.y);
    return svg`${this.layout.numbers.length > 0 ? nothing : this.cross(own !== undefined, x, y)}
      <rect class="own" ?data-transient=${!own} x=${px(left)} y=${px(top)} width=${px(width)} height=${px(height)} />`;
  }

  // ---- saying

  private indexOf({ x }: ValueMapData, at: Place): number {
    return at.y * x.values.length + at.x;
  }

  private kindAt({ kinds, categories }: ValueMapData, index: number): Category | undefined {
    return categories?.[kinds?.[index] ?? -1];
  }

  /** The value of a cell, or why there is none. */
  private sayValue(data: ValueMapData, index: number, format: Formatter, words: Words): string {
    return hasValue(data, index)
      ? format.say(data.cells[index]!, data.value.unit)
      : this.sayNone(data, index, words);
  }

  private sayNone({ absent, absences }: ValueMapData, index: number, words: Words): string {
    const reason = absent?.[index];
    return (reason && absences?.[reason - 1]) || words.none;
  }

  protected override sayOwn(data: ValueMapData, format: Formatter, words: Words): string {
    const at = this.at(data);
    const index = this.indexOf(data, at);
    const { label } = (hasValue(data, index) && this.kindAt(data, index)) || {};
    return [
      this.sayPlace(data, at, format, data.own),
      this.sayValue(data, index, format, words),
      ...(label ? [label] : []),
      ...(data.best?.at === index ? [data.best.label] : []),
    ].join(' · ');
  }

  protected override readout(data: ValueMapData, format: Formatter, words: Words): TemplateResult {
    const at = this.pointed ?? this.at(data);
    const index = this.indexOf(data, at);
    const kind = hasValue(data, index) ? this.kindAt(data, index) : undefined;
    return html`<p class="readout">
      <span>${this.sayPlace(data, at, format, this.pointed ? undefined : data.own)}</span>
      <b>${this.sayValue(data, index, format, words)}</b>
      ${
        kind
          ? html`<span class="word ${kind.bound ?? ''}"
              >${kind.bound ? `${glyphs[kind.bound]} ` : ''}${kind.label}</span
            >`
          : nothing
      }
      ${data.best?.at === index ? html`<span>★ ${data.best.label}</span>` : nothing}
    </p>`;
  }

  protected override tabulate(data: ValueMapData, _: Formatter, words: Words): Table {
    const { x, y, value, cells, categories } = data;
    return {
      columns: [
        { label: x.label, unit: x.unit },
        { label: y.label, unit: y.unit },
        { label: value.label, unit: value.unit },
        ...(categories ? [{ label: words.kind }] : []),
      ],
      rows: this.listCells(data, (at) => {
        const index = this.indexOf(data, at);
        if (!hasValue(data, index)) return [this.sayNone(data, index, words)];
        return [cells[index]!, ...(categories ? [this.kindAt(data, index)?.label] : [])];
      }),
    };
  }

  // ---- the reader

  /** A cell can be chosen though the reader's own is in none. */
  protected override canDrag(): boolean {
    return this.data!.cells.length > 0;
  }
}
