import {
  LitElement,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import '../../../charts/index.ts';
import type {
  HeatMapData,
  MapMove,
  Move,
  Numbers,
  RooflineData,
  SweepData,
  Words,
} from '../../../charts/index.ts';
import type { ChartSettings } from '../../../model/charts.ts';
import { chartsOf, type Chart } from '../../../model/views.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Results } from '../answers/results.ts';
import type { Scope } from '../../kit/scope.ts';
import { rangedAxis, usualAxis, type Ranged } from './axis.ts';
import { heatMapData, mapAxes } from './heat-map-data.ts';
import { heatMapSetting } from './heat-map-setting.ts';
import { Holdings } from './holdings.ts';
import { rooflineData } from './roofline-data.ts';
import { rooflineSetting } from './roofline-setting.ts';
import { Setting, type SettingHost } from './setting.ts';
import { Subject } from './subject.ts';
import { sweepData } from './sweep-data.ts';
import { sweepSetting } from './sweep-setting.ts';

type Drawn =
  | { chart: 'roofline'; data: RooflineData | undefined }
  | { chart: 'sweep'; data: SweepData | undefined }
  | { chart: 'heatMap'; data: HeatMapData | undefined };

const settings = { roofline: rooflineSetting, sweep: sweepSetting, heatMap: heatMapSetting };

/**
 * The charts of a question: one at a time, with what it shows said in a sentence below. Renders into
 * its parent's tree. What is drawn is reckoned anew only when the question changes.
 */
export class Laboratory extends LitElement implements SettingHost {
  static override properties: PropertyDeclarations = {
    scope: { attribute: false },
    results: { attribute: false },
    alone: { attribute: false },
  };

  declare scope: Scope;
  declare results: Results;
  /** The one chart is all that is asked for: there is no way to others. */
  declare alone: boolean;
  readonly drafts = new Map<string, string>();
  /** It is from here that what charts show is changed, not by the link. */
  private changing = false;
  private subject: Subject | undefined;
  private drawn: Drawn | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get charts(): readonly Chart[] {
    return chartsOf(this.scope.state.view);
  }

  private get chart(): Chart {
    const chosen = this.scope.state.charts.chart;
    return this.charts.find((chart) => chart === chosen) ?? this.charts[0]!;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('scope')) return;
    const before = changed.get('scope');
    const { scope } = this;
    const others = before !== undefined && before.state.charts !== scope.state.charts;
    if (others && !this.changing) this.drafts.clear();
    this.changing = false;
    if (before && before.state === scope.state && before.text === scope.text) return;
    this.subject = new Subject(scope, this.results);
    const { chart, subject } = this;
    this.drawn = {
      roofline: (): Drawn => ({ chart: 'roofline', data: rooflineData(subject) }),
      sweep: (): Drawn => ({ chart: 'sweep', data: sweepData(subject) }),
      heatMap: (): Drawn => ({ chart: 'heatMap', data: heatMapData(subject) }),
    }[chart]();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { scope, subject, drawn } = this;
    if (!subject || !drawn) return nothing;
    const { charts: words } = scope.text;
    const setting = new Setting(subject, this);
    const content = html`${
      drawn.data ? this.draw(drawn) : html`<p class="nothing">${words.nothing}</p>`
    }
    ${settings[drawn.chart](setting)}`;
    if (this.alone) return html`<div data-shows=${drawn.chart}>${content}</div>`;
    return html`<div role="tablist" aria-label=${words.label} @keydown=${this.onTabKey}>
        ${this.charts.map((chart) => {
          const shown = chart === drawn.chart;
          return html`<button
            type="button"
            role="tab"
            id="tab-${chart}"
            data-tab=${chart}
            aria-selected=${shown}
            aria-controls="chart"
            tabindex=${shown ? 0 : -1}
            @click=${() => scope.actions.chart({ chart })}
          >
            ${words.tabs[chart]}
          </button>`;
        })}
      </div>
      <div
        role="tabpanel"
        id="chart"
        data-shows=${drawn.chart}
        aria-labelledby="tab-${drawn.chart}"
      >
        ${content}
      </div>`;
  }

  private draw(drawn: Drawn): TemplateResult {
    const { format } = this.scope;
    const words = this.words;
    switch (drawn.chart) {
      case 'roofline':
        return html`<scaling-roofline
          .data=${drawn.data}
          .format=${format}
          .words=${words}
          @move=${({ detail }: CustomEvent<Move>) =>
            this.move([[this.over, drawn.data?.track?.steps[detail.index]?.value]], detail.done)}
        ></scaling-roofline>`;
      case 'sweep':
        return html`<scaling-sweep
          .data=${drawn.data}
          .format=${format}
          .words=${words}
          @move=${({ detail }: CustomEvent<Move>) =>
            this.move([[this.over, drawn.data?.x.values[detail.index]]], detail.done)}
        ></scaling-sweep>`;
      case 'heatMap':
        return html`<scaling-heat-map
          .data=${drawn.data}
          .format=${format}
          .words=${words}
          @move=${({ detail: { x, y, done } }: CustomEvent<MapMove>) => {
            const [over, against] = mapAxes(this.subject!);
            const { data } = drawn;
            if (data)
              this.move([step(over, data.x.values, x), step(against, data.y.values, y)], done);
          }}
        ></scaling-heat-map>`;
    }
  }

  change(settings: ChartSettings, edit?: { name: string; done: boolean }): void {
    this.changing = true;
    this.scope.actions.chart(settings, edit);
  }

  focusOn(...names: string[]): void {
    requestAnimationFrame(() => {
      names
        .map((name) =>
          this.querySelector<HTMLElement>(`[data-field="${name}"], [data-chart="${name}"]`),
        )
        .find((control) => control)
        ?.focus();
    });
  }

  private get over(): FieldId {
    return rangedAxis(this.scope, this.scope.state.charts.over, usualAxis(this.scope)).field;
  }

  private move(places: [FieldId, number | undefined][], done: boolean): void {
    const known = places.flatMap(([id, value]) =>
      value === undefined ? [] : [[id, value] as const],
    );
    this.scope.actions.move(known, done);
  }

  private get words(): Words {
    const { charts: texts, bounds } = this.scope.text;
    return { ...texts.words, bounds };
  }

  /** Tabs: arrow keys go from one to the next, as the ARIA pattern has it. */
  private onTabKey(event: KeyboardEvent): void {
    const { charts: all } = this;
    const at = all.indexOf(this.chart);
    const targets: Record<string, number> = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.scope.actions.chart({ chart: all[target]! });
    this.querySelector<HTMLElement>(`[data-tab="${all[target]!}"]`)?.focus();
  }
}

/** To a value of an axis; in the row or column where the reader's own lies, that stays as it is. */
function step({ field, own }: Ranged, values: Numbers, index: number): [FieldId, number] {
  const distance = (at: number): number => Math.abs(Math.log(values[at]! / own));
  const nearest = [index - 1, index + 1].every(
    (beside) => beside < 0 || beside >= values.length || distance(beside) >= distance(index),
  );
  return [field, nearest ? own : values[index]!];
}

define('scaling-laboratory', Laboratory);
define('scaling-holdings', Holdings);
