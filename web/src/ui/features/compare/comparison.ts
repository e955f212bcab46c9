import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { AnswerInfo } from '../../../engine/index.ts';
import {
  evaluate,
  canEvaluate,
  makeFinder,
  type Answer,
  type Answers,
  type Finder,
  type Reply,
} from '../../../model/evaluate.ts';
import { exchanged, released } from '../../../compare/pinned.ts';
import { differences, type Thing } from '../../../compare/inputs.ts';
import { isSameReason, type Cause } from '../../../compare/reason.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import type { State } from '../../../model/state.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { progressOf } from '../../kit/lazily.ts';
import { Results } from '../../parts/answers/results.ts';
import { RenderContext } from '../../kit/render-context.ts';
import { viewOf } from '../../parts/view.ts';
import { Explaining } from './explaining.ts';
import {
  sayDifference,
  sayField,
  sayRatio,
  sayReason,
  tellTerms,
  type Telling,
} from './reasons.ts';
import type { Words } from './words.ts';
import { style } from './style.ts';
import { LightElement } from '../../kit/light-element.ts';

/** An answer to both states. */
interface Pair {
  info: AnswerInfo;
  before: Answer;
  now: Answer;
}

/** Parts whose sum differs from the whole by no more are all there are. */
const addsUp = 1e-6;

