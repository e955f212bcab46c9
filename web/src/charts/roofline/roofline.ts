import { has } from '../../model/own-value.ts';
import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes, normal, small } from '../kit/axes.ts';
import { Chart } from '../kit/chart.ts';
import type { Point, RooflineData, Track } from '../kit/data.ts';
import { leaderTo } from '../kit/leader.ts';
import { keyed } from '../kit/keys.ts';
import { lineHeight, type Dot } from '../kit/labels.ts';
import { ownRadius, radius, ridgeRadius, type Name } from './roofline-labels.ts';
import { layRoofline, type RooflineLayout } from './roofline-layout.ts';
import { legendIndent } from './roofline-legend.ts';
import { otherKind } from './roofline-lines.ts';
import { nearest } from '../kit/scale.ts';
import { glyphs, px, shapePath } from '../kit/shape.ts';
import { sayNumber } from '../kit/table.ts';
import type { Table } from '../../export/csv.ts';
import type { Words } from '../kit/words.ts';

/** The distance at which the pointer picks a mark; wide enough for a finger. */
const reach = 24;

/** The roofline: what operations reach, under what the chip allows. */
export class RooflineChart extends Chart<RooflineData> {
  static override properties = {
    ...Chart.properties,
    pointed: { state: true },
    focused: { state: true },
  };

  /** The points under the pointer and at the keyboard's focus. */
  declare private pointed: number | undefined;
  declare private focused: number | undefined;
  private layout!: RooflineLayout;

  protected override lay(data: RooflineData, format: Formatter): void {
    this.layout = layRoofline(data, this.width, format, this.measure);
    this.height = this.layout.height;
    const { length } = data.points;
    if ((this.pointed ?? 0) >= length) this.pointed = undefined;
    if ((this.focused ?? 0) >= length) this.focused = undefined;
  }

  /** The point whose numbers are shown, if not the reader's own. */
  private get shown(): number | undefined {
    return this.pointed ?? this.focused;
  }

  // ---- drawing

  protected override drawing(data: RooflineData): TemplateResult {
    const { plot, x, y, xTicks, yTicks, zero, zones, bandTop, lines, own, dots, names } =
      this.layout;
    const { ridges, legend, measured } = this.layout;
    const height = plot.bottom - bandTop;
    return svg`
      ${zones.map(({ zone, left, width, text, at, baseline }) => {
        const kind = `${zone.bound}${zone.partly ? ' partly' : ''}`;
        return svg`<rect class="zone ${kind}" x=${px(left)} y=${bandTop} width=${px(width)} height=${height} />
          <rect class="band ${kind}" x=${px(left)} y=${bandTop} width=${px(width)} height="4" />
          <text class="word middle ${zone.bound}" x=${at} y=${baseline}>${text}</text>`;
      })}
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: yTicks, place: y.place }, this.width, this.measure)}
      ${
        zero === undefined
          ? nothing
          : svg`<line class="break" x1=${x.range[0] - 8} x2=${x.range[0] - 8} y1=${bandTop} y2=${plot.bottom} />
            <text class="middle quiet" x=${zero} y=${plot.bottom + small + 5}>0</text>`
      }
      ${lines.map(({ kind, path }) => svg`<path class=${kind} d=${path} />`)}
      ${measured.map(({ x, y }) => svg`<circle class="measured" cx=${x} cy=${y} r="2.5" />`)}
      <path class="ceiling" d=${own} />
      ${names.map(({ at }) => leaderTo(at))}
      ${lines.map(({ kind, text, at }) => {
        if (!at) return nothing;
        const turn = has(at, 'angle') ? ` rotate(${px(at.angle)})` : '';
        return svg`<text class="halo ${at.anchor} ${kind}" transform="translate(${px(at.x)} ${px(at.y)})${turn}">${text}</text>`;
      })}
      ${ridges.map(
        ({ kind, dot, text, at }) =>
          svg`<circle class="ridge ${kind}" cx=${dot.x} cy=${dot.y} r=${ridgeRadius} />${
            at
              ? svg`<text class="halo start ${kind === 'own' ? 'value' : ''} ${kind}" x=${px(at.x)} y=${px(at.y)}>${text}</text>`
              : nothing
          }`,
      )}
      ${data.points.map(({ own, bound, chip }, index) => {
        if (own) return nothing;
        const { x, y } = dots[index]!;
        const kind = chip === undefined ? bound : otherKind(chip);
        return svg`<path class="point ${kind}" transform="translate(${x} ${y})" d=${shapePath(bound, radius)} />`;
      })}
      ${names.filter(({ points: [first] }) => !data.points[first!]!.own).map((name) => named(name, small, data.points[name.points[0]!]!.chip))}
      ${legend.map(
        ({ kind, y, name, says }) =>
          svg`<path class=${kind} d="M0 ${y - 4}h22" />
            <text class="value ${kind === 'ceiling' ? '' : kind}" x=${legendIndent} y=${y}>${name}</text>
            ${says ? svg`<text class="quiet" x=${says.x} y=${says.y}>${says.text}</text>` : nothing}`,
      )}`;
  }

