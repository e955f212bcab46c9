import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../number/format.ts';
import { axes } from './axes.ts';
import { edgesOf, layBars, valueAt, type BarsLayout } from './bars-layout.ts';
import type { BarsData } from './data.ts';
import { legend, letterOf, letters, patterns } from './kinds.ts';
import { hardLimit, limitLines } from './limits.ts';
import { Picker } from './picker.ts';
import { rowAt, rowNames } from './rows.ts';
import { px } from './shape.ts';
import type { Table } from './table.ts';
import type { PlanWords } from './words.ts';

/** What a whole is made of, in one bar or in several, against what there is room for. */
export class Bars extends Picker<BarsData> {
  private layout!: BarsLayout;

  protected override lay(data: BarsData, format: Formatter): void {
    this.layout = layBars(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepMarks(data);
  }

  /** A mark is a kind in a row. */
  protected override count({ rows, kinds }: BarsData): number {
    return rows.length * kinds.length;
  }

  private partOf(index: number): { row: number; kind: number } {
    const { length } = this.data!.kinds;
    return { row: Math.floor(index / length), kind: index % length };
  }

  private get row(): number {
    return this.shown === undefined ? this.layout.fullest : this.partOf(this.shown).row;
  }

  // ---- drawing

  protected override drawing(data: BarsData): TemplateResult {
    const { plot, x, xTicks, rows, kinds, limits, beyond } = this.layout;
    const none = { at: [], labels: [], title: data.rows.length > 1 ? data.row : '' };
    return svg`
      ${patterns(data.kinds)}
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: none, place: x.place }, this.width, this.measure)}
      ${kinds.map((d, kind) => svg`<path class="piece" d=${d} fill="url(#kind-${kind})" />`)}
      ${beyond ? svg`<path class="too-much" d=${beyond} fill="url(#beyond)" />` : nothing}
      ${limitLines(limits, plot.bottom, plot.top)}
      ${letters(data.kinds, this.layout.letters)}
      ${rowNames(rows)}`;
  }

  protected override reading(data: BarsData, format: Formatter, words: PlanWords): TemplateResult {
    const { shown, row } = this;
    const values = data.kinds.map((_, kind) => format.say(valueAt(data, row, kind), data.x.unit));
    const kind = shown === undefined ? undefined : this.partOf(shown).kind;
    return svg`${legend(data.kinds, this.layout.legend, values, kind)}
      ${this.list(data, format, words, (index) => this.ring(data, index))}`;
  }

  private ring(data: BarsData, index: number): TemplateResult {
    const { row, kind } = this.partOf(index);
    const { x, rows } = this.layout;
    const edges = edgesOf(data, row);
    const from = x.place(edges[kind]!);
    const width = x.place(edges[kind + 1]!) - from;
    return svg`<rect class="picked" data-transient x=${px(from)} y=${rows.top(row)} width=${px(width)} height=${rows.thick} />`;
  }

  protected override say(
    data: BarsData,
    index: number,
    format: Formatter,
    words: PlanWords,
  ): string {
    const { row, kind } = this.partOf(index);
    const value = format.say(valueAt(data, row, kind), data.x.unit);
    return [
      ...this.sayRow(data, row),
      `${data.kinds[kind]!.label} ${value}`,
      ...this.sayTotal(data, row, format, words),
    ].join(' · ');
  }

  private sayRow({ row, rows }: BarsData, index: number): string[] {
    const name = rows[index];
    return name ? [rows.length > 1 ? `${row} ${name}` : name] : [];
  }

  private sayTotal(data: BarsData, row: number, format: Formatter, words: PlanWords): string[] {
    const total = this.layout.totals[row]!;
    const rest = hardLimit(data.limits) - total;
    const say = (value: number): string => format.say(value, data.x.unit);
    return [
      `${words.total} ${say(total)}`,
      ...(rest < Infinity ? [`${rest < 0 ? words.over : words.free} ${say(Math.abs(rest))}`] : []),
    ];
  }

  protected override readout(data: BarsData, format: Formatter, words: PlanWords): TemplateResult {
    const { shown, row } = this;
    if (data.rows.length === 0) return html`<p class="readout"></p>`;
    const kind = shown === undefined ? undefined : this.partOf(shown).kind;
    return html`<p class="readout">
      ${this.sayRow(data, row).map((text) => html`<b>${text}</b>`)}
      ${
        kind === undefined
          ? nothing
          : html`<span
              >${letterOf(data.kinds[kind]!, kind)} ${data.kinds[kind]!.label}
              ${format.say(valueAt(data, row, kind), data.x.unit)}</span
            >`
      }
      ${this.sayTotal(data, row, format, words).map((text) => html`<span>${text}</span>`)}
    </p>`;
  }

  protected override tabulate(data: BarsData, _: Formatter, words: PlanWords): Table {
    const { unit } = data.x;
    return {
      columns: [
        { label: data.row },
        ...data.kinds.map(({ label }) => ({ label, unit })),
        { label: words.total, unit },
      ],
      rows: data.rows.map((name, row) => [
        name,
        ...data.kinds.map((_, kind) => data.values[row * data.kinds.length + kind]),
        this.layout.totals[row],
      ]),
    };
  }

  // ---- the reader

  protected override find(x: number, y: number): number | undefined {
    const data = this.data!;
    const row = rowAt(this.layout.rows, data.rows.length, y);
    if (row === undefined) return undefined;
    const edges = edgesOf(data, row).map((edge) => this.layout.x.place(edge));
    const kind = edges.findIndex((from, index) => x >= from && x < (edges[index + 1] ?? -1));
    return kind < 0 ? undefined : row * data.kinds.length + kind;
  }

  /** Up and down to other bars, along a bar over what it has. */
  protected override keyed({ key }: KeyboardEvent, from: number): number | undefined {
    const data = this.data!;
    const { length } = data.kinds;
    const { row, kind } = this.partOf(from);
    const held = data.kinds.flatMap((_, each) => (valueAt(data, row, each) > 0 ? [each] : []));
    const place = (each: number | undefined): number => row * length + (each ?? kind);
    switch (key) {
      case 'ArrowRight':
        return place(held.find((each) => each > kind));
      case 'ArrowLeft':
        return place(held.filter((each) => each < kind).at(-1));
      case 'Home':
        return place(held[0]);
      case 'End':
        return place(held.at(-1));
      case 'ArrowUp':
        return Math.max(0, row - 1) * length + kind;
      case 'ArrowDown':
        return Math.min(data.rows.length - 1, row + 1) * length + kind;
      default:
        return undefined;
    }
  }
}

customElements.define('scaling-bars', Bars);
