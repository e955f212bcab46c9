import {
  LitElement,
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { define } from '../../../dom/define.ts';
import '../../../charts/plan.ts';
import type { BarsData, MapMove, Move, PlanWords } from '../../../charts/plan.ts';
import type {
  Lever,
  MapField,
  Plan,
  PlanMap,
  PlanSearch,
  ScaledRun,
  SearchProgress,
} from '../../../engine/index.ts';
import { stepTime } from '../../../number/unit.ts';
import { evaluate, loadedPlanner, type Answers } from '../../../model/evaluate.ts';
import { mapFields, scalings } from '../../../model/charts.ts';
import { views, type PlanSection as Section } from '../../../model/views.ts';
import { withLayoutBest } from '../../../model/state.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { radios } from '../../kit/radios.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { bestTable } from './best.ts';
import { paretoFrontData, layerData, mapData, memoryData, timelineData } from './drawings.ts';
import { keyOf, ownInput, searchedInput, withValues, type PlanInput } from './input.ts';
import { changesTo } from './layouts.ts';
import { bestOf, isPending, knownBest } from './finder.ts';
import { leverTable, leverTasks, type Pulled } from './levers.ts';
import { fixedInput, moveTo, scalingData, sizesOf, type Found as Sized } from './scaling.ts';
import { Searching, type Task } from './searching.ts';
import { adopt } from '../../../dom/sheet.ts';
import { style } from './style.ts';

interface Found {
  best: Plan[];
  front: Plan[];
  map: PlanMap;
  lower: number;
  limit: number;
  progress: SearchProgress;
}

const sections = Object.keys(views.plan.sections!) as Section[];
const partOf = (section: Section): string => `plan ${section}`;

/** What was found before stays in view for so long [ms]: most searches have their best by then. */
const patience = 120;

const usualMap: readonly [MapField, MapField] = ['tensor', 'pipeline'];

/**
 * The search for the best layouts, and what can be seen of them. Renders into its parent's tree.
 * What is found holds until another question is asked, which is searched at once.
 */
export class PlanSection extends LitElement {
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    only: { attribute: false },
  };

  declare ctx: RenderContext;
  /** The one part that is shown, without the rest. */
  declare only: Section | undefined;
  private readonly searching = new Searching(() => this.requestUpdate());
  private key = '';
  private found: Found | undefined;
  /** The best, where they were known before the search. */
  private known: readonly Plan[] = [];
  /** What is in view is of the question before. */
  private outdated = false;
  /** The planner takes the input for what it is: valid but for the layout. */
  private valid = true;
  private readonly pulled = new Map<Lever, Pulled>();
  private leversKey = '';
  private readonly sizes = new Map<number, Sized>();
  private scalingKey = '';
  /** Numbers of chips that were searched, or will be. */
  private readonly asked = new Set<number>();
  /** Stands for the cell of the map that the reader last went to. */
  private cell: object | undefined;
  /** Of the reader's own layout, where it is valid. */
  private answers: Answers | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adopt(this.getRootNode(), style);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.searching.stop();
    this.key = this.leversKey = '';
    this.asked.clear();
  }

  private isOpen(section: Section): boolean {
    return this.only === section || this.ctx.open.has(partOf(section));
  }

  private get axes(): readonly [MapField, MapField] {
    return this.ctx.state.charts.map ?? usualMap;
  }

  private get weak(): boolean {
    return this.ctx.state.charts.scaling === 'weak';
  }

  /** The best layouts, as far as they are known. */
  private get best(): readonly Plan[] {
    const { found, known, outdated } = this;
    const first = outdated || !found?.progress.bestKnown;
    return first && known.length > 0 ? known : (found?.best ?? []);
  }

  // ---- what is searched

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('ctx')) return;
    const { ctx } = this;
    const before = changed.get('ctx');
    const input = searchedInput(ctx.engine, ctx.state);
    const asked = keyOf(input);
    if (isPending(ctx.state, asked)) {
      // The best comes first: it is what the answers wait for.
      this.searching.stop();
      this.key = '';
      this.outdated = true;
      return;
    }
    if (before?.state !== ctx.state) {
      const reply = evaluate(ctx.engine, ctx.state);
      this.answers = reply.ok ? reply.answers : undefined;
    }
    const key = keyOf(asked, this.axes);
    const others = (): Task[] => [
      ...(this.isOpen('levers') ? this.leverTasks(input) : []),
      ...(this.isOpen('scaling') ? this.scalingTasks(input) : []),
    ];
    if (key === this.key) {
      this.searching.add(others());
      return;
    }
    this.key = key;
    // What was under way will not be found any more.
    this.leversKey = '';
    this.asked.clear();
    this.known = knownBest(asked)?.plans ?? [];
    this.searching.begin([this.mainTask(input), ...others()]);
  }

  private mainTask(input: PlanInput): Task {
    const [x, y] = this.axes;
    const begun = performance.now();
    this.outdated = true;
    return {
      start: () => {
        const reply = loadedPlanner().search(input, { x, y });
        this.valid = reply.ok;
        return reply.ok ? reply.search : undefined;
      },
      found: (search, progress) => {
        const soon = !progress.bestKnown && performance.now() - begun < patience;
        if (soon && this.found) return;
        this.found = search && read(search, progress);
        this.outdated = false;
      },
    };
  }

  private leverTasks(input: PlanInput): Task[] {
    const key = keyOf(input);
    if (key === this.leversKey) return [];
    this.leversKey = key;
    this.pulled.clear();
    return leverTasks(input, (lever, pulled) => this.pulled.set(lever, pulled));
  }

  private scalingTasks(input: PlanInput): Task[] {
    const key = keyOf(fixedInput(input, this.weak), this.weak);
    if (key !== this.scalingKey) {
      this.sizes.clear();
      this.asked.clear();
    }
    this.scalingKey = key;
    const missing = sizesOf(this.ctx).filter(
      (chips) => !this.sizes.has(chips) && !this.asked.has(chips),
    );
    for (const chips of missing) this.asked.add(chips);
    return missing.map((chips) => {
      let run: ScaledRun | undefined;
      return {
        start: () => {
          const reply = loadedPlanner().scaled(input, chips, this.weak);
          if (!reply.ok || !reply.search) return undefined;
          ({ run } = reply);
          return reply.search;
        },
        bestOnly: true,
        found: (search, _progress, over) => {
          // Of numbers that no slice has nothing is said.
          if (over && search && run) this.sizes.set(chips, { run, plan: search.chosen() });
        },
      };
    });
  }

  // ---- what the reader does

  /** The best goes on being the best way; any other is then the reader's own. */
  private use(plan: Plan): void {
    const { actions, description, state } = this.ctx;
    if (plan === this.best[0]) actions.go(withLayoutBest(description, state));
    else actions.move(changesTo(plan.layout), true);
  }

  /** The best layout of a cell: searched with both of its fields held. */
  private useCell({ x, y, done }: MapMove): void {
    const { axes, found } = this;
    // Data ways are what is left: they cannot be held.
    if (axes.includes('data') || !found) return;
    const place = [found.map.x[x]!, found.map.y[y]!];
    const fields = axes.map((axis, index) => [`layout.${axis}`, place[index]!] as const);
    const held = axes.map((axis) => [`search.${axis}`, false] as const);
    const { engine, state } = this.ctx;
    const input = withValues(searchedInput(engine, state), [...fields, ...held]);
    const cell = (this.cell = {});
    this.searching.add([
      {
        start: () => {
          const reply = loadedPlanner().search(input);
          return reply.ok ? reply.search : undefined;
        },
        bestOnly: true,
        found: (search, _progress, over) => {
          if (!over || cell !== this.cell) return;
          const best = search?.chosen();
          // Where none fits, the reader still gets there.
          this.ctx.actions.move(best ? changesTo(best.layout) : fields, done);
        },
      },
    ]);
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { ctx } = this;
    const { planner } = ctx.text;
    if (this.only) {
      return html`<section class="plans" aria-labelledby="plans">
        <h2 id="plans">${this.titleOf(this.only)}</h2>
        <div class="inside" data-section=${this.only}>${this.renderSection(this.only)}</div>
      </section>`;
    }
    return html`<section class="plans" aria-labelledby="plans">
      <h2 id="plans">${planner.title}</h2>
      ${this.renderBest()}
      ${sections.map((section) =>
        disclosure(
          ctx,
          {
            part: partOf(section),
            kind: 'panel',
            summary: html`<h3 class="title">${this.titleOf(section)}</h3>`,
          },
          () =>
            html`<div class="inside" data-section=${section}>${this.renderSection(section)}</div>`,
        ),
      )}
    </section>`;
  }

  private titleOf(section: Section): string {
    const { memory, ...others } = this.ctx.text.planner;
    if (section !== 'memory') return others[section].title;
    return this.ctx.value('layout.pipeline') === 1 ? memory.titleOne : memory.title;
  }

  private renderBest(): TemplateResult {
    const { ctx, found, best } = this;
    const { text, format } = ctx;
    const { planner } = text;
    if (!this.valid) return html`<p class="means">${planner.noSearch}</p>`;
    if (!found) return html`<p class="means"></p>`;
    const { lower, progress } = found;
    const counts = {
      evaluated: format.count(progress.evaluated),
      fitting: format.count(progress.fitting),
      percent: format.say(Math.floor(100 * progress.fraction) / 100, '%'),
    };
    const fastest = best[0];
    return html`<p
        class="means"
        data-progress=${this.outdated ? 0 : progress.done ? 'done' : progress.fraction}
      >
        ${ctx.sentences([
          ctx.fill(progress.done ? planner.searched : planner.searching, counts),
          progress.done && fastest
            ? ctx.fill(planner.distance, {
                lower: format.say(lower, stepTime),
                times: format.number(fastest.expected / lower),
              })
            : '',
          progress.done && !fastest ? planner.nothingFits : '',
          ...progress.leftOut.map((what) => planner.leftOut[what]),
        ])}
      </p>
      ${best.length > 0 ? bestTable(ctx, best, this.answers, (plan) => this.use(plan)) : nothing}`;
  }

  private renderSection(section: Section): TemplateResult | typeof nothing {
    switch (section) {
      case 'memory':
        return this.renderMemory();
      case 'timeline':
        return this.renderTimeline();
      case 'front':
        return this.renderFront();
      case 'map':
        return this.renderMap();
      case 'levers':
        return this.renderLevers();
      case 'scaling':
        return this.renderScaling();
    }
  }

  private get words(): PlanWords {
    const { charts, bounds, planner } = this.ctx.text;
    return { ...charts.words, bounds, ...planner.words };
  }

  private get notNow(): TemplateResult {
    return html`<p class="means">${this.ctx.text.planner.notNow}</p>`;
  }

  private renderMemory(): TemplateResult {
    const { ctx } = this;
    const reply = loadedPlanner().stages(ownInput(ctx));
    if (!reply.ok) return this.notNow;
    const bars = (data: BarsData): TemplateResult =>
      html`<scaling-bars .data=${data} .format=${ctx.format} .words=${this.words}></scaling-bars>`;
    return html`${bars(memoryData(ctx, reply))} ${bars(layerData(ctx, reply))}`;
  }

  private renderTimeline(): TemplateResult {
    const { ctx } = this;
    const reply = loadedPlanner().timeline(ownInput(ctx));
    if (!reply.ok) return this.notNow;
    return html`<scaling-timeline
      .data=${timelineData(ctx, reply)}
      .format=${ctx.format}
      .words=${this.words}
    ></scaling-timeline>`;
  }

  private renderFront(): TemplateResult {
    const { ctx, found } = this;
    if (!found || found.front.length === 0) return this.notNow;
    const { front, limit } = found;
    return html`<scaling-front
      .data=${paretoFrontData(ctx, front, limit, this.answers)}
      .format=${ctx.format}
      .words=${this.words}
      @move=${({ detail }: CustomEvent<Move>) => this.use(front[detail.index]!)}
    ></scaling-front>`;
  }

  private renderMap(): TemplateResult {
    const { ctx, found } = this;
    const { map: words } = ctx.text.planner;
    const dataWays = this.answers?.dataWays;
    const chart = found?.map.seconds.some((time) => time > 0)
      ? html`<scaling-value-map
          .data=${mapData(
            ctx,
            this.axes,
            found.map,
            typeof dataWays === 'number' ? dataWays : undefined,
          )}
          .format=${ctx.format}
          .words=${this.words}
          @move=${({ detail }: CustomEvent<MapMove>) => this.useCell(detail)}
        ></scaling-value-map>`
      : found
        ? html`<p class="means">${words.nothing}</p>`
        : this.notNow;
    return html`${chart}
      <p class="setting">
        ${interpolate<TemplateResult | string>(words.sentence, {
          x: this.axisChoice(0, words.x),
          y: this.axisChoice(1, words.y),
        })}
      </p>`;
  }

  private axisChoice(index: 0 | 1, label: string): TemplateResult {
    const { ctx, axes } = this;
    const { axes: names } = ctx.text.planner.map;
    const sparse = Number(ctx.value('model.experts')) > 0;
    return html`<select
      aria-label=${label}
      data-map=${index === 0 ? 'x' : 'y'}
      @change=${(event: Event) => {
        const chosen = (event.target as HTMLSelectElement).value as MapField;
        const other = axes[1 - index]!;
        // To choose the other's field is to exchange them.
        const kept = other === chosen ? axes[index] : other;
        ctx.actions.chart({ map: index === 0 ? [chosen, kept] : [kept, chosen] });
      }}
    >
      ${mapFields
        .filter((field) => field !== 'expert' || sparse || axes.includes(field))
        .map(
          (field) =>
            html`<option value=${field} .selected=${field === axes[index]}>
              ${names[field]}
            </option>`,
        )}
    </select>`;
  }

  private renderLevers(): TemplateResult {
    const best = this.best[0];
    if (!best) return this.notNow;
    return leverTable(this.ctx, loadedPlanner().levers, this.pulled, best);
  }

  private renderScaling(): TemplateResult {
    const { ctx } = this;
    const { scaling: words } = ctx.text.planner;
    const sizes = sizesOf(ctx);
    const done = sizes.filter((chips) => this.sizes.has(chips)).length;
    const chart = (answer: 'mfu' | 'days'): TemplateResult | typeof nothing => {
      const data = scalingData(ctx, answer, sizes, this.sizes);
      if (!data) return nothing;
      return html`<scaling-sweep
        data-answer-drawn=${answer}
        .data=${data}
        .format=${ctx.format}
        .words=${this.words}
        @move=${({ detail }: CustomEvent<Move>) =>
          this.resize(data.x.values[detail.index]!, detail.done)}
      ></scaling-sweep>`;
    };
    return html`${radios(
      html`<fieldset class="choice">
        <legend>${words.kind}</legend>
        ${scalings.map(
          (kind) =>
            html`<label
              ><input
                type="radio"
                name="scaling"
                value=${kind}
                .checked=${(kind === 'weak') === this.weak}
                @change=${() => ctx.actions.chart({ scaling: kind })}
              />
              ${words[kind]}</label
            >`,
        )}
      </fieldset>`,
    )}
    ${chart('mfu')} ${chart('days')}
    ${
      this.searching.busy
        ? html`<p class="means">
            ${ctx.fill(words.waiting, { done: String(done), all: String(sizes.length) })}
          </p>`
        : nothing
    }`;
  }

  private resize(chips: number, done: boolean): void {
    const found = this.sizes.get(chips);
    if (found) this.ctx.actions.move(moveTo(this.ctx, found), done);
  }
}

const read = (search: PlanSearch, progress: SearchProgress): Found => ({
  best: bestOf(search),
  front: search.front(),
  map: search.map(),
  lower: search.lower(),
  limit: search.limit(),
  progress,
});

define('scaling-plan', PlanSection);
