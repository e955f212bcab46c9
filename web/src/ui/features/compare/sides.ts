import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import '../../../charts/trade.ts';
import { partOf, type PartTexts } from '../../../i18n/dictionary.ts';
import { FieldLinks } from '../../../link/field-links.ts';
import { writeAddress } from '../../../link/address.ts';
import type { ChartSettings } from '../../../model/charts.ts';
import { isNumeric, type FieldId } from '../../../model/fields.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import type { State } from '../../../model/state.ts';
import { parseNumber } from '../../../number/parse.ts';
import type { Notation } from '../../../number/unit.ts';
import { writeForLink } from '../../../number/write.ts';
import { progressOf } from '../../kit/lazily.ts';
import { LightElement } from '../../kit/light-element.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { chipOptions, modelOptions } from '../../parts/question/options.ts';
import { customPresets } from '../../parts/question/preset-choice.ts';
import { Asking, type Asked } from './asking.ts';
import { sayDivision } from './division.ts';
import { sayAnswer } from './overview-columns.ts';
import { basisChoice, priceIn, sayPrice, sourceOf } from './prices.ts';
import { sayDifference } from './reasons.ts';
import { cheapest, fastest, placedOf, sayPoint, tradeData, type Most } from './sides-chart.ts';
import { factsOf, fits, numberOf, timeAndCost, whyOther } from './sides-facts.ts';
import {
  alone,
  chipsOf,
  sidesOf,
  sizedState,
  sizesOf,
  writeThing,
  type Side,
  type Sized,
} from './sides-rows.ts';
import {
  fieldsOfSides,
  isThing,
  itemIn,
  mostSides,
  readSides,
  usualSides,
  writeSides,
  type Along,
  type Sides as Setting,
} from './sides-setting.ts';
import { sidesStyle } from './sides-style.ts';
import { saveCsv, saveMarkdown, type FileTable } from './table-files.ts';
import { sidesTable } from './sides-files.ts';
import { sayChips, sayReason } from './sides-words.ts';
import type { Words } from './words.ts';

type SidesWords = PartTexts<'sides'>;

/** Seconds of the unit of limits: days; milliseconds a token. */
const timeUnit = ({ view }: State): number => (view === 'serving' ? 1e-3 : 86400);
const largest = 1e12;
const plain: Notation = { unit: '', percent: false };
/** Lines above the facts of a side: its name, chips, layout and price. */
const headRows = 4;

