import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../../dom/define.ts';
import type { AnswerInfo } from '../../../../engine/index.ts';
import {
  evaluate,
  canEvaluate,
  makeFinder,
  type Answer,
  type Answers,
  type Finder,
  type Reply,
} from '../../../../model/evaluate.ts';
import { exchanged, released } from '../../../../compare/pinned.ts';
import { differences } from '../../../../compare/inputs.ts';
import { isSameReason } from '../../../../compare/reason.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import { countedAs, countingOf, type State } from '../../../../model/state.ts';
import { tabOf } from '../../../../model/views.ts';
import { disclosure } from '../../../kit/disclosure.ts';
import { progressOf } from '../../../kit/lazily.ts';
import { RenderContext } from '../../../kit/render-context.ts';
import {
  isOther,
  pairsOf,
  partsOf,
  type BothAnswers,
  type Pair,
  type Pairs,
} from './answer-pairs.ts';
import { renderInputs } from './changed-inputs.ts';
import { Explaining } from './explaining.ts';
import { sayDifference, sayRatio, sayReason, tellTerms, type Telling } from './reasons.ts';
import type { Words } from '../words.ts';
import { style } from '../style.ts';
import { LightElement } from '../../../kit/light-element.ts';

/** Allows a break before the unit, which may stand below its number in narrow columns. */
const loose = (text: string): string => text.replaceAll('\u00a0', ' ');