  protected override reading(data: RooflineData, format: Formatter, words: Words): TemplateResult {
    const { dots, names, track } = this.layout;
    const labelled = new Set(names.flatMap(({ points }) => points));
    const own = data.points.findIndex((point) => point.own);
    const others = data.points.map((_, index) => index).filter((index) => index !== own);
    const active = this.focused ?? others[0];
    return svg`
      ${track.length > 0 ? svg`<path class="track" d=${polyline(track)} />` : nothing}
      ${
        others.length > 0
          ? svg`<g role="listbox" tabindex="-1" aria-label=${words.points} @keydown=${this.onListKey} @focusout=${this.onBlur}>
              ${others.map((index) => {
                const { x, y } = dots[index]!;
                const point = data.points[index]!;
                const shown = index === this.shown;
                return svg`<g role="option" tabindex=${index === active ? 0 : -1} aria-selected=${shown}
                    aria-label=${this.say(point, data, format, words)} @focus=${() => (this.focused = index)}>
                  <circle class="ring" data-transient cx=${x} cy=${y} r=${radius + 5} ?data-shown=${shown} />
                  ${
                    shown && !labelled.has(index)
                      ? svg`<text class="halo middle strong" data-transient x=${x} y=${y - 14}>${point.label}</text>`
                      : nothing
                  }
                </g>`;
              })}
            </g>`
          : nothing
      }
      ${own < 0 ? nothing : this.ownPoint(own, data, format, words)}`;
  }

  private ownPoint(
    own: number,
    data: RooflineData,
    format: Formatter,
    words: Words,
  ): TemplateResult {
    const { dots, names } = this.layout;
    const ownName = names.find(({ points: [first] }) => first === own);
    const point = data.points[own]!;
    const { x, y } = dots[own]!;
    const { track } = data;
    const mark = svg`<g class="mark" transform="translate(${x} ${y})">
        <circle class="ring" data-transient r=${ownRadius + 6} />
        ${track ? svg`<path class="grip" data-transient d="M-11 -3.5l-3.5 3.5l3.5 3.5M11 -3.5l3.5 3.5l-3.5 3.5" />` : nothing}
        <path class="point own ${point.bound}" d=${shapePath(point.bound, ownRadius)} />
      </g>
      ${ownName ? named(ownName, normal) : nothing}`;
    if (!track) return svg`<g>${mark}</g>`;
    return svg`<g role="slider" tabindex="0" aria-label=${track.label}
        aria-valuemin="0" aria-valuemax=${track.steps.length - 1} aria-valuenow=${stepOf(track)}
        aria-valuetext=${`${format.say(track.value, track.unit)} · ${this.say(point, data, format, words)}`}
        @keydown=${this.onOwnKey} @blur=${this.settle}>${mark}</g>`;
  }

  private say(point: Point, data: RooflineData, format: Formatter, words: Words): string {
    return [
      point.label,
      sayNumber(point.intensity, data.x.unit, format, words),
      sayNumber(point.achieved, data.y.unit, format, words),
      words.bounds[point.bound],
    ].join(' · ');
  }

