import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { live } from 'lit/directives/live.js';
import { LightElement } from '../../../kit/light-element.ts';
import { Scatter, type ScatterData, type ScatterWords } from '../../../../charts/evidence.ts';
import { define } from '../../../../dom/define.ts';
import { Lazy } from '../../../../engine/lazy.ts';
import { lazily } from '../../../kit/lazily.ts';
import { radios } from '../../../kit/radios.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { renderChosen } from './chosen-run.ts';
import type { Collected, Collection } from '../runs/collection.ts';
import { renderGroups } from './error-groups.ts';
import { renderHistory, sayLeftOut } from './history.ts';
import type { EvidenceWords } from '../runs/words.ts';
import { changed, matches } from '../runs/filter.ts';
import { renderFilters } from './filters.ts';
import { forgetOwnRun, measureOf, ownRuns, type OwnRun } from '../runs/kept.ts';
import { renderOwn, renderUnpredicted } from './others.ts';
import { page, renderRuns } from './run-list.ts';
import { isOfTraining, measures, type Measure, type Run } from '../runs/run.ts';
import { inOrder, scatterData } from './scatter-data.ts';
import {
  measureIn,
  readFilter,
  runGroups,
  writeFilter,
  writeMeasure,
  type RunFilter,
  type RunGroup,
} from '../runs/settings.ts';
import { errorsOf } from '../runs/statistics.ts';
import { style } from '../style.ts';
import { sayCounts, sayErrors } from './summary.ts';
import { training } from '../runs/training-collection.ts';

