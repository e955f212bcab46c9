import { nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes } from '../kit/axes.ts';
import { edgesOf, layBars, valueAt, type BarsLayout } from './bars-layout.ts';
import type { BarsData } from '../kit/data.ts';
import { legend, letterOf, letters, patterns } from '../kit/kinds.ts';
import { hardLimit, limitLines } from '../kit/limits.ts';
import { Picker, type Saying } from '../kit/picker.ts';
import { rowAt, rowNames } from '../kit/rows.ts';
import { px } from '../kit/shape.ts';
import type { Table } from '../../export/csv.ts';
import type { PlanWords } from '../kit/words.ts';

/** The parts of a whole, in one bar or in several, against the room for it. */
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
    index: number | undefined,
    format: Formatter,
    words: PlanWords,
  ): Saying {
    const { row, kind } = index === undefined ? { row: this.row, kind: -1 } : this.partOf(index);
    const part = data.kinds[kind];
    const total = this.layout.totals[row] ?? 0;
    const rest = hardLimit(data.limits) - total;
    const say = (value: number): string => format.say(value, data.x.unit);
    return {
      name: data.rows.length > 1 ? `${data.row} ${data.rows[row]!}` : (data.rows[row] ?? ''),
      values: [
        ...(part ? [`${letterOf(part, kind)} ${part.label} ${say(valueAt(data, row, kind))}`] : []),
        `${words.total} ${say(total)}`,
        ...(rest < Infinity
          ? [`${rest < 0 ? words.over : words.free} ${say(Math.abs(rest))}`]
          : []),
      ],
    };
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
    const { row, kind } = this.partOf(from);
    const held = data.kinds.flatMap((_, each) => (valueAt(data, row, each) > 0 ? [each] : []));
    const [kinds, rows] = {
      ArrowRight: [held.find((each) => each > kind), 0],
      ArrowLeft: [held.filter((each) => each < kind).at(-1), 0],
      Home: [held[0], 0],
      End: [held.at(-1), 0],
      ArrowUp: [kind, -1],
      ArrowDown: [kind, 1],
    }[key] ?? [kind, undefined];
    if (rows === undefined) return undefined;
    const to = Math.min(data.rows.length - 1, Math.max(0, row + rows));
    return to * data.kinds.length + (kinds ?? kind);
  }
}
