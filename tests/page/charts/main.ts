// A page with the three charts and nothing else, over a small state of its own: what the page's own
// state and the core do is tested elsewhere.

import { LitElement, html, type PropertyDeclarations } from 'lit';
import '../../../web/src/page.css';
import type { MapMove, Move, Words } from '../../../web/src/charts/index.ts';
import { define } from '../../../web/src/dom/define.ts';
import { style } from '../../../web/src/ui/kit/style.ts';
import { Formatter } from '../../../web/src/number/format.ts';
import { heatMap, roofline, sweep, type Options, type State } from './samples.ts';
import { dictionaries, words } from './words.ts';

class Charts extends LitElement {
  static override styles = style;
  static override properties: PropertyDeclarations = {
    batch: { type: Number },
    output: { type: Number },
    options: { attribute: false },
    format: { state: true },
  };
  declare batch: number;
  declare output: number;
  declare options: Options;
  declare format: Formatter | undefined;
  /** All that the charts have told. */
  readonly moves: object[] = [];
  private words: Words | undefined;

  constructor() {
    super();
    this.batch = 128;
    this.output = 4096;
    this.options = { language: 'en' };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  private async start(): Promise<void> {
    const { language } = this.options;
    document.documentElement.lang = this.lang = language === 'zh' ? 'zh-Hans' : 'en';
    const { bounds, units } = dictionaries[language];
    const { HeatMap, RooflineChart, SweepChart } = await import('../../../web/src/charts/index.ts');
    define('scaling-roofline', RooflineChart);
    define('scaling-sweep', SweepChart);
    define('scaling-heat-map', HeatMap);
    this.words = { ...words[language], bounds };
    this.format = new Formatter(language, units);
  }

  private onMove(value: (move: Move) => number) {
    return ({ detail }: CustomEvent<Move>): void => {
      this.moves.push(detail);
      this.batch = value(detail);
    };
  }

  protected override render() {
    const { format, words } = this;
    if (!format || !words) return html``;
    const state: State = { batch: this.batch, output: this.output };
    const line = roofline(state, this.options);
    const lines = sweep(state, this.options);
    const map = heatMap(state, this.options);
    return html`<scaling-roofline
        .data=${line}
        .format=${format}
        .words=${words}
        @move=${this.onMove(({ index }) => line.track!.steps[index]!.value)}
      ></scaling-roofline>
      <scaling-sweep
        .data=${lines}
        .format=${format}
        .words=${words}
        @move=${this.onMove(({ index }) => lines.x.values[index]!)}
      ></scaling-sweep>
      <scaling-heat-map
        .data=${map}
        .format=${format}
        .words=${words}
        @move=${({ detail }: CustomEvent<MapMove>) => {
          this.moves.push(detail);
          this.batch = map.x.values[detail.x]!;
          this.output = map.y.values[detail.y]!;
        }}
      ></scaling-heat-map>`;
  }
}

customElements.define('scaling-charts', Charts);
