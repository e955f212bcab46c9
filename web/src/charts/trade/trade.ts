import { nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import type { Table } from '../../export/csv.ts';
import { axes } from '../kit/axes.ts';
import { DotPicker } from '../kit/dot-picker.ts';
import { hatching } from '../kit/kinds.ts';
import type { Saying } from '../kit/picker.ts';
import { leaderTo } from '../kit/leader.ts';
import { px, shapePath } from '../kit/shape.ts';
import { sayNumber } from '../kit/table.ts';
import type { TradeData } from '../kit/trade-data.ts';
import type { Words } from '../kit/words.ts';
import { layTrade, ownRadius, radius, sayLimit, type TradeLayout } from './trade-layout.ts';

/** Two quantities traded against each other: lines whose points the reader chooses among. */
export class Trade extends DotPicker<TradeData, Words> {
  protected layout!: TradeLayout;

  protected override lay(data: TradeData, format: Formatter): void {
    this.layout = layTrade(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepMarks(data);
  }

  protected override count(data: TradeData): number {
    return data.points.length;
  }

  // ---- drawing

  protected override drawing(data: TradeData, format: Formatter): TemplateResult {
    const { plot, x, y, xTicks, yTicks, dots, paths, beyond } = this.layout;
    const { left, right, top, bottom } = plot;
    const far = (from: number, above: number, width: number, height: number): TemplateResult =>
      svg`<rect x=${px(from)} y=${px(above)} width=${px(width)} height=${px(height)} fill="url(#outside)" />`;
    return svg`
      <defs>${hatching('outside')}</defs>
      ${beyond.x === undefined ? nothing : far(beyond.x, top, right - beyond.x, bottom - top)}
      ${beyond.y === undefined ? nothing : far(left, top, right - left, beyond.y - top)}
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: yTicks, place: y.place }, this.width, this.measure)}
      ${paths.map(({ band }, line) => (band ? svg`<path class="zone chip-${line}" d=${band} />` : nothing))}
      ${paths.map(({ path }, line) => (path ? svg`<path class="line chip-${line} dash-${line}" d=${path} />` : nothing))}
      ${data.points.map(({ line, own }, index) => {
        const { x: at, y: up } = dots[index]!;
        return svg`<path class="point chip-${line} ${own ? 'own' : ''}" transform="translate(${at} ${up})" d=${shapePath(undefined, own ? ownRadius : radius)} />`;
      })}
      ${this.limits(data, format)}`;
  }

  /** Lines at what may not be passed, each with its name. */
  private limits({ most, x }: TradeData, format: Formatter): TemplateResult {
    const { plot, beyond, across: named } = this.layout;
    const across = most.x && sayLimit(most.x, x.unit, format);
    const half = across ? this.measure(across, 600, 13) / 2 : 0;
    return svg`
      ${
        most.x && beyond.x !== undefined
          ? svg`<line class="limit" x1=${beyond.x} x2=${beyond.x} y1=${plot.top - 4} y2=${plot.bottom} />
              <text class="halo middle strong" x=${px(Math.max(plot.left + half, Math.min(plot.right - half, beyond.x)))} y=${plot.top - 7}>${across}</text>`
          : nothing
      }
      ${
        beyond.y === undefined
          ? nothing
          : svg`<line class="limit" x1=${plot.left} x2=${plot.right} y1=${beyond.y} y2=${beyond.y} />
              ${named ? svg`<text class="halo strong end" x=${px(named.at.x)} y=${px(named.at.y)}>${named.text}</text>` : nothing}`
      }`;
  }

  protected override reading(data: TradeData, format: Formatter, words: Words): TemplateResult {
    const { names, short } = this.layout;
    return svg`
      ${short.map(({ text, at: { x, y, anchor } }) => svg`<text class="halo quiet ${anchor}" x=${px(x)} y=${px(y)}>${text}</text>`)}
      ${names.map(({ at }) => leaderTo(at))}
      ${names.map(
        ({ text, line, strong, at: { x, y, anchor } }) =>
          svg`<text class="halo other ${anchor} chip-${line} ${strong ? 'strong' : ''}" x=${px(x)} y=${px(y)}>${text}</text>`,
      )}
      ${this.list(data, format, words, (index) => this.ring(index))}`;
  }

  private ring(index: number): TemplateResult {
    const { x, y } = this.layout.dots[index]!;
    return svg`<circle class="picked" data-transient cx=${x} cy=${y} r=${ownRadius + 3} />`;
  }

  protected override say(
    data: TradeData,
    index: number | undefined,
    format: Formatter,
    words: Words,
  ): Saying {
    const point = data.points[index ?? -1];
    if (!point) return { name: '', values: [] };
    return {
      name: point.label,
      values: [
        sayNumber(point.x, data.x.unit, format, words),
        sayNumber(point.y, data.y.unit, format, words),
        ...[point.says, point.best].flatMap((text) => text ?? []),
      ],
    };
  }

  protected override tabulate({ x, y, points }: TradeData, _: Formatter, words: Words): Table {
    return {
      columns: [
        { label: words.name },
        { label: x.label, unit: x.unit },
        { label: `${x.label}, ${words.from}`, unit: x.unit },
        { label: `${x.label}, ${words.to}`, unit: x.unit },
        { label: y.label, unit: y.unit },
        { label: words.mark },
      ],
      rows: points.map((point) => [
        point.label,
        point.x,
        point.low?.[0],
        point.high?.[0],
        point.y,
        [point.says, point.best].filter(Boolean).join(' · '),
      ]),
    };
  }
}