/** All measured runs against what is predicted of them. Renders into its parent's tree. */
export class EvidenceView extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    listed: { state: true },
  };

  declare ctx: RenderContext;
  declare words: EvidenceWords;
  /** Measured servers, which load when they are first shown, with the fields that their links name. */
  private readonly servers = new Lazy(async () => {
    const [module] = await Promise.all([
      import('../runs/serving-collection.ts'),
      this.ctx.engine.serving(),
    ]);
    return module;
  });
  private readonly tunings = new Lazy(() => import('../runs/tuning-collection.ts'));
  /** The number of runs that the list shows. */
  declare private listed: number;
  /** The shown runs, as long as neither filter nor language change. */
  private shown: Run[] = [];
  private collection: Collection | undefined;
  private data: ScatterData | undefined;
  private own: OwnRun[] = [];

  constructor() {
    super();
    this.listed = page;
  }

  private get measure(): Measure {
    return measureIn(this.ctx.state.charts.measure);
  }

  /** The runs of which this was measured; undefined until they have loaded. */
  private collectionOf(measure: Measure): Collection | undefined {
    const { actions } = this.ctx;
    if (measure === 'stepTime') return training as Collection;
    if (isOfTraining(measure)) {
      return this.tunings.use(actions)?.tunings[measure] as Collection | undefined;
    }
    return this.servers.use(actions)?.servingCollection(measure) as Collection | undefined;
  }

  private get filter(): RunFilter {
    return readFilter(this.ctx.state.charts.runs ?? '') ?? {};
  }

  private get by(): RunGroup {
    const { by } = this.ctx.state.charts;
    const known = runGroups.find((each) => each === by);
    const { choices } = this.collection!;
    return known && choices.includes(known)
      ? known
      : runGroups.find((each) => choices.includes(each))!;
  }

  private get chosen(): Run | undefined {
    const { run } = this.ctx.state.charts;
    return this.collection?.runs.find(({ id }) => id === run);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx')) return;
    const before = changed.get('ctx');
    const { ctx } = this;
    const { charts } = ctx.state;
    const collection = this.collectionOf(this.measure);
    const same = collection === this.collection;
    this.collection = collection;
    if (
      same &&
      before &&
      before.text === ctx.text &&
      before.state.charts.runs === charts.runs &&
      before.state.charts.run === charts.run
    ) {
      return;
    }
    if (!same || before?.state.charts.runs !== charts.runs) this.listed = page;
    this.lay();
  }

  private lay(): void {
    const { collection, filter, measure } = this;
    this.own = ownRuns().filter((run) => measureOf(run) === measure);
    this.shown = inOrder(collection?.runs.filter((run) => matches(run, filter)) ?? []);
    this.data =
      collection && this.shown.length > 0
        ? scatterData(this.collected(collection), this.shown, this.chosen, this.own)
        : undefined;
  }

  // ---- what is drawn

  private get chartWords(): ScatterWords {
    const { charts, bounds } = this.ctx.text;
    const { low, high, lower, upper } = this.words.chart;
    return { ...charts.words, bounds, low, high, lower, upper };
  }

  private collected(collection: Collection): Collected {
    const { ctx, words } = this;
    return { ctx, words, collection };
  }

  // ---- what the reader does

  /** Shows what else was measured; what is filtered stays as far as it is known there. */
  private turnTo(measure: Measure): void {
    const { kind, model, chip, format } = this.filter;
    const kept = Object.entries({ kind, model, chip, format }).filter(([, value]) => value);
    const sameView = isOfTraining(measure) === isOfTraining(this.measure);
    this.ctx.actions.chart({
      measure: writeMeasure(measure),
      run: undefined,
      ...(sameView ? {} : { runs: writeFilter(Object.fromEntries(kept)) }),
    });
  }

  private put(key: keyof RunFilter, value: string | undefined): void {
    this.ctx.actions.chart({ runs: writeFilter(changed(this.filter, key, value)) });
  }

  private choose(id: string | undefined): void {
    this.ctx.actions.chart({ run: id });
  }

  private forget(run: OwnRun): void {
    forgetOwnRun(run);
    this.lay();
    this.requestUpdate();
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { ctx, words } = this;
    return html`<section class="evidence" aria-labelledby="evidence-title">
      <h2 id="evidence-title">${words.title}</h2>
      ${this.renderMeasures()}
      ${
        this.collection
          ? this.renderCollection(this.collection)
          : lazily<unknown>(
              ctx,
              isOfTraining(this.measure) ? this.tunings : this.servers,
              () => nothing,
            )
      }
    </section>`;
  }

  private renderMeasures(): TemplateResult {
    const { words, measure } = this;
    return radios(
      html`<fieldset class="choice">
        <legend>${words.measured}</legend>
        ${measures.map(
          (each) =>
            html`<label
              ><input
                type="radio"
                name="measure"
                value=${each}
                .checked=${live(each === measure)}
                @change=${() => this.turnTo(each)}
              />
              ${words.measures[each].name}</label
            >`,
        )}
      </fieldset>`,
    );
  }

  private renderCollection(collection: Collection): TemplateResult {
    const { ctx, words, data, shown, by } = this;
    const collected = this.collected(collection);
    const { runs, view, counts } = collection;
    const nothingFound = shown.length === 0;
    const put = (key: keyof RunFilter, value: string | undefined): void => this.put(key, value);
    define('scaling-scatter', Scatter);
    return html`<p class="summary" role="status">
        ${
          nothingFound
            ? words.nothing
            : shown.length === runs.length
              ? sayLeftOut(ctx, words, this.measure)
              : sayErrors(ctx, collection, errorsOf(shown), words.found)
        }
      </p>
      <p class="means">
        ${ctx.sentences([
          sayErrors(ctx, collection, errorsOf(runs), words.leads[view]),
          counts.shownOneIn > 1 ? ctx.fill(words.sampled, sayCounts(ctx, collection)) : '',
        ])}
      </p>
      ${this.renderFault()}
      <div class="plot">
        ${
          data
            ? html`<scaling-scatter
                class="charts"
                .data=${data}
                .format=${ctx.format}
                .words=${this.chartWords}
                @move=${({ detail }: CustomEvent<{ index: number }>) =>
                  this.choose(shown[detail.index]?.id)}
              ></scaling-scatter>`
            : nothing
        }
        ${renderFilters(collected, this.filter, put)}
      </div>
      <div aria-live="polite">
        ${renderChosen(collected, this.chosen, () => this.choose(undefined))}
      </div>
      ${nothingFound ? nothing : renderGroups(collected, shown, by, put)}
      ${nothingFound ? nothing : renderRuns(collected, shown, this.listed, (count) => (this.listed = count))}
      ${renderOwn(ctx, words, collection, this.own, (run) => this.forget(run))}
      ${renderUnpredicted(ctx, words, collection)} ${renderHistory(ctx, words, this.measure)}`;
  }

  /** The words of a link that can't be. */
  private renderFault(): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const { runs: typed } = ctx.state.charts;
    if (typed === undefined || readFilter(typed)) return nothing;
    return html`<p class="message" data-message="runs">${ctx.fill(words.badFilter, { typed })}</p>`;
  }
}

/** All measured runs. */
export function evidence(ctx: RenderContext, words: EvidenceWords): TemplateResult {
  define('scaling-evidence', EvidenceView);
  return html`<scaling-evidence .ctx=${ctx} .words=${words}></scaling-evidence>`;
}
