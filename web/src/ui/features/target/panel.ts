import {
  html,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { live } from 'lit/directives/live.js';
import { define } from '../../../dom/define.ts';
import type {
  AnswerInfo,
  Explanation,
  Target,
  Turn,
  TurnedQuestion,
} from '../../../engine/index.ts';
import { partOf, type PartTexts } from '../../../i18n/dictionary.ts';
import { inputMode } from '../../../i18n/language.ts';
import { inputsOf, explainTurn } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import { readTarget, writeTarget } from '../../../model/target.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { lazily } from '../../kit/lazily.ts';
import { LightElement } from '../../kit/light-element.ts';
import type { Found } from '../../kit/forward.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';
import type { Results } from '../../kit/results.ts';
import { measuredMfu } from './measured.ts';
import { style } from './style.ts';
import { Stepping } from './stepping.ts';
import { AtOnce, isPriced, waysOf, type Solver, type Way } from './turns.ts';
import { readValue, readWanted, usual } from './wanted.ts';

/** A target for an answer, and what meets it. Renders into its parent's tree. */
class TargetPanel extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    results: { attribute: false },
    answer: {},
    words: { attribute: false },
    typed: { state: true },
    chosen: { state: true },
  };

  declare ctx: RenderContext;
  declare results: Results;
  declare answer: string;
  declare words: PartTexts<'budget'>['targets'];
  /** A typed text that could not be read. */
  declare private typed: string | undefined;
  /** The wanted relation, before there is a number to it. */
  declare private chosen: 'atMost' | 'atLeast' | undefined;
  private solver: Solver | undefined;

  private get info(): AnswerInfo {
    const { description, state } = this.ctx;
    return description.questions[state.view].answers.find(({ key }) => key === this.answer)!;
  }

  private get target(): Target | undefined {
    const { charts } = this.ctx.state;
    const target = readTarget([this.info], charts.target);
    return target?.answer === this.answer ? target : undefined;
  }

  private get wanted(): 'atMost' | 'atLeast' {
    const { target } = this;
    const set = target && target.wanted !== 'is' ? target.wanted : undefined;
    return this.chosen ?? set ?? usual(this.info);
  }

  private say(value: number | string): string {
    const { ctx, info } = this;
    return typeof value === 'string'
      ? ctx.choiceOfAnswer(info.key, value)
      : ctx.format.say(value, spokenUnit(info));
  }

  private set(target: Target | undefined): void {
    this.typed = undefined;
    this.ctx.actions.chart({ target: target && writeTarget(target) });
  }

  private read(text: string): void {
    const [wanted = this.wanted, bare] = readWanted(text);
    if (bare.trim() === '') {
      this.set(undefined);
      return;
    }
    const parsed = readValue(this.info, bare, this.results.number(this.info.key));
    if (!parsed.ok || parsed.value < 0) {
      this.typed = text;
      return;
    }
    this.chosen = undefined;
    this.set({ answer: this.answer, wanted, value: parsed.value });
  }

  private want(wanted: 'atMost' | 'atLeast'): void {
    this.chosen = wanted;
    const { target } = this;
    if (target && target.wanted !== 'is') this.set({ ...target, wanted });
  }

  /** Without a target, the reader has just asked for the panel, to type one. */
  protected override firstUpdated(): void {
    if (!this.target) this.querySelector<HTMLElement>('input, .wants > label > select')?.focus();
  }

  protected override render(): TemplateResult {
    return html`<div class="target">
      ${this.info.kind === 'choice' ? this.renderChoice() : this.renderNumber()}
      <div class="ways" role="status">${this.renderFound()}</div>
    </div>`;
  }

  private renderChoice(): TemplateResult {
    const { ctx, info, target, words } = this;
    const label = `${words.wanted} ${ctx.answer(info.key).label}`;
    return html`<p class="wants">
      <label
        >${words.is}
        <select
          aria-label=${label}
          @change=${(event: Event) => {
            const { value } = event.target as HTMLSelectElement;
            this.set(value ? { answer: info.key, wanted: 'is', value } : undefined);
          }}
        >
          <option value="" .selected=${live(!target)}></option>
          ${info.choices.map(
            (choice) =>
              html`<option value=${choice} .selected=${live(target?.value === choice)}>
                ${ctx.choiceOfAnswer(info.key, choice)}
              </option>`,
          )}
        </select></label
      >
    </p>`;
  }

  private renderNumber(): TemplateResult {
    const { ctx, info, target, typed, wanted, words } = this;
    const label = ctx.answer(info.key).label;
    const written = target ? this.say(target.value).replace(/[\u00a0\u202f]/g, ' ') : '';
    const text = typed ?? written;
    return html`<form
      class="wants"
      @submit=${(event: Event) => {
        event.preventDefault();
        this.read(this.querySelector<HTMLInputElement>('input')!.value);
      }}
    >
      <select
        aria-label="${words.wanted} ${label}"
        @change=${(event: Event) =>
          this.want((event.target as HTMLSelectElement).value as 'atMost' | 'atLeast')}
      >
        ${(['atMost', 'atLeast'] as const).map(
          (each) =>
            html`<option value=${each} .selected=${live(each === wanted)}>${words[each]}</option>`,
        )}
      </select>
      <input
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        inputmode=${info.unit === 's' || info.unit === 'J' ? 'text' : inputMode(ctx.language)}
        aria-label="${words.value}: ${label}"
        aria-invalid=${typed === undefined ? nothing : 'true'}
        aria-describedby="target-${info.key}"
        placeholder=${this.hint()}
        .value=${live(text)}
        @change=${(event: Event) => this.read((event.target as HTMLInputElement).value)}
      />
      ${this.renderFits()}
      <span class="message" id="target-${info.key}"
        >${typed === undefined ? nothing : ctx.fill(words.unread, { typed })}</span
      >
    </form>`;
  }

  /** An example of what can be typed: about the answer as it is, in its unit. */
  private hint(): string {
    const { ctx, info, words } = this;
    // The number is rounded as it is said: 44.3 days are 3,830,000 s.
    const value = this.say(this.results.number(info.key) ?? 0).replace(/\d+(?:\.\d+)?/, (number) =>
      String(Number(Number(number).toPrecision(1))),
    );
    return ctx.fill(words.hint, { value });
  }

  /** Memory has a target that needs no typing. */
  private renderFits(): TemplateResult | typeof nothing {
    const { ctx, info, words } = this;
    if (info.key !== 'memoryPerChip') return nothing;
    const value = Number(ctx.value('chip.memory'));
    return html`<button
      type="button"
      class="fits"
      @click=${() => this.set({ answer: info.key, wanted: 'atMost', value })}
    >
      ${words.fits}
    </button>`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave();
  }

  /** Lit may reuse this element for another answer, which must not inherit what was typed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.get('answer') !== undefined) this.typed = this.chosen = undefined;
    const before = changed.get('ctx');
    if (before && before.state.view !== this.ctx.state.view) this.leave();
  }

  private leave(): void {
    this.solver?.stop();
    this.solver = undefined;
  }

  private renderFound(): unknown {
    const { ctx, target, words } = this;
    if (!target) return nothing;
    const { forward } = viewOf(ctx);
    this.solver ??= forward ? new Stepping(forward) : new AtOnce();
    const found = this.solver.solve(ctx, target, () => this.requestUpdate());
    const { reply, busy } = found;
    if (!reply.ok || reply.absent) return html`<p>${words.absent}</p>`;
    if (reply.met) {
      const now = this.results.choice(this.answer) || this.results.number(this.answer) || 0;
      return html`<p class="met">✓ ${ctx.fill(words.met, { now: this.say(now) })}</p>
        ${this.renderKept(target, found, reply.turns)}`;
    }
    const meets = waysOf(ctx, found, reply.turns, 'meets');
    const short = waysOf(ctx, found, reply.turns, 'fallsShort').filter(
      ({ turn, field }) => turn.value !== (found.before?.[field] ?? ctx.value(field)),
    );
    const searching = busy ? html`<p class="searching">${words.searching}</p>` : nothing;
    if (busy && meets.length === 0) return searching;
    return html`<p>${meets.length > 0 ? words.ways : words.nothing}</p>
      <ul>
        ${meets.map((way) => this.renderWay(way, target, found))}
      </ul>
      ${searching} ${short.length > 0 ? this.renderShort(short, meets.length === 0) : nothing}`;
  }

  /** How far a target that is met stays so; what another chip might lack is no choice of a reader. */
  private renderKept(target: Target, found: Found, turns: readonly Turn[]): unknown {
    const { ctx, words } = this;
    const ways = waysOf(ctx, found, turns, 'keeps').filter(
      ({ field }) => !field.startsWith('chip.') || isPriced(field),
    );
    return html`${
      ways.length > 0
        ? html`<p>${ctx.fill(words.kept, { target: this.say(target.value) })}</p>
            <ul>
              ${ways.map((way) => this.renderWay(way, target, found))}
            </ul>`
        : nothing
    }
    ${found.busy ? html`<p class="searching">${words.searching}</p>` : nothing}`;
  }

  private sayChange({ turn, field }: Way, { before }: Found): string {
    const { ctx, words } = this;
    const after = ctx.say(field, turn.value);
    const inSlices = turn.slices !== undefined && turn.slices !== ctx.value('run.slices');
    const value = inSlices
      ? ctx.fill(words.inSlices, { value: after, slices: ctx.format.count(turn.slices!) })
      : after;
    const now = round3(before?.[field]) ?? ctx.value(field);
    return ctx.fill(words.from, { before: ctx.say(field, now), after: value });
  }

  private renderWay(way: Way, target: Target, found: Found): TemplateResult {
    const { ctx, words } = this;
    const { turn, field, state } = way;
    const label = ctx.label(field);
    const part = `equation ${this.answer} ${field}`;
    const isOpen = ctx.open.has(part);
    const notes = [
      ctx.fill(words.reaches, { reached: this.say(turn.reached) }),
      field === 'run.mfu' && Number(turn.value) > measuredMfu
        ? ctx.fill(words.measured, { most: ctx.say('run.mfu', measuredMfu) })
        : '',
      field.startsWith('chip.') && !isPriced(field) ? words.ofChip : '',
    ];
    return html`<li data-turn=${field}>
      <span class="turn">${label} <strong>${this.sayChange(way, found)}</strong></span>
      <span class="note"
        >${notes
          .filter(Boolean)
          .map(
            (note, index) => html`${index > 0 ? ' · ' : ''}<span class="whole">${note}</span>`,
          )}</span
      >
      <span class="whole"
        ><button
          type="button"
          class="use"
          ?hidden=${state === ctx.state}
          aria-label=${ctx.fill(words.useLabel, { field: label, value: ctx.say(field, turn.value) })}
          @click=${() => ctx.actions.go(state)}
        >
          ${words.use}
        </button>
        <button
          type="button"
          class="why"
          aria-expanded=${isOpen}
          aria-label="${ctx.text.ui.why} ${label}"
          @click=${() => ctx.actions.toggle(part)}
        >
          ${ctx.text.ui.why}
        </button></span
      >
      ${isOpen ? html`<div class="derivation">${this.renderEquation(way, target, found)}</div>` : nothing}
    </li>`;
  }

  /** The equation of the answer, solved for the field. */
  private renderEquation(way: Way, target: Target, found: Found): unknown {
    const { ctx, words } = this;
    const { field } = way;
    const told = this.explain(way, target, found);
    if (told === null) return html`<p>${words.searched}</p>`;
    // Loading the drawing loads the derivations.
    if (told === undefined) return lazily(ctx, ctx.actions.derivations, () => nothing);
    if (!told.ok || told.derivation.steps.length === 0) return html`<p>${words.noEquation}</p>`;
    const [first, ...others] = told.derivation.steps;
    const titles = partOf(ctx.language, 'sources').use(ctx.actions);
    if (titles) ctx.text.sources = titles;
    return lazily(ctx, ctx.actions.derivations, (draw) =>
      draw(naming(ctx, field), [{ ...first!, key: field }, ...others], []),
    );
  }

  /** The equation of a question that is solved at once; null where each answer takes a search. */
  private explain(
    { turn, field, state }: Way,
    target: Target,
    found: Found,
  ): Explanation | null | undefined {
    const { ctx } = this;
    const asked = found.explains
      ? found.explains(turn)
      : ([ctx.state.view as TurnedQuestion, inputsOf(ctx.engine, state), target] as const);
    if (!asked) return null;
    const [question, input, of] = asked;
    return explainTurn(ctx.engine, question, input, of, field);
  }

  /** Inputs that change the answer, but not far enough: the bound that remains. */
  private renderShort(short: readonly Way[], alone: boolean): unknown {
    const { ctx, words } = this;
    const list = html`<ul class="short">
      ${short.map(
        ({ turn, field }) =>
          html`<li data-short=${field}>
            ${ctx.fill(words.most, {
              field: ctx.label(field),
              value: ctx.say(field, turn.value),
              reached: this.say(turn.reached),
            })}
          </li>`,
      )}
    </ul>`;
    if (alone)
      return html`<p class="stands">${words.stands}</p>
        ${list}`;
    return disclosure(
      ctx,
      { part: `short ${this.answer}`, kind: 'other', summary: html`${words.more}` },
      () => list,
    );
  }
}

/** Rounds to three digits, as answers are shown. */
const round3 = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Number(value.toPrecision(3));

/** A context in which the solved field has its own name among the steps. */
const naming = (ctx: RenderContext, field: FieldId): RenderContext =>
  ctx.with({ labels: { [field]: { label: ctx.label(field) } } });

/** What could meet a target for an answer. */
export function targetPanel(
  ctx: RenderContext,
  results: Results,
  answer: string,
  words: PartTexts<'budget'>['targets'],
): TemplateResult {
  define('scaling-target', TargetPanel);
  return html`<scaling-target
    .ctx=${ctx}
    .results=${results}
    .answer=${answer}
    .words=${words}
  ></scaling-target>`;
}
