import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes } from '../kit/axes.ts';
import { Chart } from '../kit/chart.ts';
import { cursorHead } from '../kit/cursor.ts';
import type { Bound, Line, SweepData } from '../kit/data.ts';
import { keyed } from '../kit/keys.ts';
import { nearest } from '../kit/scale.ts';
import { glyphs, px, shapePath } from '../kit/shape.ts';
import { hasValue, laySweep, nameRoom, type SweepLayout } from './sweep-layout.ts';
import type { Cell, Table } from '../../export/csv.ts';
import type { Words } from '../kit/words.ts';

const ownRadius = 7;
const radius = 3.5;

/** Lines along an input, with the points at which something changes. */
export class SweepChart extends Chart<SweepData> {
  static override properties = { ...Chart.properties, pointed: { state: true } };

  /** The x under the pointer, as an index. */
  declare private pointed: number | undefined;
  /** The place of the cursor without a state of the reader's. */
  private cursor = 0;
  private layout!: SweepLayout;

  protected override lay(data: SweepData, format: Formatter): void {
    this.layout = laySweep(data, this.width, format, this.measure);
    this.height = this.layout.height;
    const { length } = data.x.values;
    if (this.cursor >= length) this.cursor = 0;
    if ((this.pointed ?? 0) >= length) this.pointed = undefined;
  }

  // ---- drawing

  protected override drawing(): TemplateResult {
    const { plot, x, y, xTicks, yTicks, lines, marks } = this.layout;
    return svg`
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: yTicks, place: y.place }, this.width, this.measure)}
      ${marks.map(
        (mark) =>
          svg`<line class="critical" x1=${mark.x} x2=${mark.x} y1=${mark.y ?? plot.top} y2=${plot.bottom} />`,
      )}
      ${lines.map(({ line, paths }, index) =>
        paths.map(
          ({ bound, d }) =>
            svg`<path class="line dash-${index % 6} ${line.own ? 'own' : ''} ${bound ?? ''}" d=${d} />`,
        ),
      )}
      ${lines.map(({ line, name, lead }) =>
        name
          ? svg`${lead ? svg`<path class="leader" d=${lead} />` : nothing}
            <text class="halo ${name.anchor} ${line.own ? 'strong' : ''}" x=${px(name.x)} y=${name.y}>${line.label}</text>`
          : nothing,
      )}
      ${marks.map(({ mark, x, y, text, name }) => [
        y === undefined
          ? nothing
          : svg`<circle class="dot ${mark.bound ?? ''}" cx=${x} cy=${y} r="4" />`,
        name
          ? svg`<text class="halo strong word ${name.anchor} ${mark.bound ?? ''}" x=${px(name.x)} y=${px(name.y)}>${text}</text>`
          : nothing,
      ])}`;
  }

  protected override reading(data: SweepData, format: Formatter, words: Words): TemplateResult {
    const { plot } = this.layout;
    const at = this.at(data);
    const x = px(this.layout.x.place(data.x.values[at]!));
    const movable = data.own !== undefined;
    const value = format.say(data.x.values[at]!, data.x.unit);
    return svg`
      ${this.pointed === undefined ? nothing : this.marksAt(data, this.pointed, 'pointed')}
      <g role="slider" tabindex="0" aria-label=${data.x.label}
        aria-valuemin="0" aria-valuemax=${data.x.values.length - 1} aria-valuenow=${at}
        aria-valuetext=${this.say(data, at, format, words)} @keydown=${this.onKey} @blur=${this.settle}>
        ${movable || this.pointed === undefined ? this.marksAt(data, at, 'own') : nothing}
        ${movable ? cursorHead(x, plot.top - nameRoom, value, this.width, this.measure) : nothing}
        <circle class="ring" data-transient cx=${x} cy=${plot.top - nameRoom - 7} r="11" />
      </g>`;
  }

  /** The crossings of the lines with a vertical line through a value of x. */
  private marksAt(data: SweepData, index: number, kind: 'own' | 'pointed'): TemplateResult {
    const { x: xScale, y: yScale } = this.layout;
    const x = data.x.values[index]!;
    const at = px(xScale.place(x));
    const transient = kind === 'pointed' || data.own === undefined;
    return svg`<g class=${kind} ?data-transient=${transient}>
      ${this.beside(at).map(
        ([from, to]) => svg`<line class="at" x1=${at} x2=${at} y1=${from} y2=${to} />`,
      )}
      ${data.lines.map((line) => {
        if (!hasValue(line, index)) return nothing;
        const bound = boundAt(line, x);
        const strong = line.own && kind === 'own';
        return svg`<path class="point ${strong ? 'own' : ''} ${bound ?? 'plain'}" transform="translate(${at} ${px(yScale.place(line.values[index]!))})" d=${shapePath(bound, strong ? ownRadius : radius)} />`;
      })}
    </g>`;
  }