/** Two to six questions beside each other, each with the layout that is best for it. */
export class SideBySide extends LightElement {
  static override sheets = [sidesStyle];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    wrong: { state: true },
  };

  declare ctx: RenderContext;
  declare words: SidesWords;
  /** Typed texts that make no sense, by the control. */
  declare private wrong: { where: string; says: string } | undefined;
  /** The questions depend on nothing else: not on the drawing. */
  private key: readonly unknown[] = [];
  private setting: Setting | undefined;
  private sides: readonly Side[] = [];
  private sizes: readonly Sized[] = [];
  private question: { state: State } | undefined;
  private readonly rows = new Asking<Side>(() => this.requestUpdate());
  private readonly points = new Asking<Sized>(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.rows.stop();
    this.points.stop();
    this.key = [];
  }

  protected override willUpdate(): void {
    const { ctx } = this;
    const { charts, found: _, ways: __, pinned: ___, ...rest } = ctx.state;
    const key = [charts.sides, ctx.language, ...Object.values(rest)];
    if (key.length !== this.key.length || key.some((part, index) => part !== this.key[index])) {
      this.key = key;
      this.begin();
    }
    // Curves come after the sides themselves.
    if (this.rows.left > 0 || !this.question || this.sizes.length > 0) return;
    if (!this.setting) return;
    this.sizes = sizesOf(ctx, this.sides, this.setting.along);
    const { engine } = ctx;
    const state = { ...this.question.state };
    this.points.forget();
    this.points.begin({ state, engine }, this.sizes, (sized) => sizedState(ctx, sized), this.key);
  }

  protected override updated(): void {
    // Strict policies let no style stand in attributes.
    const rows = String(factsOf(this.ctx).length + headRows);
    this.querySelector<HTMLElement>('.columns')?.style.setProperty('--facts', rows);
  }

  private begin(): void {
    const { ctx } = this;
    this.points.stop();
    this.points.forget();
    this.rows.stop();
    this.rows.forget();
    this.sizes = [];
    this.setting = readSides(ctx.description, ctx.state.charts.sides ?? '');
    this.sides = this.setting ? sidesOf(ctx, this.setting) : [];
    this.question = { state: alone(ctx, ctx.state) };
    const { engine } = ctx;
    this.rows.begin({ ...this.question, engine }, this.sides, (side) => side.state(), this.key);
  }

  // ---- what the reader does

  private change(settings: ChartSettings): void {
    this.wrong = undefined;
    this.ctx.actions.chart(settings);
  }

  private show(setting: Setting): void {
    this.change({ sides: writeSides(this.ctx.description, setting) });
  }

  private choose(along: Along): void {
    const { ctx } = this;
    if (along === 'kept') this.show({ along, items: this.questions() });
    else this.show(usualSides(ctx.description, ctx.state, along));
  }

  /** The sides, each as a question of its own; without any, the present one. */
  private questions(): string[] {
    const { ctx, setting } = this;
    const { description } = ctx;
    if (setting?.along === 'kept') return [...setting.items];
    const links = this.sides.map((side) => writeAddress(description, side.state(), false));
    return links.length > 0 ? links : [this.present()];
  }

  private present(): string {
    return writeAddress(this.ctx.description, alone(this.ctx, this.ctx.state), false);
  }

  private add(item: string): void {
    const { along, items } = this.setting!;
    if (items.includes(item) || items.length >= mostSides) return;
    this.show({ along, items: [...items, item] });
  }

  private drop(item: string): void {
    const { along, items } = this.setting!;
    this.show({ along, items: items.filter((each) => each !== item) });
  }

  /** One of the reader's own chips or models, or a preset. */
  private addThing(which: 'chip' | 'model', id: string): void {
    const { ctx } = this;
    const kept = customPresets()?.stateWith(ctx, which, id);
    this.add(kept ? writeThing(ctx, kept, which) : id);
  }

  private addValue(id: FieldId, input: HTMLInputElement | HTMLSelectElement): void {
    const { ctx } = this;
    const item = itemIn(FieldLinks.of(ctx.description), id, input.value.trim());
    if (item === undefined) {
      this.wrong = { where: 'add', says: ctx.draftMessage(id, input.value) };
      return;
    }
    this.add(item);
    if (input instanceof HTMLInputElement) input.value = '';
  }

  private limit(which: 'deadline' | 'budget', text: string): void {
    const typed = text.trim();
    const parsed = parseNumber(typed.replace(/^\$/, ''), plain);
    if (typed === '') this.change({ [which]: undefined });
    else if (parsed.ok && parsed.value > 0 && parsed.value <= largest) {
      this.change({ [which]: writeForLink(parsed.value, plain) });
    } else {
      const { limits } = this.words;
      const field = limits[which][this.ctx.state.view === 'serving' ? 'serving' : 'plan'];
      this.wrong = { where: which, says: this.ctx.fill(limits.wrong, { field, typed }) };
    }
  }

  private get most(): Most {
    const { deadline, budget } = this.ctx.state.charts;
    const number = (text = ''): number | undefined => {
      const parsed = parseNumber(text, plain);
      return parsed.ok && parsed.value > 0 && parsed.value <= largest ? parsed.value : undefined;
    };
    const [time, cost] = [number(deadline), number(budget)];
    return {
      ...(time !== undefined && { time: time * timeUnit(this.ctx.state) }),
      ...(cost !== undefined && { cost }),
    };
  }

  // ---- drawing

  protected override render(): unknown {
    const { ctx, words, setting } = this;
    const part = partOf(ctx.language, 'compare');
    const common = part.use(ctx.actions);
    if (!common) return progressOf(ctx, part);
    const left = this.rows.left + this.points.left;
    return html`<section class="sides" aria-labelledby="sides">
      <div class="head">
        <h2 id="sides">${words.title}</h2>
        <button
          type="button"
          class="back"
          @click=${() => this.change({ sides: undefined, deadline: undefined, budget: undefined })}
        >
          ${words.back}
        </button>
      </div>
      ${this.renderSets()} ${setting ? this.renderTools(common, setting) : nothing}
      <p class="note" role="status" data-progress=${left > 0 ? 'asking' : 'done'}>
        ${
          this.rows.left > 0
            ? ctx.fill(words.searching, {
                done: String(this.sides.length - this.rows.left),
                all: String(this.sides.length),
              })
            : this.points.left > 0
              ? words.drawing
              : this.summary()
        }
      </p>
      ${this.sides.length === 0 ? html`<p class="means">${words.nothing}</p>` : this.renderSides(common)}
      ${this.renderFound()} ${this.renderChart()}
    </section>`;
  }

  /** The fastest and the cheapest in a few words. */
  private summary(): string {
    const { ctx, words } = this;
    const [times, costs] = timeAndCost(ctx.state);
    const { answers } = ctx.description.questions[ctx.state.view];
    return ctx.sentences(
      [times, costs].map((key, place) => {
        const side = this.sides[this.bestOf(key) ?? -1];
        const reply = side && this.rows.of(side.id)?.reply;
        const info = answers.find((each) => each.key === key);
        if (!side || !reply?.ok || !info) return '';
        const value = sayAnswer(ctx, info, reply.answers[key]);
        return ctx.fill(words.said[place === 0 ? 'time' : 'cost'], { name: side.name, value });
      }),
    );
  }

  /** The sides that one click can add. */
  private renderSets(): TemplateResult {
    const { ctx, words, setting } = this;
    const fields = fieldsOfSides(ctx.state).filter((id) => {
      const [group] = id.split('.') as ['run'];
      return ctx.description.questions[ctx.state.view].groups.includes(group);
    });
    const sets: readonly Along[] = ['chip', ...fields, 'model', 'kept'];
    const names: Record<string, string> = words.sets;
    return html`<p class="sets" role="group" aria-label=${words.along}>
      ${sets.map(
        (along) =>
          html`<button
            type="button"
            data-sides=${along}
            aria-pressed=${setting?.along === along}
            @click=${() => this.choose(along)}
          >
            ${names[isThing(along) ? along : along.split('.')[1]!]}
          </button>`,
      )}
    </p>`;
  }

  private renderTools(common: Words, setting: Setting): TemplateResult {
    const { ctx, words, wrong } = this;
    const { view, charts } = ctx.state;
    const kind = view === 'serving' ? 'serving' : 'plan';
    const limit = (which: 'deadline' | 'budget'): TemplateResult =>
      html`<label
        ><span>${words.limits[which][kind]}</span>
        <input
          type="text"
          inputmode="decimal"
          autocomplete="off"
          data-limit=${which}
          aria-invalid=${wrong?.where === which ? 'true' : nothing}
          .value=${charts[which] ?? ''}
          @change=${(event: Event) => this.limit(which, (event.target as HTMLInputElement).value)}
      /></label>`;
    return html`<div class="tools">
        ${this.renderAdd(setting)} ${basisChoice(ctx, common)} ${limit('deadline')}
        ${limit('budget')}
        <span class="files">
          <button
            type="button"
            class="csv"
            aria-label=${common.table.csv}
            @click=${() => saveCsv(this.files(common), `${view}-sides`)}
          >
            CSV
          </button>
          <button
            type="button"
            class="markdown"
            aria-label=${common.table.markdown}
            @click=${() => saveMarkdown(ctx, this.files(common), `${view}-sides`)}
          >
            Markdown
          </button>
        </span>
      </div>
      ${wrong ? html`<p class="message" role="alert">${wrong.says}</p>` : nothing}`;
  }

  /** Adds one by typing. */
  private renderAdd({ along, items }: Setting): TemplateResult | typeof nothing {
    const { ctx, words, wrong } = this;
    if (items.length >= mostSides) return html`<span class="note">${words.full}</span>`;
    if (along === 'kept') {
      return html`<button type="button" class="add" @click=${() => this.add(this.present())}>
        ${words.addPresent}
      </button>`;
    }
    if (isThing(along)) {
      const kept = customPresets()?.options(ctx, along) ?? [];
      const options = [...kept, ...(along === 'chip' ? chipOptions : modelOptions)(ctx)].filter(
        ({ id }) => !items.includes(id),
      );
      return html`<label class="adding"
        ><span>${words.add[along]}</span>
        <scaling-preset
          class="control"
          .fieldId=${`add-${along}`}
          .label=${words.add[along]}
          .options=${options}
          .value=${''}
          .nothingFound=${ctx.text.ui.nothingFound}
          @choose=${(event: CustomEvent<string>) => this.addThing(along, event.detail)}
        ></scaling-preset
      ></label>`;
    }
    const info = ctx.info(along);
    const add = (event: Event): void =>
      this.addValue(along, event.currentTarget as HTMLInputElement);
    const label = ctx.fill(words.add.value, { field: ctx.label(along) });
    return isNumeric(info)
      ? html`<label
          ><span>${label}</span
          ><input
            type="text"
            inputmode="decimal"
            autocomplete="off"
            data-add
            aria-invalid=${wrong?.where === 'add' ? 'true' : nothing}
            @change=${add}
        /></label>`
      : html`<label
          ><span>${label}</span
          ><select data-add @change=${add}>
            <option value="">…</option>
            ${info.choices
              .filter((choice) => !items.includes(choice))
              .map((choice) => html`<option value=${choice}>${ctx.choice(along, choice)}</option>`)}
          </select></label
        >`;
  }

  private renderSides(common: Words): TemplateResult {
    const { words, sides } = this;
    const facts = factsOf(this.ctx);
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${words.title}>
      <ol class="columns">
        ${repeat(
          sides,
          ({ id }) => id,
          (side, index) => this.renderSide(common, side, index, facts),
        )}
      </ol>
    </div>`;
  }

  private renderSide(
    common: Words,
    side: Side,
    index: number,
    facts: ReturnType<typeof factsOf>,
  ): TemplateResult {
    const { ctx, words } = this;
    const found = this.rows.of(side.id);
    const answers = found?.reply?.ok ? found.reply.answers : undefined;
    return html`<li class="side" data-side=${index}>
      <h3>
        <button
          type="button"
          class="take"
          aria-label=${ctx.fill(words.take, { name: side.name })}
          @click=${() => ctx.actions.go(side.state())}
        >
          ${side.name}
        </button>
        <button
          type="button"
          class="remove"
          aria-label=${ctx.fill(words.remove, { name: side.name })}
          @click=${() => this.drop(side.id)}
        >
          ×
        </button>
      </h3>
      ${
        !found
          ? html`<p class="waiting">…</p>`
          : !answers
            ? html`<p class="invalid">${sayReason(ctx, common, found)} ${words.giveAlone}</p>`
            : html`${this.renderHead(common, found)}
                <dl>${facts.map((fact) => this.renderFact(common, found, index, fact))}</dl>`
      }
    </li>`;
  }

  private renderHead(common: Words, found: Asked): TemplateResult {
    const { ctx, words } = this;
    const answers = found.reply?.ok ? found.reply.answers : {};
    const { state } = found;
    const price = priceIn(ctx.description, state, answers);
    const [said, provider, date] = sayPrice(ctx, common, price);
    const source = sourceOf(price);
    return html`<p class="chips">${sayChips(ctx, words, found)}</p>
      <p class="division">
        ${sayDivision(ctx, common, state, answers) || words.undivided}
        ${
          fits(state, answers)
            ? nothing
            : html`<strong class="too-large">${words.tooLarge}</strong>`
        }
      </p>
      <p class="price" title=${source?.title ?? nothing}>
        ${
          price
            ? html`${ctx.fill(words.price, { price: said })}${source?.url ? html`<a href=${source.url} rel="noreferrer" target="_blank">${provider}</a>` : provider}${date ? ` · ${date}` : ''}`
            : common.table.unlisted
        }
      </p>`;
  }

  private renderFact(
    common: Words,
    found: Asked,
    index: number,
    { key, info, band }: ReturnType<typeof factsOf>[number],
  ): TemplateResult {
    const { ctx, words } = this;
    const answers = found.reply?.ok ? found.reply.answers : {};
    const [low, high] = band?.(answers) ?? [];
    const unit = spokenUnit(key, info.unit);
    const isBest = this.bestOf(key) === index;
    return html`<div class="fact" data-fact=${key}>
      <dt>${ctx.answer(key).label}</dt>
      <dd>
        <span class="value" data-value=${numberOf(answers, key) ?? String(answers[key] ?? '')}
          >${sayAnswer(ctx, info, answers[key])}</span
        >
        ${isBest ? html`<span class="best">${words.best[timeAndCost(ctx.state)[0] === key ? 'time' : 'cost']}</span>` : nothing}
        ${
          low !== undefined && high !== undefined
            ? html`<span class="band"
                >${ctx.fill(words.band, { low: ctx.format.say(low, unit), high: ctx.format.say(high, unit) })}</span
              >`
            : nothing
        }
        ${this.sayWhy(common, found, index, key, info.unit)}
      </dd>
    </div>`;
  }

  /** The index of the side with the least, of those that fit. */
  private bestOf(key: string): number | undefined {
    if (!timeAndCost(this.ctx.state).includes(key)) return undefined;
    const values = this.sides.map(({ id }) => {
      const found = this.rows.of(id);
      if (!found?.reply?.ok || !fits(found.state, found.reply.answers)) return Infinity;
      return numberOf(found.reply.answers, key) ?? Infinity;
    });
    const told = values.filter((value) => value < Infinity);
    if (told.length < 2 || this.rows.left > 0) return undefined;
    return values.indexOf(Math.min(...told));
  }

  private why(index: number, key: string): ReturnType<typeof whyOther> {
    const first = this.rows.of(this.sides[0]!.id);
    const other = this.rows.of(this.sides[index]!.id);
    if (index === 0 || !first || !other || !timeAndCost(this.ctx.state).includes(key)) {
      return undefined;
    }
    return whyOther(this.ctx, first, other, key);
  }

  private sayCause(key: string): string {
    const { ctx, words } = this;
    const steps: Record<string, string> = {
      ...(ctx.text.planner?.parts as Record<string, string> | undefined),
      price: ctx.label('chip.price'),
      chips: ctx.label(chipsOf(ctx.state)),
      rest: words.rest,
    };
    return steps[key] ?? ctx.answer(key).label;
  }

  /** How much a side differs from the first, and its largest part. */
  private difference(common: Words, index: number, key: string, unit: string): string {
    const { ctx, words } = this;
    const why = this.why(index, key);
    if (!why || why.difference === 0) return '';
    const say = (value: number): string => sayDifference(ctx, common, key, value, unit);
    const [cause] = why.causes;
    return cause
      ? ctx.fill(words.because, {
          difference: say(why.difference),
          cause: cause.kind === 'formula' ? words.rest : this.sayCause(cause.key),
          share: say(cause.difference),
        })
      : say(why.difference);
  }

  private sayWhy(
    common: Words,
    _: Asked,
    index: number,
    key: string,
    unit: string,
  ): TemplateResult | typeof nothing {
    const said = this.difference(common, index, key, unit);
    return said ? html`<span class="why-other">${said}</span>` : nothing;
  }

  /** The cheapest in time and the fastest for the money, in words. */
  private renderFound(): TemplateResult | typeof nothing {
    const { ctx, words, most } = this;
    if (this.points.left > 0 || this.sizes.length === 0) return nothing;
    if (most.time === undefined && most.cost === undefined) return nothing;
    const points = placedOf(ctx, this.sizes, this.points.of);
    const [times, costs] = timeAndCost(ctx.state);
    const { answers } = ctx.description.questions[ctx.state.view];
    const say = (key: string, value: number): string =>
      ctx.format.say(value, spokenUnit(key, answers.find((each) => each.key === key)?.unit ?? ''));
    const tell = (
      kind: 'deadline' | 'budget',
      limit: string,
      point: ReturnType<typeof cheapest>,
    ): string =>
      point
        ? ctx.fill(words.within[kind], {
            limit,
            name: sayPoint(ctx, words, point),
            time: say(times, point.time),
            cost: say(costs, point.cost),
          })
        : ctx.fill(words.within.none, { limit });
    return html`<ul class="within">
      ${
        most.time === undefined
          ? nothing
          : html`<li>${tell('deadline', say(times, most.time), cheapest(points, most))}</li>`
      }
      ${
        most.cost === undefined
          ? nothing
          : html`<li>${tell('budget', say(costs, most.cost), fastest(points, most))}</li>`
      }
    </ul>`;
  }

  private renderChart(): TemplateResult | typeof nothing {
    const { ctx, words, setting } = this;
    if (!setting || this.sizes.length === 0) return nothing;
    const points = placedOf(ctx, this.sizes, this.points.of);
    const data = tradeData(ctx, words, setting.along, points, this.most);
    const priced = this.sides.filter((side) => {
      const reply = this.rows.of(side.id)?.reply;
      return priceIn(ctx.description, side.state(), reply?.ok ? reply.answers : {});
    });
    const without = this.sides.filter((side) => !priced.includes(side)).map(({ name }) => name);
    return html`${
      data
        ? html`<scaling-trade
            class="charts"
            .data=${data}
            .format=${ctx.format}
            .words=${{ ...ctx.text.charts.words, bounds: ctx.text.bounds }}
            @move=${({ detail }: CustomEvent<{ index: number }>) =>
              this.take(points[detail.index]!.sized)}
          ></scaling-trade>`
        : nothing
    }
    ${
      without.length > 0 && this.points.left === 0
        ? html`<p class="note">
            ${ctx.fill(words.noPrice, { names: without.join(words.comma) }, { n: without.length })}
          </p>`
        : nothing
    }`;
  }

  /** Takes over a point of the chart, alone. */
  private take(sized: Sized): void {
    this.ctx.actions.go(sizedState(this.ctx, sized));
  }

  private files(common: Words): FileTable {
    const { ctx, words, sides, rows } = this;
    return sidesTable(ctx, words, common, sides, rows.of, (index, key, unit) =>
      this.difference(common, index, key, unit),
    );
  }
}

if (!customElements.get('scaling-sides')) customElements.define('scaling-sides', SideBySide);
