import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Formatter } from '../number/format.ts';
import { axes } from './axes.ts';
import type { TimelineData, TimelineEvent } from './data.ts';
import { legend, letterOf, letters, patterns } from './kinds.ts';
import { Picker } from './picker.ts';
import { rowAt, rowNames } from './rows.ts';
import { nearest } from './scale.ts';
import { px } from './shape.ts';
import type { Cell, Table } from './table.ts';
import { layTimeline, sayTime, type TimelineLayout } from './timeline-layout.ts';
import type { PlanWords } from './words.ts';

/** How far from a bar the pointer still means it. */
const reach = 4;

/** What is done when, in lanes. */
export class Timeline extends Picker<TimelineData> {
  private layout!: TimelineLayout;

  protected override lay(data: TimelineData, format: Formatter): void {
    this.layout = layTimeline(data, this.width, format, this.measure);
    this.height = this.layout.height;
    this.keepMarks(data);
  }

  protected override count({ events }: TimelineData): number {
    return events.length;
  }

  // ---- drawing

  protected override drawing(data: TimelineData): TemplateResult {
    const { plot, x, xTicks, rows, kinds } = this.layout;
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
      ${letters(data.kinds, this.layout.letters)}
      ${rowNames(rows)}`;
  }

  protected override reading(
    data: TimelineData,
    format: Formatter,
    words: PlanWords,
  ): TemplateResult {
    const event = this.event(data);
    const values = this.times(event?.lane).map((time) =>
      sayTime(time, this.end, data.x.unit, format),
    );
    return svg`${legend(data.kinds, this.layout.legend, values, event?.kind)}
      ${this.list(data, format, words, (index) => this.ring(data.events[index]!))}`;
  }

  private ring({ lane, start, end }: TimelineEvent): TemplateResult {
    const { x, rows } = this.layout;
    const from = x.place(start);
    const width = Math.max(2, x.place(end) - from);
    return svg`<rect class="picked" data-transient x=${px(from)} y=${rows.top(lane)} width=${px(width)} height=${rows.thick} />`;
  }

  private event(data: TimelineData): TimelineEvent | undefined {
    return this.shown === undefined ? undefined : data.events[this.shown];
  }

  private get end(): number {
    return this.layout.x.domain[1];
  }

  /** By kind, the time in a lane, or in those that have it on average. */
  private times(lane: number | undefined): number[] {
    const { busy } = this.layout;
    const lanes = lane === undefined ? busy : [busy[lane]!];
    return this.data!.kinds.map((_, kind) => mean(lanes.map((times) => times[kind]!)));
  }

  /** What is left of a lane, or of those that do anything on average. */
  private idle(lane: number | undefined): number {
    const { busy } = this.layout;
    const lanes = lane === undefined ? busy : [busy[lane]!];
    const used = mean(lanes.map((times) => times.reduce((sum, time) => sum + time, 0)));
    return Math.max(0, this.end - used);
  }

  private sayLane({ lane, lanes }: TimelineData, index: number): string {
    return lanes.length > 1 && lane ? `${lane} ${lanes[index]!}` : lanes[index]!;
  }

  private sayEvent(
    { kinds, x }: TimelineData,
    { kind, label, start, end }: TimelineEvent,
    format: Formatter,
  ): string[] {
    return [
      `${letterOf(kinds[kind]!, kind)} ${kinds[kind]!.label}`,
      ...(label ? [label] : []),
      format.say(end - start, x.unit),
      `${format.say(start, x.unit)} – ${format.say(end, x.unit)}`,
    ];
  }

  protected override say(data: TimelineData, index: number, format: Formatter): string {
    const event = data.events[index]!;
    return [this.sayLane(data, event.lane), ...this.sayEvent(data, event, format)].join(' · ');
  }

  protected override readout(
    data: TimelineData,
    format: Formatter,
    words: PlanWords,
  ): TemplateResult {
    const event = this.event(data);
    const idle = sayTime(this.idle(event?.lane), this.end, data.x.unit, format);
    return html`<p class="readout">
      <b
        >${event ? this.sayLane(data, event.lane) : `${data.x.label} ${format.say(this.end, data.x.unit)}`}</b
      >
      ${event ? this.sayEvent(data, event, format).map((text) => html`<span>${text}</span>`) : nothing}
      <span>${words.idle} ${idle}</span>
    </p>`;
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
      rows: this.layout.lanes.flatMap((events, lane) =>
        events.map((index): Cell[] => {
          const { kind, label, start, end } = data.events[index]!;
          return [data.lanes[lane], data.kinds[kind]!.label, label, start, end];
        }),
      ),
    };
  }

  // ---- the reader

  /** Of a lane, the event nearest to a place. */
  private nearestIn(lane: number, place: number): number | undefined {
    const { lanes, x } = this.layout;
    const events = lanes[lane]!;
    const { events: all } = this.data!;
    const edge = (at: number, side: 'start' | 'end'): number => x.place(all[events[at]!]![side]);
    const at = nearest(
      events.length,
      (index) => (edge(index, 'start') + edge(index, 'end')) / 2,
      place,
    );
    // Where bars differ in length, that with the nearest middle may not be that at the place.
    const off = (index: number): number =>
      Math.max(edge(index, 'start') - place, place - edge(index, 'end'));
    const beside = [at - 1, at, at + 1].filter((index) => index >= 0 && index < events.length);
    const found = beside.sort((a, b) => off(a) - off(b))[0];
    return found === undefined ? undefined : events[found];
  }

  protected override find(x: number, y: number): number | undefined {
    const { lanes, events } = this.data!;
    const lane = rowAt(this.layout.rows, lanes.length, y);
    const found = lane === undefined ? undefined : this.nearestIn(lane, x);
    if (found === undefined) return undefined;
    const { place } = this.layout.x;
    const { start, end } = events[found]!;
    return x >= place(start) - reach && x <= place(end) + reach ? found : undefined;
  }

  /** Along a lane from one event to the next, up and down to what other lanes do then. */
  protected override keyed({ key, shiftKey }: KeyboardEvent, from: number): number | undefined {
    const { lanes, x } = this.layout;
    const { lane, start, end } = this.data!.events[from]!;
    const events = lanes[lane]!;
    const at = events.indexOf(from);
    const far = shiftKey ? 10 : 1;
    const along = (to: number): number =>
      events[Math.min(events.length - 1, Math.max(0, to))] ?? from;
    const across = (step: number): number => {
      for (let other = lane + step; lanes[other]; other += step) {
        const found = this.nearestIn(other, x.place((start + end) / 2));
        if (found !== undefined) return found;
      }
      return from;
    };
    switch (key) {
      case 'ArrowRight':
        return along(at + far);
      case 'ArrowLeft':
        return along(at - far);
      case 'PageDown':
        return along(at + 10);
      case 'PageUp':
        return along(at - 10);
      case 'Home':
        return along(0);
      case 'End':
        return along(Infinity);
      case 'ArrowUp':
        return across(-1);
      case 'ArrowDown':
        return across(1);
      default:
        return undefined;
    }
  }
}

/** Of what is not nothing. */
function mean(times: number[]): number {
  const some = times.filter((time) => time > 0);
  return some.reduce((sum, time) => sum + time, 0) / Math.max(1, some.length);
}

customElements.define('scaling-timeline', Timeline);