  /** The parts of a vertical line that do not lie over names. */
  private beside(x: number): [number, number][] {
    const { plot, lines, marks } = this.layout;
    const covered = [...lines, ...marks]
      .flatMap(({ name }) => name?.boxes ?? [])
      .filter(({ left, right }) => left < x && x < right)
      .sort((one, other) => one.top - other.top);
    const parts: [number, number][] = [];
    let from = plot.top - nameRoom;
    for (const { top, bottom } of [...covered, { top: plot.bottom, bottom: plot.bottom }]) {
      if (top > from) parts.push([from, top]);
      from = Math.max(from, bottom);
    }
    return parts;
  }

  /** A line's value, or why there is none. */
  private sayLine(
    data: SweepData,
    line: Line,
    index: number,
    format: Formatter,
    words: Words,
  ): string {
    if (hasValue(line, index)) return format.say(line.values[index]!, data.y.unit);
    const reason = line.absent?.[index];
    return (reason && data.absences?.[reason - 1]) || words.none;
  }

  private say(data: SweepData, index: number, format: Formatter, words: Words): string {
    const x = data.x.values[index]!;
    const said = data.lines.map((line) => {
      const bound = hasValue(line, index) ? boundAt(line, x) : undefined;
      const value = this.sayLine(data, line, index, format, words);
      return `${line.label}: ${value}${bound ? ` · ${words.bounds[bound]}` : ''}`;
    });
    return [format.say(x, data.x.unit), ...said].join('; ');
  }

  protected override readout(data: SweepData, format: Formatter, words: Words): TemplateResult {
    const at = this.pointed ?? this.at(data);
    const x = data.x.values[at]!;
    return html`<div class="readout">
      <p><b>${data.x.label} ${format.say(x, data.x.unit)}</b></p>
      <ul class="values">
        ${data.lines.map((line, index) => {
          const bound = hasValue(line, at) ? boundAt(line, x) : undefined;
          return html`<li class=${line.own ? 'strong' : ''}>
            <svg class="swatch" viewBox="0 0 26 10" aria-hidden="true">
              <path
                class="line dash-${index % 6} ${line.own ? 'own' : ''} ${bound ?? ''}"
                d="M0 5h26"
              />
            </svg>
            <span>${line.label}</span>
            <span class="number">${this.sayLine(data, line, at, format, words)}</span>
            ${
              bound
                ? html`<span class="word ${bound}" title=${words.bounds[bound]}
                    ><span aria-hidden="true">${glyphs[bound]}</span
                    ><span class="hidden">${words.bounds[bound]}</span></span
                  >`
                : nothing
            }
          </li>`;
        })}
      </ul>
    </div>`;
  }

  protected override tabulate(data: SweepData, format: Formatter, words: Words): Table {
    const { x, y, lines, marks } = data;
    const rows: [number, Cell[]][] = Array.from(x.values, (value, index) => [
      value,
      [value, ...lines.map((line) => (hasValue(line, index) ? line.values[index]! : undefined))],
    ]);
    for (const { at, value, label } of marks) {
      const said = value === undefined ? label : `${label} · ${format.say(value, y.unit)}`;
      rows.push([at, [at, ...lines.map(() => undefined), said]]);
    }
    rows.sort(([a], [b]) => a - b);
    return {
      columns: [
        { label: x.label, unit: x.unit },
        ...lines.map(({ label }) => ({ label, unit: y.unit })),
        ...(marks.length > 0 ? [{ label: words.mark }] : []),
      ],
      rows: rows.map(([, row]) => row),
    };
  }

  // ---- the reader

  /** The index at which the cursor stands. */
  private at(data: SweepData): number {
    return data.own === undefined ? this.cursor : indexOf(data, data.own);
  }

  private nearestTo(x: number): number {
    const { values } = this.data!.x;
    return nearest(values.length, (index) => this.layout.x.place(values[index]!), x);
  }

  protected override hover(x: number | undefined): void {
    this.pointed = x === undefined ? undefined : this.nearestTo(x);
    this.toggleAttribute('grabbing', x !== undefined && this.canDrag());
  }

  protected override canDrag(): boolean {
    return this.data!.own !== undefined && this.data!.x.values.length > 0;
  }

  protected override drag(x: number, _: number, done: boolean): void {
    this.pointed = undefined;
    this.tell({ index: this.nearestTo(x) }, done);
  }

  private onKey(event: KeyboardEvent): void {
    const data = this.data!;
    const index = keyed(event, this.at(data), data.x.values.length);
    if (index === undefined) return;
    event.preventDefault();
    this.pointed = undefined;
    if (data.own !== undefined) return this.tell({ index }, false);
    this.cursor = index;
    this.requestUpdate();
  }
}

function boundAt({ parts }: Line, x: number): Bound | undefined {
  return parts?.find(({ until = Infinity }) => x <= until)?.bound;
}

const indexOf = ({ x: { values } }: SweepData, x: number): number =>
  nearest(values.length, (index) => values[index]!, x);
