// A page with the charts of a plan and nothing else, over a small state of its own.

import { LitElement, html, type PropertyDeclarations } from 'lit';
import '../../../web/src/page.css';
import type { MapMove, Move, PlanWords } from '../../../web/src/charts/plan.ts';
import { define } from '../../../web/src/dom/define.ts';
import { style } from '../../../web/src/ui/kit/style.ts';
import { Formatter } from '../../../web/src/number/format.ts';
import { bars, front, timeline, valueMap, type PlanOptions } from './plan-samples.ts';
import { dictionaries, planWords, words } from './words.ts';

class Charts extends LitElement {
  static override styles = style;
  static override properties: PropertyDeclarations = {
    chosen: { type: Number },
    own: { attribute: false },
    options: { attribute: false },
    format: { state: true },
  };
  /** The point of the front and the cell of the map that the reader is at. */
  declare chosen: number;
  declare own: { x: number; y: number };
  declare options: PlanOptions;
  declare format: Formatter | undefined;
  /** All that the charts have told. */
  readonly moves: object[] = [];
  private words: PlanWords | undefined;

  constructor() {
    super();
    this.chosen = 3;
    this.own = { x: 3, y: 5 };
    this.options = { language: 'en', size: 'usual' };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  private async start(): Promise<void> {
    const { language } = this.options;
    document.documentElement.lang = this.lang = language === 'zh' ? 'zh-Hans' : 'en';
    const { bounds, units } = dictionaries[language];
    const { Bars, ParetoFront, Timeline, ValueMap } =
      await import('../../../web/src/charts/plan.ts');
    define('scaling-bars', Bars);
    define('scaling-timeline', Timeline);
    define('scaling-pareto-frontier', ParetoFront);
    define('scaling-value-map', ValueMap);
    this.words = { ...words[language], ...planWords[language], bounds };
    this.format = new Formatter(language, units);
  }

  protected override render() {
    const { format, words } = this;
    if (!format || !words) return html``;
    return html`<scaling-bars
        .data=${bars(this.options)}
        .format=${format}
        .words=${words}
      ></scaling-bars>
      <scaling-timeline
        .data=${timeline(this.options)}
        .format=${format}
        .words=${words}
      ></scaling-timeline>
      <scaling-pareto-frontier
        .data=${front(this.chosen, this.options)}
        .format=${format}
        .words=${words}
        @move=${({ detail }: CustomEvent<Move>) => {
          this.moves.push(detail);
          this.chosen = detail.index;
        }}
      ></scaling-pareto-frontier>
      <scaling-value-map
        .data=${valueMap(this.own, this.options)}
        .format=${format}
        .words=${words}
        @move=${({ detail }: CustomEvent<MapMove>) => {
          this.moves.push(detail);
          this.own = { x: detail.x, y: detail.y };
        }}
      ></scaling-value-map>`;
  }
}

customElements.define('scaling-charts', Charts);
