import { nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes } from '../kit/axes.ts';
import type { ParetoFrontData } from '../kit/data.ts';
import {
  chosenRadius,
  layParetoFront,
  pointsOf,
  radius,
  type ParetoFrontLayout,
} from './pareto-front-layout.ts';
import { hatching } from '../kit/kinds.ts';
import { leaderTo } from '../kit/leader.ts';
import { hardLimit, limitLines } from '../kit/limits.ts';
import { DotPicker } from '../kit/dot-picker.ts';
import type { Saying } from '../kit/picker.ts';
import { px, shapePath } from '../kit/shape.ts';
import { sayNumber } from '../kit/table.ts';
import type { Table } from '../../export/csv.ts';
import type { PlanWords } from '../kit/words.ts';

/** A Pareto front: points of which the reader chooses one. */
export class ParetoFront extends DotPicker<ParetoFrontData> {
  protected layout!: ParetoFrontLayout;

  protected override lay(data: ParetoFrontData, format: Formatter): void {
    this.layout = layParetoFront(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepMarks(data);
  }

  protected override count(data: ParetoFrontData): number {
    return pointsOf(data).length;
  }

  // ---- drawing

  protected override drawing(data: ParetoFrontData): TemplateResult {
    const { plot, x, y, xTicks, yTicks, dots, steps, limits, beyond } = this.layout;
    const limit = hardLimit(data.limits);
    return svg`
      <defs>${hatching('outside')}</defs>
      ${
        beyond === undefined
          ? nothing
          : svg`<rect x=${beyond} y=${plot.top} width=${px(plot.right - beyond)} height=${plot.bottom - plot.top} fill="url(#outside)" />`
      }
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: yTicks, place: y.place }, this.width, this.measure)}
      ${limitLines(limits, plot.bottom, plot.top)}
      <path class="step" d=${steps} />
      ${data.points.map(({ bound, x }, index) => {
        const { x: left, y: top } = dots[index]!;
        return svg`<path class="point ${bound ?? ''} ${x > limit ? 'far' : ''}" transform="translate(${left} ${top})" d=${shapePath(bound, radius)} />`;
      })}`;
  }

  protected override reading(
    data: ParetoFrontData,
    format: Formatter,
    words: PlanWords,
  ): TemplateResult {
    const { dots, names } = this.layout;
    const own = this.mine ?? -1;
    const at = dots[own];
    const bound = pointsOf(data)[own]?.bound;
    return svg`
      ${
        at
          ? svg`<path class="point own ${bound ?? ''}" transform="translate(${at.x} ${at.y})" d=${shapePath(bound, chosenRadius)} />`
          : nothing
      }
      ${names.map(({ at }) => leaderTo(at))}
      ${names.map(
        ({ point, strong, at: { x, y, anchor } }) =>
          svg`<text class="halo ${anchor} ${strong ? 'strong' : ''}" x=${px(x)} y=${px(y)}>${point.label}</text>`,
      )}
      ${this.list(data, format, words, (index) => this.ring(index), this.mine)}`;
  }

  private ring(index: number): TemplateResult {
    const { x, y } = this.layout.dots[index]!;
    return svg`<circle class="picked" data-transient cx=${x} cy=${y} r=${chosenRadius + 4} />`;
  }

  /** The reader's: one of the points, or one of their own. */
  private get mine(): number | undefined {
    const { own, points, chosen } = this.data!;
    return own ? points.length : chosen;
  }

  protected override say(
    data: ParetoFrontData,
    index: number | undefined,
    format: Formatter,
    words: PlanWords,
  ): Saying {
    const { x, y, limits } = data;
    const point = pointsOf(data)[index ?? this.mine ?? -1];
    if (!point) return { name: '', values: [] };
    const over = point.x - hardLimit(limits);
    return {
      name: point.label,
      values: [
        sayNumber(point.y, y.unit, format, words),
        sayNumber(point.x, x.unit, format, words),
        ...(over > 0 && over < Infinity ? [`${words.over} ${format.say(over, x.unit)}`] : []),
      ],
      bound: point.bound,
    };
  }

  protected override tabulate(data: ParetoFrontData, _: Formatter, words: PlanWords): Table {
    const { x, y } = data;
    return {
      columns: [
        { label: words.name },
        { label: x.label, unit: x.unit },
        { label: y.label, unit: y.unit },
        { label: words.bound },
      ],
      rows: pointsOf(data).map((point) => [
        point.label,
        point.x,
        point.y,
        point.bound && words.bounds[point.bound],
      ]),
    };
  }
}
