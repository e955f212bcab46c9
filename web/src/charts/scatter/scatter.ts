import { nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import type { Table } from '../../export/csv.ts';
import { axes, small } from '../kit/axes.ts';
import type { Bound, ScatterData } from '../kit/data.ts';
import { DotPicker } from '../kit/dot-picker.ts';
import type { Saying } from '../kit/picker.ts';
import { shapePath } from '../kit/shape.ts';
import { sayNumber } from '../kit/table.ts';
import type { ScatterWords } from '../kit/words.ts';
import { layScatter, pointsOf, whisker, type ScatterLayout } from './scatter-layout.ts';

const ownRadius = 8;
/** Kinds by their shape: a disc, a square, a triangle. */
const shapes: readonly Bound[] = ['compute', 'memory', 'network'];

/** Measurements over predictions; the reader chooses a point to see more of it. */
export class Scatter extends DotPicker<ScatterData, ScatterWords> {
  protected layout!: ScatterLayout;

  protected override lay(data: ScatterData, format: Formatter): void {
    this.layout = layScatter(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepMarks(data);
  }

  protected override count(data: ScatterData): number {
    return pointsOf(data).length;
  }

  // ---- drawing

  protected override drawing(data: ScatterData): TemplateResult {
    const { plot, x, y, xTicks, yTicks, dots, band, diagonal, name, radius } = this.layout;
    const { whiskers, legendTop } = this.layout;
    const faint = data.points.length > 60 ? 'faint' : '';
    return svg`
      ${band ? svg`<path class="likely" d=${band} />` : nothing}
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: yTicks, place: y.place }, this.width, this.measure)}
      <path class="diagonal" d=${diagonal} />
      <text class="halo middle quiet" transform="translate(${name.x} ${name.y}) rotate(${name.angle})">${data.diagonal}</text>
      ${whiskers.map(({ thin, thick }) => svg`<path class="whisker" d=${thin} /><path class="whisker thick" d=${thick} />`)}
      ${data.points.map(({ kind }, index) => {
        const { x: left, y: top } = dots[index]!;
        return svg`<path class="point run ${kind > 0 ? 'hollow' : ''} ${faint}" transform="translate(${left} ${top})" d=${shapePath(shapes[kind], radius)} />`;
      })}
      ${
        data.kinds.length > 1
          ? data.kinds.map((label, kind) => {
              const left = data.kinds
                .slice(0, kind)
                .reduce((sum, each) => sum + this.measure(each, 400, small) + 44, 8);
              return svg`<path class="point run ${kind > 0 ? 'hollow' : ''}" transform="translate(${left} ${legendTop + 8})" d=${shapePath(shapes[kind], 5)} />
                <text x=${left + 12} y=${legendTop + 12}>${label}</text>`;
            })
          : nothing
      }`;
  }

  protected override reading(
    data: ScatterData,
    format: Formatter,
    words: ScatterWords,
  ): TemplateResult {
    const { dots } = this.layout;
    const { length } = data.points;
    return svg`
      ${data.chosen === undefined ? nothing : this.strong(data, data.chosen)}
      ${(data.own ?? []).map((point, index) => {
        const { x, y } = dots[length + index]!;
        return svg`${this.strong(data, length + index)}
          <path class="point own" transform="translate(${x} ${y})" d=${shapePath(shapes[point.kind], ownRadius)} />`;
      })}
      ${this.list(data, format, words, (index) => this.strong(data, index, true), data.chosen)}`;
  }

  /** A point with its whiskers and a ring; `passing`: only for as long as it is read. */
  private strong(data: ScatterData, index: number, passing = false): TemplateResult {
    const point = pointsOf(data)[index]!;
    const dot = this.layout.dots[index]!;
    const { thin, thick } = whisker(point, dot, this.layout.y);
    return svg`<g ?data-transient=${passing}>
      <path class="whisker strong" d=${thin} />
      <path class="whisker thick strong" d=${thick} />
      <path class="point run ${point.kind > 0 ? 'hollow' : ''}" transform="translate(${dot.x} ${dot.y})" d=${shapePath(shapes[point.kind], 5)} />
      <circle class="picked" cx=${dot.x} cy=${dot.y} r=${ownRadius + 3} />
    </g>`;
  }

  protected override say(
    data: ScatterData,
    index: number | undefined,
    format: Formatter,
    words: ScatterWords,
  ): Saying {
    const point = pointsOf(data)[index ?? data.chosen ?? -1];
    if (!point) return { name: '', values: [] };
    const say = (value: number, { unit }: { unit: string }): string =>
      sayNumber(value, unit, format, words);
    return {
      name: point.label,
      values: [
        `${data.y.label} ${say(point.y, data.y)}`,
        `${data.x.label} ${say(point.x, data.x)}`,
        ...(point.says ? [point.says] : []),
      ],
    };
  }

  protected override tabulate(data: ScatterData, _: Formatter, words: ScatterWords): Table {
    const { x, y, kinds } = data;
    const { unit } = y;
    return {
      columns: [
        { label: words.name },
        { label: words.kind },
        { label: y.label, unit },
        { label: x.label, unit: x.unit },
        { label: words.low, unit },
        { label: words.high, unit },
        { label: words.lower, unit },
        { label: words.upper, unit },
      ],
      rows: pointsOf(data).map((point) => [
        point.label,
        kinds[point.kind],
        point.y,
        point.x,
        ...(point.likely ?? [undefined, undefined]),
        ...(point.bounds ?? [undefined, undefined]),
      ]),
    };
  }
}
