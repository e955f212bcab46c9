import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import type { Words } from '../../../charts/index.ts';
import type { ChartSettings } from '../../../model/charts.ts';
import { chartsOf, type Chart } from '../../../model/views.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { ChartHost } from './chart-kind.ts';
import { chartKinds } from './chart-kinds.ts';
import { CollectiveSteps } from './collective-steps.ts';
import { kernelFacts } from './measured-kernels.ts';
import { Setting, type SettingHost } from './setting.ts';
import { ChartQuery } from './chart-query.ts';
import { LightElement } from '../../kit/light-element.ts';

/**
 * The charts of a question: one at a time, with what it shows said in a sentence below. Renders
 * into its parent's tree. The drawing is computed anew only when the question changes.
 */
class Explorer extends LightElement implements SettingHost, ChartHost {
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    results: { attribute: false },
    alone: { attribute: false },
  };

  declare ctx: RenderContext;
  declare results: Results;
  /** The one chart is all that is asked for: there is no way to others. */
  declare alone: boolean;
  readonly drafts = new Map<string, string>();
  /** It is from here that what charts show is changed, not by the link. */
  private changing = false;
  /** The kernels that were drawn: they load later than the charts. */
  private kernels: object | undefined;
  private query: ChartQuery | undefined;
  private drawn:
    { chart: Chart; draw: ReturnType<(typeof chartKinds)[Chart]['prepare']> } | undefined;

  private get charts(): readonly Chart[] {
    return chartsOf(this.ctx.state.view);
  }

  private get chart(): Chart {
    const chosen = this.ctx.state.charts.chart;
    return this.charts.find((chart) => chart === chosen) ?? this.charts[0]!;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx')) return;
    const before = changed.get('ctx');
    const { ctx } = this;
    const others = before !== undefined && before.state.charts !== ctx.state.charts;
    if (others && !this.changing) this.drafts.clear();
    this.changing = false;
    const kernels = kernelFacts(ctx)?.words;
    const same = before?.state === ctx.state && before.text === ctx.text;
    if (same && kernels === this.kernels) return;
    this.kernels = kernels;
    this.query = new ChartQuery(ctx, this.results);
    const { chart, query } = this;
    this.drawn = { chart, draw: chartKinds[chart].prepare(query) };
  }

  protected override render(): TemplateResult | typeof nothing {
    const { ctx, query, drawn } = this;
    if (!query || !drawn) return nothing;
    const { charts: words } = ctx.text;
    const setting = new Setting(query, this);
    const content = html`${
      drawn.draw ? drawn.draw(this) : html`<p class="nothing">${words.nothing}</p>`
    }
    ${chartKinds[drawn.chart].setting(setting)}`;
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
            @click=${() => ctx.actions.chart({ chart })}
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

  change(settings: ChartSettings, edit?: { name: string; done: boolean }): void {
    this.changing = true;
    this.ctx.actions.chart(settings, edit);
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

  move(places: readonly (readonly [FieldId, number | undefined])[], done: boolean): void {
    const known = places.flatMap(([id, value]) =>
      value === undefined ? [] : [[id, value] as const],
    );
    this.ctx.actions.move(known, done);
  }

  get words(): Words {
    const { charts: texts, bounds } = this.ctx.text;
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
    this.ctx.actions.chart({ chart: all[target]! });
    this.querySelector<HTMLElement>(`[data-tab="${all[target]!}"]`)?.focus();
  }
}

/** Defines what draws charts, and the picture of a collective: both have their places before. */
export function defineCharts(): void {
  define('scaling-explorer', Explorer);
  define('scaling-collective-picture', CollectiveSteps);
}