/** The present state beside the one that is kept. Renders into its parent's tree. */
export class Comparison extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
  };

  declare ctx: RenderContext;
  declare words: Words;
  private readonly explaining = new Explaining(() => this.requestUpdate());
  private readonly replies = new WeakMap<State, Reply>();
  private finder: Finder | undefined;
  private completed: { pinned: State; state: State } | undefined;
  private counted: { pinned: State; state: State } | undefined;
  /** The answers of both states, as drawn. */
  private answers: BothAnswers | undefined;
  /** Answers whose reasons are drawn, in their order. */
  private shown: readonly string[] = [];
  /** The keys of the parts of each answer. */
  private parts: Pairs['parts'] = new Map();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.explaining.stop();
    this.finder?.stop();
  }

  /** The kept state, counted as the present one where it asks the same: else they share no answer. */
  private alike(pinned: State): State {
    const { state } = this.ctx;
    if (pinned.view === state.view || tabOf(pinned.view) !== tabOf(state.view)) return pinned;
    if (this.counted?.pinned !== pinned || this.counted.state.view !== state.view) {
      this.counted = { pinned, state: countedAs(countingOf(state), pinned) };
    }
    return this.counted.state;
  }

  /** The kept state with its best layout, which a link doesn't hold. */
  private complete(pinned: State): State {
    if (canEvaluate(this.ctx.engine, pinned)) return pinned;
    const before = this.completed;
    if (before?.pinned === pinned) return before.state;
    this.finder ??= makeFinder(this.ctx.engine, this.ctx.features.views, () =>
      this.requestUpdate(),
    );
    const state = this.finder.complete(pinned);
    if (state) this.completed = { pinned, state };
    return state ?? pinned;
  }

  private reply(state: State): Reply | undefined {
    let reply = this.replies.get(state);
    if (!reply && (canEvaluate(this.ctx.engine, state) || this.completed?.state === state)) {
      reply = evaluate(this.ctx.engine, state);
      this.replies.set(state, reply);
    }
    return reply;
  }

  // ---- what the reader does

  private exchange(): void {
    const { actions, state } = this.ctx;
    actions.go(exchanged(state));
  }

  private release(words: Words): void {
    const { actions, state } = this.ctx;
    // The focus must move, because the pressed button disappears.
    this.parentElement?.querySelector<HTMLElement>('.keep')?.focus();
    actions.go(released(state));
    actions.say(words.saidReleased);
  }

  // ---- drawing

  protected override render(): TemplateResult | typeof nothing {
    const { words, ctx } = this;
    const { pinned } = ctx.state;
    if (!pinned) return nothing;
    return html`<h2 id="comparison">${words.title}</h2>
      <button type="button" class="exchange" @click=${() => this.exchange()}>
        ${words.exchange}
      </button>
      <button type="button" class="release" @click=${() => this.release(words)}>
        ${words.release}
      </button>
      <div class="compared">${this.renderCompared(words, this.complete(this.alike(pinned)))}</div>`;
  }

  private renderCompared(words: Words, pinned: State): TemplateResult {
    const { ctx } = this;
    const { state, text } = ctx;
    if (pinned.view !== state.view) {
      const view = text.ui.views[pinned.view];
      return html`<p class="means">${ctx.fill(words.otherView, { view })}</p>`;
    }
    const inputs = differences(ctx.description, pinned, state);
    const telling: Telling = { ctx, words, inputs };
    const [before, now] = [this.reply(pinned), this.reply(state)];
    const counted =
      this.counted?.pinned === ctx.state.pinned && pinned.view !== ctx.state.pinned?.view;
    const { counting } = text.ui;
    return html`${
      counted
        ? html`<p class="means">
            ${ctx.fill(words.countedAlike, { counting: counting[countingOf(state)] })}
          </p>`
        : nothing
    }
    ${renderInputs(telling, pinned)}
    ${
      before?.ok && now?.ok
        ? this.renderAnswers(telling, pinned, before.answers, now.answers)
        : html`${this.renderInvalid(words.keptInvalid, pinned, before)}
          ${this.renderInvalid(words.nowInvalid, state, now)}`
    }`;
  }

  private renderInvalid(
    sentence: string,
    state: State,
    reply: Reply | undefined,
  ): TemplateResult | typeof nothing {
    if (!reply || reply.ok) return nothing;
    const there = this.ctx.at(state);
    const issues = reply.issues.map((issue) => there.issueMessage(issue)).join(' ');
    return html`<p class="means">${this.ctx.fill(sentence, { issues })}</p>`;
  }

  // ---- answers

  private renderAnswers(
    telling: Telling,
    pinned: State,
    before: Answers,
    now: Answers,
  ): TemplateResult {
    const { ctx, words } = telling;
    this.answers = { before, now };
    const { large, others, parts } = pairsOf(ctx, this.answers);
    this.parts = parts;
    const [changed, more] = [large, others].map((list) => list.filter(isOther)) as [Pair[], Pair[]];
    const same = [...large, ...others].filter((each) => !isOther(each));
    const shown = [...changed, ...(ctx.open.has('compared more') ? more : [])];
    this.shown = shown.map(({ info }) => info.key);
    this.explaining.ask(ctx.engine, ctx.actions.derivations, pinned, ctx.state, this.shown);
    const many = (n: number, sentence: string): string =>
      ctx.fill(sentence, { n: String(n) }, { n });
    const { derivations: reasons } = ctx.actions;
    return html`${reasons.state === 'failed' ? progressOf(ctx, reasons) : nothing}
    ${
      changed.length + more.length > 0
        ? html`<h3>${words.answers}</h3>
            ${changed.length > 0 ? this.renderTable(telling, changed, words.answers) : nothing}`
        : html`<p class="means">${words.sameAnswers}</p>`
    }
    ${
      more.length > 0
        ? disclosure(
            ctx,
            {
              part: 'compared more',
              kind: 'other',
              summary: html`${many(more.length, words.more)}`,
            },
            () => this.renderTable(telling, more, many(more.length, words.more)),
          )
        : nothing
    }
    ${
      same.length > 0
        ? disclosure(
            ctx,
            {
              part: 'compared same',
              kind: 'other',
              summary: html`${many(same.length, words.same)}`,
            },
            () =>
              html`<ul class="inputs">
                ${same.map(
                  ({ info, now: value }) =>
                    html`<li data-same=${info.key}>
                      ${ctx.fill(words.colon, {
                        name: ctx.answer(info.key).label,
                        what: this.say(info, value),
                      })}
                    </li>`,
                )}
              </ul>`,
          )
        : nothing
    }`;
  }

  private say(info: AnswerInfo, value: Answer): string {
    const { ctx } = this;
    const { absences } = ctx.text;
    if (typeof value === 'number') return ctx.format.say(value, spokenUnit(info));
    if (typeof value === 'string') return ctx.choiceOfAnswer(info.key, value);
    return (absences as Record<string, string>)[value.absent] ?? absences.notApplicable;
  }

  /** Its roles are told, for it is laid out as no table where there is no room for one. */
  private renderTable(telling: Telling, pairs: Pair[], label: string): TemplateResult {
    const { words } = telling;
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${label}>
      <table class="changes" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">${words.answer}</th>
            <th scope="col" role="columnheader" class="number">${words.kept}</th>
            <th scope="col" role="columnheader" class="number">${words.now}</th>
            <th scope="col" role="columnheader" class="number">${words.change}</th>
          </tr>
        </thead>
        ${pairs.map((pair) => this.renderPair(telling, pair))}
      </table>
    </div>`;
  }

  private renderPair(telling: Telling, pair: Pair): TemplateResult {
    const { ctx, words } = telling;
    const { info, before, now } = pair;
    const { key } = info;
    const numbers = typeof before === 'number' && typeof now === 'number';
    const ratio = numbers && before * now > 0 ? sayRatio(ctx, words, info, now / before) : '';
    return html`<tbody role="rowgroup" data-changed=${key}>
      <tr role="row">
        <th scope="row" role="rowheader">${ctx.answer(key).label}</th>
        <td role="cell" class="number">${loose(this.say(info, before))}</td>
        <td role="cell" class="number now">${loose(this.say(info, now))}</td>
        <td role="cell" class="number">
          ${ratio ? html`<strong>${ratio}</strong>` : nothing}
          ${numbers ? html`<span class="difference">${loose(sayDifference(ctx, words, info, now - before))}</span>` : nothing}
        </td>
      </tr>
      <tr role="row">
        <td colspan="4" role="cell" class="reason">${this.renderReason(telling, pair)}</td>
      </tr>
    </tbody>`;
  }

  private renderReason(telling: Telling, pair: Pair): TemplateResult | typeof nothing {
    const { ctx, words } = telling;
    const { key } = pair.info;
    if (ctx.actions.derivations.state === 'failed') return html`${ctx.text.ui.notLoaded}`;
    if (!this.explaining.knows(key)) return html`${words.reckoning}`;
    const reason = this.explaining.of(key);
    if (!reason) return nothing;
    const alike = this.toldBefore(key);
    if (alike) {
      return html`<p>${ctx.fill(words.likewise, { answer: ctx.answer(alike).label })}</p>`;
    }
    const terms = tellTerms(telling, reason);
    return html`<p>
        ${this.sayTimes(telling, pair) || sayReason(telling, reason, partsOf(this.answers!, pair, this.parts.get(key)))}
      </p>
      ${
        terms.length > 0
          ? disclosure(
              ctx,
              {
                part: `terms ${key}`,
                kind: 'terms',
                summary: html`${words.terms}<span class="hidden"> ${ctx.answer(key).label}</span>`,
              },
              () =>
                html`<ul>
                  ${terms.map(
                    ({ name, values, effect }) =>
                      html`<li>
                        <span>${name}</span> <span class="number">${values}</span>
                        <strong class="number">${effect}</strong>
                      </li>`,
                  )}
                </ul>`,
            )
          : nothing
      }`;
  }

  /** An answer that changed for the same causes, where there are several to be told: one that tells
   * them by its parts, or one above. */
  private toldBefore(key: string): string | undefined {
    const reason = this.explaining.of(key)!;
    if (reason.causes.length < 2) return undefined;
    const isTold = (other: string): boolean => (this.parts.get(other) ?? []).length > 0;
    const tellers = [...this.shown.filter(isTold), ...this.shown.filter((other) => !isTold(other))];
    return tellers.slice(0, tellers.indexOf(key)).find((other) => {
      const told = this.explaining.of(other);
      return told !== undefined && isSameReason(told, reason);
    });
  }

  /** The bounds of a plan are found by search: told are the times of what bound and of what binds. */
  private sayTimes({ ctx, words }: Telling, { before, now }: Pair): string {
    const { answers } = ctx.description.questions[ctx.state.view];
    const said = [before, now].flatMap((bound) => {
      const key =
        typeof bound === 'string' ? `time${bound[0]!.toUpperCase()}${bound.slice(1)}` : '';
      const info = answers.find((each) => each.key === key);
      const [was, is] = [this.answers?.before[key], this.answers?.now[key]];
      if (!info || was === undefined || is === undefined) return [];
      const parts = { from: this.say(info, was), to: this.say(info, is) };
      return [ctx.fill(words.moved, { name: ctx.answer(key).label, ...parts })];
    });
    return said.length > 0 ? ctx.fill(words.because, { causes: said.join(words.between) }) : '';
  }
}

/** The answers beside those of the state that is kept. */
export function besideKept(ctx: RenderContext, words: Words): TemplateResult {
  define('scaling-comparison', Comparison);
  return html`<scaling-comparison .ctx=${ctx} .words=${words}></scaling-comparison>`;
}
