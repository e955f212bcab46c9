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
import { download } from '../../../charts/kit/export.ts';
import type { ScatterData, ScatterPoint, ScatterWords } from '../../../charts/evidence.ts';
import { adopt } from '../../../dom/sheet.ts';
import { define } from '../../../dom/define.ts';
import { addressOf, linkTo } from '../../../export/address.ts';
import { csv, type Table } from '../../../export/csv.ts';
import { forMarkdown } from '../../../export/escape.ts';
import { writeAddress } from '../../../link/address.ts';
import {
  runChoices,
  readFilter,
  runGroups,
  runSizes,
  writeFilter,
  type RunChoice,
  type RunFilter,
  type RunGroup,
} from './settings.ts';
import { stepTime } from '../../../number/unit.ts';
import { disclosure } from '../../kit/disclosure.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { runs, unpredicted, type Citation, type Kind, type Run } from './data.ts';
import { changed, choicesOf, grouped, matches, valueOf } from './filter.ts';
import { forgetOwnRun, ownRuns, type OwnRun } from './kept.ts';
import './how-sure.ts';
import { stateOf } from './open.ts';
import './own-run.ts';
import { errorOf, errorsOf, quantile, type Errors } from './statistics.ts';
import { style } from './style.ts';
import {
  callRun,
  sayChoice,
  sayError,
  sayRate,
  sayReason,
  type EvidenceWords,
} from './evidence-words.ts';

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
  /** How many runs the list shows. */
  declare private listed: number;
  /** What is shown, as long as neither filter nor language change. */
  private shown: Run[] = [];
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
    this.own = ownRuns();
  }

  private get filter(): RunFilter {
    return readFilter(this.ctx.state.charts.runs ?? '') ?? {};
  }

  private get by(): RunGroup {
    const { by } = this.ctx.state.charts;
    return runGroups.find((each) => each === by) ?? 'chip';
  }

  private get chosen(): Run | undefined {
    const { run } = this.ctx.state.charts;
    return runs.find(({ id }) => id === run);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx')) return;
    const before = changed.get('ctx');
    const { ctx } = this;
    const { charts } = ctx.state;
    if (
      before &&
      before.text === ctx.text &&
      before.state.charts.runs === charts.runs &&
      before.state.charts.run === charts.run
    ) {
      return;
    }
    if (before?.state.charts.runs !== charts.runs) this.listed = page;
    this.lay();
  }

  private lay(): void {
    this.shown = runs.filter((run) => matches(run, this.filter));
    this.data = this.shown.length > 0 ? this.scatter() : undefined;
  }

  // ---- what is drawn

  private scatter(): ScatterData {
    const { ctx, words, shown, chosen } = this;
    const present = kinds.filter(
      (kind) => shown.some((run) => run.kind === kind) || this.own.some((own) => own.kind === kind),
    );
    // Keys go from the shortest step to the longest.
    const ordered = [...shown].sort((a, b) => a.expected - b.expected);
    const errors = errorsOf(shown);
    const point = (
      run: Pick<Run, 'kind' | 'expected' | 'measured' | 'low' | 'high' | 'lower' | 'upper'>,
      label: string,
    ): ScatterPoint => ({
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
      description: this.sayErrors(errors, words.chart.description),
      file: 'evidence',
      x: { label: words.chart.x, unit: stepTime },
      y: { label: words.chart.y, unit: stepTime },
      kinds: present.map((kind) => words.kinds[kind]),
      points: ordered.map((run) => point(run, callRun(ctx, words, run))),
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
        all: format.count(runs.length + unpredicted.length),
        predicted: format.count(runs.length),
        median: format.say(median, '%'),
        ninth: format.say(ninth, '%'),
        covered: format.say(covered, '%'),
      },
      { n: count },
    );
  }

  // ---- what the reader does

  private put(key: keyof RunFilter, value: string | undefined): void {
    this.ctx.actions.chart({ runs: writeFilter(changed(this.filter, key, value)) });
  }

  private choose(id: string | undefined): void {
    this.ctx.actions.chart({ run: id });
  }

  private forget(link: string): void {
    forgetOwnRun(link);
    this.own = ownRuns();
    this.lay();
    this.requestUpdate();
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { ctx, words, data, shown } = this;
    const nothingFound = shown.length === 0;
    return html`<section class="evidence" aria-labelledby="evidence-title">
      <h2 id="evidence-title">${words.title}</h2>
      <p class="summary">
        ${nothingFound ? words.nothing : this.sayErrors(errorsOf(shown), words.found)}
      </p>
      <p class="means">${this.sayErrors(errorsOf(runs), words.lead)}</p>
      ${this.renderFault()} ${this.renderFilters()}
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
      <div aria-live="polite">${this.renderChosen()}</div>
      ${nothingFound ? nothing : this.renderErrors()} ${nothingFound ? nothing : this.renderRuns()}
      ${this.renderOwn()} ${this.renderUnpredicted()}
    </section>`;
  }

  /** What a link asks for and can't be. */
  private renderFault(): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const { runs: typed } = ctx.state.charts;
    if (typed === undefined || readFilter(typed)) return nothing;
    return html`<p class="message" data-message="runs">${ctx.fill(words.badFilter, { typed })}</p>`;
  }

  private renderFilters(): TemplateResult {
    const { words, filter, ctx } = this;
    const selects = runChoices.filter(
      (key) => key !== 'generation' || filter.generation !== undefined,
    );
    const sizes = runSizes.filter((key) => filter[key] !== undefined);
    return html`<div class="filters" role="group" aria-label=${words.filters}>
      ${selects.map((key) => this.renderFilter(key))}
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

  private renderFilter(key: RunChoice): TemplateResult {
    const { ctx, words, filter } = this;
    const counts = choicesOf(runs, filter, key);
    const wanted = filter[key];
    const values = [...counts.keys()]
      .map((value) => ({ value, said: sayChoice(ctx, words, key, value) }))
      .sort((a, b) => a.said.localeCompare(b.said, ctx.language, { numeric: true }));
    // What a link asks for and no run has stays to be seen.
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
    return writeAddress(description, stateOf(description, run));
  }

  private renderSource({ text, url }: Citation): TemplateResult {
    return url
      ? html`<a href=${url} rel="noreferrer" target="_blank">${text}</a>`
      : html`<span>${text}</span>`;
  }

  private renderChosen(): TemplateResult | typeof nothing {
    const { ctx, words, chosen } = this;
    if (!chosen) {
      const { run } = ctx.state.charts;
      const without = unpredicted.find(({ id }) => id === run);
      if (without) {
        return html`<p class="means">
          ${ctx.fill(words.without, {
            model: without.model,
            chip: without.chip,
            reason: sayReason(ctx, words, without.reason) ?? without.reason,
          })}
          ${this.renderSource(without.citation)}
        </p>`;
      }
      return html`<p class="means">${run === undefined ? words.choose : words.unknownRun}</p>`;
    }
    const { format } = ctx;
    const say = (value: number): string => format.say(value, stepTime);
    const rows: [string, TemplateResult | string][] = [
      [
        words.details.measured,
        `${say(chosen.measured)} · ${sayRate(ctx, chosen, chosen.measured)}`,
      ],
      [
        words.details.expected,
        `${say(chosen.expected)} · ${sayRate(ctx, chosen, chosen.expected)} · ${sayError(ctx, errorOf(chosen))}`,
      ],
      [
        words.details.likely,
        ctx.fill(words.details.range, { from: say(chosen.low), to: say(chosen.high) }),
      ],
      [
        words.details.bounds,
        ctx.fill(words.details.range, { from: say(chosen.lower), to: say(chosen.upper) }),
      ],
      [
        words.details.run,
        ctx.fill(words.details.batch, {
          batch: format.count(chosen.tokens),
          sequence: format.count(chosen.sequence),
        }),
      ],
      [words.labels.stack, sayChoice(ctx, words, 'stack', valueOf(chosen, 'stack'))],
      [words.labels.source, this.renderSource(chosen.citation)],
    ];
    return html`<article class="chosen" data-run=${chosen.id}>
      <h3>${callRun(ctx, words, chosen)}</h3>
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
        <a data-open href="#${this.linkOf(chosen)}">${words.open}</a>
        <button type="button" class="why" @click=${() => this.choose(undefined)}>
          ${words.close}
        </button>
      </p>
    </article>`;
  }

  private rowsOf(): { value: string; said: string; errors: Errors }[] {
    const { ctx, words, by, shown } = this;
    return grouped(shown, by).map(([value, group]) => ({
      value,
      said: sayChoice(ctx, words, by, value),
      errors: errorsOf(group),
    }));
  }

  private renderErrors(): TemplateResult {
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
            ${runGroups.map(
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
      ${this.renderTools('errors', () => this.errorTable())}
    </div>`;
  }

  private errorTable(): Table {
    const { words, by } = this;
    const { columns } = words.errors;
    return {
      columns: [
        { label: words.labels[by] },
        { label: columns.count, unit: '' },
        { label: columns.median, unit: '%' },
        { label: columns.ninth, unit: '%' },
        { label: columns.covered, unit: '%' },
      ],
      rows: this.rowsOf().map(({ said, errors: { count, median, ninth, covered } }) => [
        said,
        count,
        ...[median, ninth, covered].map((share) => Number((100 * share).toPrecision(4))),
      ]),
    };
  }

  private runTable(): Table {
    const { ctx, words } = this;
    const { chart, details, labels } = words;
    const time = 's';
    return {
      columns: [
        ...[labels.model, labels.chip].map((label) => ({ label })),
        { label: labels.chips, unit: '' },
        ...[labels.format, labels.kind, labels.stack].map((label) => ({ label })),
        { label: details.measured, unit: time },
        { label: details.expected, unit: time },
        ...[chart.low, chart.high, chart.lower, chart.upper].map((label) => ({
          label,
          unit: time,
        })),
        ...[labels.source, words.link].map((label) => ({ label })),
      ],
      rows: this.farthest().map((run) => [
        run.model,
        sayChoice(ctx, words, 'chip', run.chip),
        run.chips,
        run.precision,
        words.kinds[run.kind],
        sayChoice(ctx, words, 'stack', valueOf(run, 'stack')),
        run.measured,
        run.expected,
        run.low,
        run.high,
        run.lower,
        run.upper,
        run.citation.text,
        linkTo(addressOf(location), this.linkOf(run)),
      ]),
    };
  }

  private renderTools(name: string, table: () => Table): TemplateResult {
    const { words } = this;
    const markdown = (): string => {
      const { columns, rows } = table();
      const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
      return [
        line(columns.map(({ label }) => forMarkdown(label))),
        line(columns.map(({ unit }) => (unit === undefined ? '---' : '---:'))),
        ...rows.map((row) => line(row.map((cell) => forMarkdown(String(cell ?? ''))))),
      ].join('');
    };
    const save = (text: string, type: string, ending: string): void =>
      download(new Blob([text], { type }), `evidence-${name}.${ending}`);
    return html`<p class="tools">
      <button
        type="button"
        data-save="${name}-csv"
        aria-label=${words.saveCsv}
        @click=${() => save(csv(table()), 'text/csv', 'csv')}
      >
        CSV
      </button>
      <button
        type="button"
        data-save="${name}-markdown"
        aria-label=${words.saveMarkdown}
        @click=${() => save(markdown(), 'text/markdown', 'md')}
      >
        Markdown
      </button>
    </p>`;
  }

  /** The runs that are shown, those first that are predicted worst. */
  private farthest(): Run[] {
    const size = (run: Run): number => Math.abs(errorOf(run));
    return [...this.shown].sort((a, b) => size(b) - size(a));
  }

  private renderRuns(): TemplateResult {
    const { ctx, words } = this;
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
                      <a href="#${this.linkOf(run)}">${callRun(ctx, words, run)}</a>
                      <span class="note small-only">${this.renderSource(run.citation)}</span>
                    </th>
                    <td>${format.say(run.measured, stepTime)}</td>
                    <td>${format.say(run.expected, stepTime)}</td>
                    <td>${sayError(ctx, errorOf(run))}</td>
                    <td class="words wider">${this.renderSource(run.citation)}</td>
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
          ${this.renderTools('runs', () => this.runTable())}
        </div>`;
      },
    );
  }

  private renderOwn(): TemplateResult | typeof nothing {
    const { ctx, words, own } = this;
    if (own.length === 0) return nothing;
    const { format } = ctx;
    return html`<div class="own-runs">
      <h3>${words.ownRuns}</h3>
      <ul>
        ${own.map(
          (run) =>
            html`<li>
              <a href="#${run.link}&measured=step:${Number(run.measured.toPrecision(6))}"
                >${run.name}</a
              >${ctx.fill(words.ownRun, {
                measured: format.say(run.measured, stepTime),
                expected: format.say(run.expected, stepTime),
                error: sayError(ctx, errorOf(run)),
              })}
              <button
                type="button"
                class="why"
                aria-label=${ctx.fill(words.forgetLabel, { run: run.name })}
                @click=${() => this.forget(run.link)}
              >
                ${words.forget}
              </button>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  private renderUnpredicted(): TemplateResult {
    const { ctx, words } = this;
    const n = unpredicted.length;
    return disclosure(
      ctx,
      {
        part: 'evidence unpredicted',
        kind: 'panel',
        summary: html`<span class="title"
          >${ctx.fill(words.unpredicted, { n: ctx.format.count(n) }, { n })}</span
        >`,
      },
      () => {
        const reasons = [...new Set(unpredicted.map(({ reason }) => reason))]
          .map((reason) => ({
            said: sayReason(ctx, words, reason) ?? reason,
            rows: unpredicted.filter((row) => row.reason === reason),
          }))
          .sort((a, b) => b.rows.length - a.rows.length);
        return html`<div class="inside">
          ${reasons.map(({ said, rows }) =>
            disclosure(
              ctx,
              {
                part: `evidence ${rows[0]!.reason}`,
                kind: 'reason',
                summary: html`${ctx.fill(words.counted, {
                  value: said,
                  n: ctx.format.count(rows.length),
                })}`,
              },
              () =>
                html`<ul>
                  ${rows.map(
                    ({ model, chip, precision, citation }) =>
                      html`<li>
                        ${[model, chip, precision].filter(Boolean).join(' · ')}
                        <span class="note">${this.renderSource(citation)}</span>
                      </li>`,
                  )}
                </ul>`,
            ),
          )}
        </div>`;
      },
    );
  }
}

define('scaling-evidence', EvidenceView);