/** In narrow columns a unit may stand below its number. */
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
  /** The answers of both states, as drawn. */
  private answers: { before: Answers; now: Answers } | undefined;
  /** Answers whose reasons are drawn, in their order. */
  private shown: readonly string[] = [];
  /** The parts of each answer, from its row. */
  private made: ReadonlyMap<string, readonly string[]> = new Map();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.explaining.stop();
    this.finder?.stop();
  }

  /** The kept state with its best layout, which a link doesn't hold. */
  private complete(pinned: State): State {
    if (canEvaluate(pinned)) return pinned;
    const before = this.completed;
    if (before?.pinned === pinned) return before.state;
    this.finder ??= makeFinder(this.ctx.engine, () => this.requestUpdate());
    const state = this.finder.complete(pinned);
    if (state) this.completed = { pinned, state };
    return state ?? pinned;
  }

  private reply(state: State): Reply | undefined {
    let reply = this.replies.get(state);
    if (!reply && (canEvaluate(state) || this.completed?.state === state)) {
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
      <div class="compared">${this.renderCompared(words, this.complete(pinned))}</div>`;
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
    return html`${this.renderInputs(telling, pinned)}
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

  // ---- inputs

  private renderInputs(telling: Telling, pinned: State): TemplateResult {
    const { ctx, words, inputs } = telling;
    const { things, fields, follow } = inputs;
    if (things.length + fields.length === 0) return html`<p class="means">${words.nothing}</p>`;
    const say = (state: State, thing: Thing): string => {
      if (thing === 'figures') return ctx.text.ui.figuresChoice[state.figures];
      if (thing === 'optimizer') return ctx.optimizer(state.optimizer).name;
      return ctx.called(thing, state);
    };
    return html`<h3>${words.inputs}</h3>
      <ul class="inputs">
        ${things.map((thing) => {
          const label = thing === 'figures' ? ctx.text.panels.chip.label : ctx.text.ui[thing];
          return html`<li data-input=${thing}>
            ${ctx.fill(words.moved, {
              name: label,
              from: say(pinned, thing),
              to: say(ctx.state, thing),
            })}
          </li>`;
        })}
        ${fields.map((field) => html`<li data-input=${field.id}>${sayField(telling, field)}</li>`)}
      </ul>
      ${follow.map(({ thing, fields: brought }) => {
        const n = brought.length;
        return disclosure(
          ctx,
          {
            part: `compared ${thing}`,
            kind: 'other',
            summary: html`${ctx.fill(words.follow[thing], { n: String(n) }, { n })}`,
          },
          () =>
            html`<ul class="inputs">
              ${brought.map(
                (field) => html`<li data-input=${field.id}>${sayField(telling, field)}</li>`,
              )}
            </ul>`,
        );
      })}`;
  }

  // ---- answers

  /** The answers in the order of the page: large ones first. */
  private pairs(before: Answers, now: Answers): { large: Pair[]; others: Pair[] } {
    const { ctx } = this;
    const { answers } = ctx.description.questions[ctx.state.view];
    const results = new Results(ctx, now, new Map(), false, false);
    const rows = viewOf(ctx).rows(ctx, results);
    const large = rows.map(({ key }) => key);
    this.made = new Map(rows.map(({ key, parts = [] }) => [key, parts]));
    const pair = (info: AnswerInfo): Pair => ({
      info,
      before: before[info.key]!,
      now: now[info.key]!,
    });
    const asked = answers.map(pair).filter((each) => !(isIdle(each.before) && isIdle(each.now)));
    const place = ({ info }: Pair): number => large.indexOf(info.key);
    return {
      large: asked.filter((each) => place(each) >= 0).sort((a, b) => place(a) - place(b)),
      others: asked.filter((each) => place(each) < 0),
    };
  }

  private renderAnswers(
    telling: Telling,
    pinned: State,
    before: Answers,
    now: Answers,
  ): TemplateResult {
    const { ctx, words } = telling;
    this.answers = { before, now };
    const { large, others } = this.pairs(before, now);
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

  private say({ key, unit }: AnswerInfo, value: Answer): string {
    const { ctx } = this;
    const { absences } = ctx.text;
    if (typeof value === 'number') return ctx.format.say(value, spokenUnit(key, unit));
    if (typeof value === 'string') return ctx.choiceOfAnswer(key, value);
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
    const { key, unit } = info;
    const numbers = typeof before === 'number' && typeof now === 'number';
    const ratio = numbers && before * now > 0 ? sayRatio(ctx, words, info, now / before) : '';
    return html`<tbody role="rowgroup" data-changed=${key}>
      <tr role="row">
        <th scope="row" role="rowheader">${ctx.answer(key).label}</th>
        <td role="cell" class="number">${loose(this.say(info, before))}</td>
        <td role="cell" class="number now">${loose(this.say(info, now))}</td>
        <td role="cell" class="number">
          ${ratio ? html`<strong>${ratio}</strong>` : nothing}
          ${numbers ? html`<span class="difference">${loose(sayDifference(ctx, words, key, now - before, unit))}</span>` : nothing}
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
        ${this.sayTimes(telling, pair) || sayReason(telling, reason, this.partsOf(pair))}
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

  /** The parts of an answer if they add up to it, the part that changed most first. */
  private partsOf({ info }: Pair): Cause[] {
    const { before, now } = this.answers!;
    const keys = this.made.get(info.key) ?? [];
    const value = (answers: Answers, key: string): number => {
      const answer = answers[key];
      return typeof answer === 'number' ? answer : 0;
    };
    const adds = [before, now].every((answers) => {
      const sum = keys.reduce((total, key) => total + value(answers, key), 0);
      return Math.abs(sum / value(answers, info.key) - 1) < addsUp;
    });
    if (!adds) return [];
    return keys
      .map((key): Cause => {
        const [from, to] = [value(before, key), value(now, key)];
        // A part of nothing is no part.
        const ends = { ...(from !== 0 && { from }), ...(to !== 0 && { to }) };
        return { kind: 'step', key, ...ends, unit: info.unit, difference: to - from };
      })
      .filter(({ difference }) => difference !== 0)
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  }

  /** An answer above that changed for the same causes, where there are several to be told. */
  private toldBefore(key: string): string | undefined {
    const reason = this.explaining.of(key)!;
    if (reason.causes.length < 2) return undefined;
    return this.shown.slice(0, this.shown.indexOf(key)).find((other) => {
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

const isIdle = (answer: Answer): boolean =>
  typeof answer === 'object' && answer.absent === 'notApplicable';

function isOther({ before, now }: Pair): boolean {
  if (typeof before === 'object' && typeof now === 'object') return before.absent !== now.absent;
  return before !== now;
}

customElements.define('scaling-comparison', Comparison);
