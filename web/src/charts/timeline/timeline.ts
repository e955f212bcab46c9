import { html, nothing, svg, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { axes, small } from '../kit/axes.ts';
import type { TimelineData, TimelineEvent } from '../kit/data.ts';
import { keyed } from '../kit/keys.ts';
import { legend, letterOf, letters, patterns } from '../kit/kinds.ts';
import { Picker, type Saying } from '../kit/picker.ts';
import { rowAt, rowNames } from '../kit/rows.ts';
import { nearest, type Range } from '../kit/scale.ts';
import { px } from '../kit/shape.ts';
import type { Table } from '../../export/csv.ts';
import { layTimeline, sayTime, type TimelineLayout } from './timeline-layout.ts';
import type { PlanWords } from '../kit/words.ts';

/** The distance at which the pointer picks a bar, and from which on it marks a part. */
const reach = 4;
const parts = 8;
/** The lane of a cut in tables. */
const everywhere = '';

/**
 * Tasks over time, in lanes. The reader looks at a part of it by its button, by dragging across it,
 * or closer and less close around a bar by + and -, and at all of it again by 0.
 */
export class Timeline extends Picker<TimelineData> {
  static override properties: PropertyDeclarations = {
    ...Picker.properties,
    view: { state: true },
    marked: { state: true },
  };

  /** The part that is shown; undefined: all of it. */
  declare private view: Range | undefined;
  /** The places between which the reader drags. */
  declare private marked: Range | undefined;
  private layout!: TimelineLayout;
  /** The end of the data that the view is of. */
  private viewed: number | undefined;
  protected override readonly laidBy = ['data', 'format', 'words', 'width', 'view'];

  protected override lay(data: TimelineData, format: Formatter): void {
    if (this.viewed !== data.end) this.view = undefined;
    this.viewed = data.end;
    this.layout = layTimeline(data, this.width, format, this.measure, this.view);
    this.height = this.layout.height;
    this.keepMarks(data);
  }

  protected override count(): number {
    return this.layout.events.length;
  }

  // ---- drawing

  protected override drawing(data: TimelineData): TemplateResult {
    const { plot, x, xTicks, rows, kinds, tints, cuts } = this.layout;
    const none = { at: [], labels: [], title: data.lanes.length > 1 ? data.lane : '' };
    const idle = data.lanes.map((_, lane) => {
      const y = px(rows.top(lane) + rows.thick / 2);
      return `M${plot.left} ${y}H${plot.right}`;
    });
    return svg`
      ${patterns(data.kinds)}
      ${axes(plot, { ticks: xTicks, place: x.place }, { ticks: none, place: x.place }, this.width, this.measure)}
      <path class="idle" d=${idle.join('')} />
      ${kinds.map((d, kind) => svg`<path d=${d} fill="url(#kind-${kind})" />`)}
      ${tints.map((d, tint) => (d ? svg`<path class="tint" d=${d} fill-opacity=${(tint + 1) * 0.13} />` : nothing))}
      ${letters(data.kinds, this.layout.letters)}
      ${cuts.ground ? svg`<path class="ground" d=${cuts.ground} /><path class="cut" d=${cuts.edges} />` : nothing}
      ${cuts.names.map(({ text, x }) => svg`<text class="middle value halo" x=${x} y=${small}>${text}</text>`)}
      ${rowNames(rows)}`;
  }

  protected override reading(
    data: TimelineData,
    format: Formatter,
    words: PlanWords,
  ): TemplateResult {
    const event = this.layout.events[this.shown ?? -1];
    const values = this.times(event?.lane).map((time) =>
      sayTime(time, this.end, data.x.unit, format),
    );
    return svg`${legend(data.kinds, this.layout.legend, values, event?.kind)}
      ${this.marked ? this.marking(this.marked) : nothing}
      ${this.list(data, format, words, (index) => this.ring(this.layout.events[index]!))}`;
  }

  private marking([from, to]: Range): TemplateResult {
    const { plot } = this.layout;
    const left = Math.min(from, to);
    return svg`<rect class="marked" data-transient x=${px(left)} y=${plot.top} width=${px(Math.abs(to - from))} height=${plot.bottom - plot.top} />`;
  }

  protected override controls(data: TimelineData): TemplateResult | typeof nothing {
    const { zoom } = data;
    if (!zoom) return nothing;
    const { view, course } = this.layout;
    const isShown = (start: number, end: number): boolean => view[0] === start && view[1] === end;
    const button = (label: string, name: string, show: () => void, pressed?: boolean) =>
      html`<button
        type="button"
        aria-label=${name}
        aria-pressed=${pressed ?? nothing}
        @click=${show}
      >
        ${label}
      </button>`;
    return html`<div class="zoom" role="group" aria-label=${data.x.label}>
      ${zoom.parts.map(({ label, start, end }) =>
        button(
          label,
          label,
          () => (this.view = start <= 0 && end >= course.end ? undefined : [start, end]),
          isShown(start, end),
        ),
      )}
      ${button('+', zoom.closer, () => this.look(0.5))}
      ${button('−', zoom.wider, () => this.look(2))}
    </div>`;
  }

  /** Shows a part or a multiple of what is shown, around the picked event or the middle. */
  private look(factor: number): void {
    const { view, course, events } = this.layout;
    const picked = events[this.picked ?? -1];
    const middle = course.timeAt((course.drawnBefore(view[0]) + course.drawnBefore(view[1])) / 2);
    const within = picked && picked.end > view[0] && picked.start < view[1];
    this.view = course.around(view, within ? (picked.start + picked.end) / 2 : middle, factor);
  }

  private ring({ lane, start, end }: TimelineEvent): TemplateResult {
    const { x, rows, view } = this.layout;
    if (end <= view[0] || start >= view[1]) return svg``;
    const from = x.place(start);
    const width = Math.max(2, x.place(end) - from);
    return svg`<rect class="picked" data-transient x=${px(from)} y=${rows.top(lane)} width=${px(width)} height=${rows.thick} />`;
  }

  private get end(): number {
    return this.layout.course.end;
  }

  /** Times by kind: in a lane, or on average in those that have the kind. */
  private times(lane: number | undefined): number[] {
    const { busy } = this.layout;
    const lanes = lane === undefined ? busy : [busy[lane]!];
    return this.data!.kinds.map((_, kind) => mean(lanes.map((times) => times[kind]!)));
  }

  /** The idle share of a lane: by itself of the main one, or of all on average. */
  private idle(lane = this.data!.main): number {
    const { busy } = this.layout;
    const lanes = busy[lane ?? -1] ? [busy[lane!]!] : busy;
    const used = mean(lanes.map((times) => times.reduce((sum, time) => sum + time, 0)));
    return Math.max(0, this.end - used);
  }

  protected override say(
    { x, lane, lanes, kinds }: TimelineData,
    index: number | undefined,
    format: Formatter,
    words: PlanWords,
  ): Saying {
    const event = this.layout.events[index ?? -1];
    const say = (time: number): string => format.say(time, x.unit);
    const idle = sayTime(this.idle(event?.lane), this.end, x.unit, format);
    const rest = `${words.idle} ${idle}`;
    if (!event) {
      const part = this.view ? [`${say(this.view[0])} – ${say(this.view[1])}`] : [];
      return { name: `${x.label} ${say(this.end)}`, values: [...part, rest] };
    }
    const { kind, label, start, end } = event;
    return {
      name: lanes.length > 1 ? `${lane} ${lanes[event.lane]!}`.trim() : lanes[event.lane]!,
      values: [
        `${letterOf(kinds[kind]!, kind)} ${kinds[kind]!.label}`,
        ...(label ? [label] : []),
        say(end - start),
        `${say(start)} – ${say(end)}`,
        rest,
      ],
    };
  }

  /** The time of each kind in each lane, so that it can be read; all events are in the file. */
  protected override tabulate(data: TimelineData, _: Formatter, words: PlanWords): Table {
    const { unit } = data.x;
    return {
      columns: [
        { label: data.lane },
        ...data.kinds.map(({ label }) => ({ label, unit })),
        { label: words.idle, unit },
      ],
      rows: data.lanes.map((name, lane) => [name, ...this.times(lane), this.idle(lane)]),
    };
  }

  protected override listed(data: TimelineData, _: Formatter, words: PlanWords): Table {
    const { unit } = data.x;
    return {
      columns: [
        { label: data.lane },
        { label: words.kind },
        { label: words.name },
        { label: words.from, unit },
        { label: words.to, unit },
      ],
      rows: [
        ...this.layout.events.map(({ lane, kind, label, start, end }) => [
          data.lanes[lane],
          data.kinds[kind]!.label,
          label,
          start,
          end,
        ]),
        // Then come the cuts between them.
        ...this.layout.course.cuts.map(({ label, start, end }) => [
          everywhere,
          '',
          label,
          start,
          end,
        ]),
      ],
    };
  }

  // ---- the reader

  /** The event of a lane that is nearest to a place. */
  private nearestIn(lane: number, place: number): number | undefined {
    const { events, first, x } = this.layout;
    const from = first[lane]!;
    const count = first[lane + 1]! - from;
    const edge = (at: number, side: 'start' | 'end'): number => x.place(events[from + at]![side]);
    const middle = (at: number): number => (edge(at, 'start') + edge(at, 'end')) / 2;
    const at = nearest(count, middle, place);
    // The bar with the nearest middle may not be the one under the pointer, as bars differ in length.
    const off = (at: number): number =>
      Math.max(edge(at, 'start') - place, place - edge(at, 'end'));
    const beside = [at - 1, at, at + 1].filter((index) => index >= 0 && index < count);
    const found = beside.sort((a, b) => off(a) - off(b))[0];
    return found === undefined ? undefined : from + found;
  }

  protected override find(x: number, y: number): number | undefined {
    const { rows, events } = this.layout;
    const lane = rowAt(rows, this.data!.lanes.length, y);
    const found = lane === undefined ? undefined : this.nearestIn(lane, x);
    if (found === undefined) return undefined;
    const { place } = this.layout.x;
    const { start, end } = events[found]!;
    return x >= place(start) - reach && x <= place(end) + reach ? found : undefined;
  }

  /** A drag shows the range that it crosses; a press alone picks. */
  protected override drag(x: number, y: number, done: boolean): void {
    const [from] = (this.marked ??= [x, x]);
    const { course, x: scale } = this.layout;
    const far = Math.abs(x - from) >= parts;
    this.marked = done ? undefined : [from, x];
    if (!far) return super.drag(x, y, done);
    this.picked = undefined;
    if (!done || !this.data?.zoom) return;
    const at = [Math.min(from, x), Math.max(from, x)];
    // An end in a cut is its nearer edge inside.
    const inCut = (place: number) =>
      scale.cuts.find(({ from, to }) => place >= from && place <= to);
    const start = scale.time(at[0]!) ?? inCut(at[0]!)?.cut.end;
    const end = scale.time(at[1]!) ?? inCut(at[1]!)?.cut.start;
    if (start === undefined || end === undefined || end <= start) return;
    this.view = course.range(course.drawnBefore(start), course.drawnBefore(end));
  }

  /** Along a lane from one event to the next, up and down to what other lanes do then. */
  protected override keyed(event: KeyboardEvent, from: number): number | undefined {
    const factor = { '+': 0.5, '=': 0.5, '-': 2, '0': Infinity }[event.key];
    if (factor !== undefined && this.data?.zoom) {
      this.picked = from;
      if (factor === Infinity) this.view = undefined;
      else this.look(factor);
      return from;
    }
    const to = this.stepped(event, from);
    if (to !== undefined && this.view) {
      const { start, end } = this.layout.events[to]!;
      this.view = this.layout.course.showing(this.view, (start + end) / 2);
    }
    return to;
  }

  private stepped(event: KeyboardEvent, from: number): number | undefined {
    const { events, first, x } = this.layout;
    const { lane, start, end } = events[from]!;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) {
      const along = keyed(event, from - first[lane]!, first[lane + 1]! - first[lane]!);
      return along === undefined ? undefined : first[lane]! + along;
    }
    const middle = x.place((start + end) / 2);
    for (let other = lane + step; Object.hasOwn(this.data!.lanes, other); other += step) {
      const found = this.nearestIn(other, middle);
      if (found !== undefined) return found;
    }
    return from;
  }
}

/** The mean over lanes that hold something. */
function mean(times: number[]): number {
  const some = times.filter((time) => time > 0);
  return some.reduce((sum, time) => sum + time, 0) / Math.max(1, some.length);
}
