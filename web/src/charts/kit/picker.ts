import { html, nothing, svg, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Formatter } from '../../number/format.ts';
import { Chart } from './chart.ts';
import type { Bound, Finding } from './data.ts';
import { style } from './plan-style.ts';
import { glyphs } from './shape.ts';
import type { PlanWords, Words } from './words.ts';

type Drawn = TemplateResult | typeof nothing;

/** The description of a mark, or of the whole chart. */
export interface Saying {
  name: string;
  values: string[];
  bound?: Bound | undefined;
}

/**
 * A chart of so many marks that only the one that is read is an element of its own: that at the
 * pointer, or that which keys have gone to or a finger has touched.
 */
export abstract class Picker<Data extends Finding, Said extends Words = PlanWords> extends Chart<
  Data,
  Said
> {
  static override styles = [...Chart.styles, style];
  static override properties: PropertyDeclarations = {
    ...Chart.properties,
    pointed: { state: true },
    picked: { state: true },
  };

  /** The marks at the pointer, and where keys go on from. */
  declare protected pointed: number | undefined;
  declare protected picked: number | undefined;

  /** The number of marks. */
  protected abstract count(data: Data): number;
  /** The mark at a place. */
  protected abstract find(x: number, y: number): number | undefined;
  /** The mark to which a key leads; undefined for other keys. */
  protected abstract keyed(event: KeyboardEvent, from: number): number | undefined;
  /** The description of a mark or, without one to show, of the whole chart. */
  protected abstract say(
    data: Data,
    index: number | undefined,
    format: Formatter,
    words: Said,
  ): Saying;

  /** The mark whose numbers are shown. */
  protected get shown(): number | undefined {
    return this.pointed ?? this.picked;
  }

  protected override readout(data: Data, format: Formatter, words: Said): TemplateResult {
    const { name, values, bound } = this.say(data, this.shown, format, words);
    return html`<p class="readout">
      ${name ? html`<b>${name}</b>` : nothing} ${values.map((value) => html`<span>${value}</span>`)}
      ${bound ? html`<span class="word ${bound}">${glyphs[bound]} ${words.bounds[bound]}</span>` : nothing}
    </p>`;
  }

  /** Drops marks that a new layout no longer has; call it with each layout. */
  protected keepMarks(data: Data): void {
    const count = this.count(data);
    if ((this.pointed ?? 0) >= count) this.pointed = undefined;
    if ((this.picked ?? 0) >= count) this.picked = undefined;
  }

  /** The marks that keys go through. `ring` is drawn around the focused one. */
  protected list(
    data: Data,
    format: Formatter,
    words: Said,
    ring: (index: number) => TemplateResult,
    chosen?: number,
  ): Drawn {
    const count = this.count(data);
    if (count === 0) return nothing;
    const index = this.picked ?? chosen ?? 0;
    const { name, values, bound } = this.say(data, index, format, words);
    const said = [name, ...values, bound && words.bounds[bound]].filter(Boolean).join(' · ');
    return svg`<g role="listbox" tabindex="0" aria-label=${data.title} aria-activedescendant="mark-${index}"
        @keydown=${this.onKey} @focus=${() => (this.picked ??= chosen ?? 0)} @blur=${() => (this.picked = undefined)}>
      <g id="mark-${index}" role="option" aria-selected=${chosen === undefined || chosen === index}
          aria-posinset=${index + 1} aria-setsize=${count} aria-label=${said}>
        ${this.shown === undefined ? nothing : ring(this.shown)}
      </g>
    </g>`;
  }

  protected override hover(x: number | undefined, y: number): void {
    this.pointed = x === undefined ? undefined : this.find(x, y);
  }

  /** A finger does not hover: its touches, and presses, pick. */
  protected override canDrag(): boolean {
    return true;
  }

  protected override drag(x: number, y: number, done: boolean): void {
    this.pointed = undefined;
    this.picked = this.find(x, y);
    if (done && this.picked !== undefined) this.choose(this.picked);
  }

  /** The reader means this mark. */
  protected choose(_: number): void {}

  private onKey(event: KeyboardEvent): void {
    const from = this.picked ?? 0;
    const index = this.keyed(event, from);
    const chooses = event.key === 'Enter' || event.key === ' ';
    if (index === undefined && !chooses) return;
    event.preventDefault();
    this.pointed = undefined;
    if (index === undefined) this.choose(from);
    else this.picked = index;
  }
}