  protected override readout(data: RooflineData, format: Formatter, words: Words): TemplateResult {
    const own = data.points.findIndex((point) => point.own);
    const point = data.points[this.shown ?? own];
    if (!point) return html`<p class="readout"></p>`;
    const { track } = data;
    return html`<p class="readout">
      <b>${point.label}</b>
      ${
        point.own && track
          ? html`<span>${track.label} ${format.say(track.value, track.unit)}</span>`
          : nothing
      }
      <span>${sayNumber(point.intensity, data.x.unit, format, words)}</span>
      <span>${sayNumber(point.achieved, data.y.unit, format, words)}</span>
      <span class="word ${point.bound}">${glyphs[point.bound]} ${words.bounds[point.bound]}</span>
    </p>`;
  }

  protected override tabulate(data: RooflineData, _: Formatter, words: Words): Table {
    const { x, y } = data;
    const { bounds } = words;
    return {
      columns: [
        { label: words.kind },
        { label: words.name },
        { label: x.label, unit: x.unit },
        { label: y.label, unit: y.unit },
        { label: words.bandwidth, unit: 'B/s' },
        { label: words.bound },
      ],
      rows: [
        ...data.points.map((point) => [
          words.operation,
          point.label,
          point.intensity,
          point.achieved,
          undefined,
          bounds[point.bound],
        ]),
        ...(data.measured?.points ?? []).map(({ label, intensity, achieved }) => [
          data.measured?.kind,
          label,
          intensity,
          achieved,
        ]),
        ...data.peaks.map(({ label, rate }) => [words.peak, label, undefined, rate]),
        ...data.slopes.map(({ label, bandwidth, bound }) => [
          words.slope,
          label,
          undefined,
          undefined,
          bandwidth,
          bounds[bound],
        ]),
        ...(data.chips ?? []).map(({ label, rate, bandwidth }) => [
          words.chip,
          label,
          rate / bandwidth,
          rate,
          bandwidth,
        ]),
        ...data.zones.map(({ until, label, bound }) => [
          words.zone,
          label,
          until,
          undefined,
          undefined,
          bounds[bound],
        ]),
      ],
    };
  }

  // ---- the reader

  protected override hover(x: number | undefined, y: number): void {
    let least = reach;
    let found: number | undefined;
    this.layout.dots.forEach((dot, index) => {
      const distance = x === undefined ? Infinity : Math.hypot(dot.x - x, dot.y - y);
      if (distance < least) [least, found] = [distance, index];
    });
    this.pointed = found;
    this.toggleAttribute('grabbing', x !== undefined && this.canDrag(x, y));
  }

  protected override canDrag(x: number, y: number): boolean {
    const own = this.data!.points.findIndex((point) => point.own);
    const dot = this.layout.dots[own];
    return Boolean(this.data!.track && dot && Math.hypot(dot.x - x, dot.y - y) < reach);
  }

  protected override drag(x: number, _: number, done: boolean): void {
    const { steps } = this.data!.track!;
    const place = (index: number): number => this.layout.x.place(steps[index]!.intensity);
    this.tell({ index: nearest(steps.length, place, x) }, done);
  }

  private onOwnKey(event: KeyboardEvent): void {
    const track = this.data!.track!;
    const index = keyed(event, stepOf(track), track.steps.length);
    if (index === undefined) return;
    event.preventDefault();
    this.tell({ index }, false);
  }

  private onListKey(event: KeyboardEvent): void {
    const options = [...this.renderRoot.querySelectorAll<SVGElement>('[role="option"]')];
    const index = keyed(event, options.indexOf(event.target as SVGElement), options.length);
    if (index === undefined) return;
    event.preventDefault();
    options[index]?.focus();
  }

  private onBlur(): void {
    this.focused = undefined;
  }
}

const polyline = (dots: readonly Dot[]): string =>
  dots.map(({ x, y }, index) => `${index > 0 ? 'L' : 'M'}${x} ${y}`).join('');

const stepOf = ({ steps, value }: Track): number =>
  nearest(steps.length, (index) => steps[index]!.value, value);

function named({ texts, at }: Name, size: number, chip?: number): TemplateResult {
  const kind = size === normal ? 'strong' : chip === undefined ? '' : otherKind(chip);
  return svg`${texts.map(
    (text, line) =>
      svg`<text class="halo ${at.anchor} ${kind}" x=${px(at.x)} y=${px(at.y + line * lineHeight(size))}>${text}</text>`,
  )}`;
}
