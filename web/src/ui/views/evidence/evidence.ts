import {
  LitElement,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { live } from 'lit/directives/live.js';
import '../../../charts/evidence.ts';
import type { ScatterData, ScatterPoint, ScatterWords } from '../../../charts/evidence.ts';
import { adopt } from '../../../dom/sheet.ts';
import { define } from '../../../dom/define.ts';
import { writeAddress } from '../../../link/address.ts';
import { Lazy } from '../../../engine/lazy.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { lazily } from '../../kit/lazily.ts';
import { radios } from '../../kit/radios.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Collection } from './collection.ts';
import { sayChoice, sayError, sayReason, type EvidenceWords } from './evidence-words.ts';
import { changed, choicesOf, grouped, matches, valueOf } from './filter.ts';
import { forgetOwnRun, measureOf, ownRuns, type OwnRun } from './kept.ts';
import { renderOwn, renderSource, renderUnpredicted } from './others.ts';
import { measures, type Kind, type Measure, type Pair, type Run } from './run.ts';
import {
  measureIn,
  readFilter,
  runGroups,
  runSizes,
  writeFilter,
  writeMeasure,
  type RunChoice,
  type RunFilter,
  type RunGroup,
} from './settings.ts';
import { errorOf, errorsOf, quantile, type Errors } from './statistics.ts';
import { style } from './style.ts';
import { errorTable, runTable, tableTools, type GroupErrors } from './tables.ts';
import { training } from './training-collection.ts';

const kinds: readonly Kind[] = ['dense', 'moe'];
/** Runs of a list, and how many more come on request. */
const page = 20;

/** All measured runs against what is predicted of them. Renders into its parent's tree. */
export class EvidenceView extends LitElement {
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
      import('./serving-collection.ts'),
      this.ctx.engine.serving(),
    ]);
    return module;
  });
  /** How many runs the list shows. */
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

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adopt(this.getRootNode(), style);
  }

  private get measure(): Measure {
    return measureIn(this.ctx.state.charts.measure);
  }

  /** The runs of which this was measured; undefined until they have loaded. */
  private collectionOf(measure: Measure): Collection | undefined {
    if (measure === 'stepTime') return training as Collection;
    return this.servers.use(this.ctx.actions)?.servingCollection(measure) as Collection | undefined;
  }

  private get filter(): RunFilter {
    return readFilter(this.ctx.state.charts.runs ?? '') ?? {};
  }

  private get by(): RunGroup {
    const { by } = this.ctx.state.charts;
    const known = runGroups.find((each) => each === by);
    return known && this.collection!.choices.includes(known) ? known : 'chip';
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
    this.shown = collection?.runs.filter((run) => matches(run, filter)) ?? [];
    this.data = collection && this.shown.length > 0 ? this.scatter(collection) : undefined;
  }

  // ---- what is drawn

  private scatter(collection: Collection): ScatterData {
    const { ctx, words, shown, chosen } = this;
    const { unit, measure } = collection;
    const said = words.measures[measure];
    const present = kinds.filter(
      (kind) => shown.some((run) => run.kind === kind) || this.own.some((own) => own.kind === kind),
    );
    // Keys go from the least to the greatest.
    const ordered = [...shown].sort((a, b) => a.expected - b.expected);
    const errors = errorsOf(shown);
    const point = (run: Pair & { kind: Kind }, label: string): ScatterPoint => ({
      label,
      x: run.expected,
      y: run.measured,
      kind: present.indexOf(run.kind),
      likely: [run.low, run.high],
      bounds: [run.lower, run.upper],
      says: sayError(ctx, errorOf(run)),
    });
    this.shown = ordered;
    const at = chosen ? ordered.indexOf(chosen) : -1;
    return {
      title: this.sayErrors(errors, words.chart.title),
      description: this.sayErrors(errors, said.description),
      file: `evidence-${measure}`,
      x: { label: said.x, unit },
      y: { label: said.y, unit },
      kinds: present.map((kind) => words.kinds[kind]),
      points: ordered.map((run) => point(run, collection.call(ctx, words, run))),
      ...(at >= 0 && { chosen: at }),
      own: this.own.map((run) => point(run, ctx.fill(words.ownLabel, { run: run.name }))),
      band: {
        from: quantile(
          ordered.map(({ low, expected }) => low / expected),
          0.5,
        ),
        to: quantile(
          ordered.map(({ high, expected }) => high / expected),
          0.5,
        ),
      },
      diagonal: words.chart.diagonal,
    };
  }

  private get chartWords(): ScatterWords {
    const { charts, bounds } = this.ctx.text;
    const { low, high, lower, upper } = this.words.chart;
    return { ...charts.words, bounds, low, high, lower, upper };
  }

  private sayErrors({ count, median, ninth, covered }: Errors, sentence: string): string {
    const { format } = this.ctx;
    return this.ctx.fill(
      sentence,
      {
        n: format.count(count),
        ...this.counts(),
        median: format.say(median, '%'),
        ninth: format.say(ninth, '%'),
        covered: format.say(covered, '%'),
      },
      { n: count },
    );
  }

  private counts(): Record<string, string> {
    const count = (value: number): string => this.ctx.format.count(value);
    const { all, predicted, shownOneIn } = this.collection!.counts;
    return { all: count(all), predicted: count(predicted), every: count(shownOneIn) };
  }

  // ---- what the reader does

  /** Shows what else was measured; what is filtered stays as far as it is known there. */
  private turnTo(measure: Measure): void {
    const { kind, model, chip, format } = this.filter;
    const kept = Object.entries({ kind, model, chip, format }).filter(([, value]) => value);
    const sameView = (measure === 'stepTime') === (this.measure === 'stepTime');
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
          : lazily(ctx, this.servers, () => nothing)
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
    const { ctx, words, data, shown } = this;
    const { runs, view, counts } = collection;
    const nothingFound = shown.length === 0;
    return html`<p class="summary">
        ${nothingFound ? words.nothing : this.sayErrors(errorsOf(shown), words.found)}
      </p>
      <p class="means">
        ${ctx.sentences([
          this.sayErrors(errorsOf(runs), words.leads[view]),
          counts.shownOneIn > 1 ? ctx.fill(words.sampled, this.counts()) : '',
        ])}
      </p>
      ${this.renderFault()} ${this.renderFilters(collection)}
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
      <div aria-live="polite">${this.renderChosen(collection)}</div>
      ${nothingFound ? nothing : this.renderErrors(collection)}
      ${nothingFound ? nothing : this.renderRuns(collection)}
      ${renderOwn(ctx, words, collection, this.own, (run) => this.forget(run))}
      ${renderUnpredicted(ctx, words, collection)}`;
  }

  /** The words of a link that can't be. */
  private renderFault(): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const { runs: typed } = ctx.state.charts;
    if (typed === undefined || readFilter(typed)) return nothing;
    return html`<p class="message" data-message="runs">${ctx.fill(words.badFilter, { typed })}</p>`;
  }

  private renderFilters({ runs, choices }: Collection): TemplateResult {
    const { words, filter, ctx } = this;
    const selects = choices.filter(
      (key) => key !== 'generation' || filter.generation !== undefined,
    );
    const sizes = runSizes.filter((key) => filter[key] !== undefined);
    return html`<div class="filters" role="group" aria-label=${words.filters}>
      ${selects.map((key) => this.renderFilter(runs, key))}
      ${sizes.map((key) => {
        const value = ctx.fill(words.near, { value: ctx.format.count(filter[key]!) });
        const label = words.labels[key];
        return html`<span class="pick"
          ><span>${label}</span>
          <button
            type="button"
            data-near=${key}
            aria-label=${ctx.fill(words.remove, { label, value })}
            @click=${() => this.put(key, undefined)}
          >
            ${value} <span aria-hidden="true">×</span>
          </button></span
        >`;
      })}
      ${
        Object.keys(filter).length > 0
          ? html`<button
              type="button"
              data-reset
              @click=${() => ctx.actions.chart({ runs: undefined })}
            >
              ${words.reset}
            </button>`
          : nothing
      }
    </div>`;
  }

  private renderFilter(runs: readonly Run[], key: RunChoice): TemplateResult {
    const { ctx, words, filter } = this;
    const counts = choicesOf(runs, filter, key);
    const wanted = filter[key];
    const values = [...counts.keys()]
      .map((value) => ({ value, said: sayChoice(ctx, words, key, value) }))
      .sort((a, b) => a.said.localeCompare(b.said, ctx.language, { numeric: true }));
    // A filter of a link that no run matches stays visible.
    if (wanted !== undefined && !counts.has(wanted)) {
      values.unshift({ value: wanted, said: sayChoice(ctx, words, key, wanted) });
    }
    const change = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      this.put(key, value || undefined);
    };
    return html`<label class="pick"
      ><span>${words.labels[key]}</span>
      <select data-filter=${key} @change=${change}>
        <option value="" .selected=${live(wanted === undefined)}>${words.all}</option>
        ${values.map(
          ({ value, said }) =>
            html`<option value=${value} .selected=${live(value === wanted)}>
              ${ctx.fill(words.counted, { value: said, n: ctx.format.count(counts.get(value) ?? 0) })}
            </option>`,
        )}
      </select></label
    >`;
  }

  private linkOf(run: Run): string {
    const { description } = this.ctx;
    return writeAddress(description, this.collection!.stateOf(description, run));
  }

  private renderChosen(collection: Collection): TemplateResult | typeof nothing {
    const { ctx, words, chosen } = this;
    if (!chosen) {
      const { run } = ctx.state.charts;
      const without = collection.others.find(({ id }) => id !== undefined && id === run);
      if (without) {
        return html`<p class="means">
          ${ctx.fill(words.without, {
            model: without.model,
            chip: without.chip,
            reason: sayReason(ctx, words, without.reason) ?? without.reason,
          })}
          ${renderSource(without.citation)}
        </p>`;
      }
      return html`<p class="means">${run === undefined ? words.choose : words.unknownRun}</p>`;
    }
    const { format } = ctx;
    const { unit, bounds } = collection;
    const say = (value: number): string => format.say(value, unit);
    const rows: [string, TemplateResult | string][] = [
      [words.details.measured, collection.say(ctx, chosen, chosen.measured)],
      [
        words.details.expected,
        `${collection.say(ctx, chosen, chosen.expected)} · ${sayError(ctx, errorOf(chosen))}`,
      ],
      [
        words.details.likely,
        ctx.fill(words.details.range, { from: say(chosen.low), to: say(chosen.high) }),
      ],
      bounds.length > 1
        ? [
            words.details.bounds,
            ctx.fill(words.details.range, { from: say(chosen.lower), to: say(chosen.upper) }),
          ]
        : [words.chart[bounds[0]!], say(chosen[bounds[0]!])],
      [words.details.run, collection.asked(ctx, words, chosen)],
      [words.labels.stack, sayChoice(ctx, words, 'stack', valueOf(chosen, 'stack'))],
      [words.labels.source, renderSource(chosen.citation)],
    ];
    return html`<article class="chosen" data-run=${chosen.id}>
      <h3>${collection.call(ctx, words, chosen)}</h3>
      <dl>
        ${rows.map(
          ([term, said]) =>
            html`<div>
              <dt>${term}</dt>
              <dd>${said}</dd>
            </div>`,
        )}
      </dl>
      <p>
        <a data-open href="#${this.linkOf(chosen)}">${words.opens[collection.view]}</a>
        <button type="button" class="why" @click=${() => this.choose(undefined)}>
          ${words.close}
        </button>
      </p>
    </article>`;
  }

  private rowsOf(): GroupErrors[] {
    const { ctx, words, by, shown } = this;
    return grouped(shown, by).map(([value, group]) => ({
      value,
      said: sayChoice(ctx, words, by, value),
      errors: errorsOf(group),
    }));
  }

  private renderErrors({ choices }: Collection): TemplateResult {
    const { ctx, words, by } = this;
    const { format } = ctx;
    const { columns } = words.errors;
    return html`<div class="errors">
      <h3>
        <label
          >${words.errors.title}
          <select
            data-filter="by"
            @change=${(event: Event) =>
              ctx.actions.chart({ by: (event.target as HTMLSelectElement).value as RunGroup })}
          >
            ${runGroups
              .filter((each) => choices.includes(each))
              .map(
                (each) =>
                  html`<option value=${each} .selected=${live(each === by)}>
                    ${words.by[each]}
                  </option>`,
              )}
          </select></label
        >
      </h3>
      <table>
        <thead>
          <tr>
            <th scope="col" class="words">${words.labels[by]}</th>
            <th scope="col">${columns.count}</th>
            <th scope="col">${columns.median}</th>
            <th scope="col">${columns.ninth}</th>
            <th scope="col">${columns.covered}</th>
          </tr>
        </thead>
        <tbody>
          ${this.rowsOf().map(
            ({ value, said, errors }) =>
              html`<tr data-group=${value}>
                <th scope="row" class="words">
                  <button type="button" class="why" @click=${() => this.put(by, value)}>
                    ${said}
                  </button>
                </th>
                <td>${format.count(errors.count)}</td>
                <td>${format.say(errors.median, '%')}</td>
                <td>${format.say(errors.ninth, '%')}</td>
                <td>${format.say(errors.covered, '%')}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      ${tableTools(words, 'errors', () => errorTable(words, by, this.rowsOf()))}
    </div>`;
  }

  /** The runs that are shown, those first that are predicted worst. */
  private farthest(): Run[] {
    const size = (run: Run): number => Math.abs(errorOf(run));
    return [...this.shown].sort((a, b) => size(b) - size(a));
  }

  private renderRuns(collection: Collection): TemplateResult {
    const { ctx, words } = this;
    const { unit } = collection;
    return disclosure(
      ctx,
      {
        part: 'evidence runs',
        kind: 'panel',
        summary: html`<span class="title">${words.runs}</span>`,
      },
      () => {
        const all = this.farthest();
        const more = Math.min(page, all.length - this.listed);
        const { format } = ctx;
        return html`<div class="inside">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col" class="words">${words.details.run}</th>
                <th scope="col">${words.details.measured}</th>
                <th scope="col">${words.details.expected}</th>
                <th scope="col">${words.details.error}</th>
                <th scope="col" class="words wider">${words.labels.source}</th>
              </tr>
            </thead>
            <tbody>
              ${all.slice(0, this.listed).map(
                (run) =>
                  html`<tr data-listed=${run.id}>
                    <th scope="row" class="words">
                      <a href="#${this.linkOf(run)}">${collection.call(ctx, words, run)}</a>
                      <span class="note small-only">${renderSource(run.citation)}</span>
                    </th>
                    <td>${format.say(run.measured, unit)}</td>
                    <td>${format.say(run.expected, unit)}</td>
                    <td>${sayError(ctx, errorOf(run))}</td>
                    <td class="words wider">${renderSource(run.citation)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>
          ${
            more > 0
              ? html`<button type="button" data-more @click=${() => (this.listed += page)}>
                  ${ctx.fill(words.more, { n: format.count(more) }, { n: more })}
                </button>`
              : nothing
          }
          ${tableTools(words, 'runs', () =>
            runTable(ctx, words, collection, all, (run) => this.linkOf(run)),
          )}
        </div>`;
      },
    );
  }
}

define('scaling-evidence', EvidenceView);
