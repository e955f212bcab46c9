import { LitElement, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { adopt } from '../../../dom/sheet.ts';
import { define } from '../../../dom/define.ts';
import type { FieldValue } from '../../../engine/index.ts';
import { writeAddress } from '../../../link/address.ts';
import { evaluate } from '../../../model/evaluate.ts';
import { measuredRange, measures, readMeasured, writeMeasured, type Measured } from './settings.ts';
import type { FieldId } from '../../../model/fields.ts';
import { withField, withLayoutFixed, withView, type State } from '../../../model/state.ts';
import { parseNumber } from '../../../number/parse.ts';
import type { Stepping } from '../../../number/step.ts';
import { stepTime } from '../../../number/unit.ts';
import type { Edit } from '../../kit/number-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Results } from '../../parts/answers/results.ts';
import { runs } from './data.ts';
import { keepOwnRun, ownRuns } from './kept.ts';
import { likeRuns } from './likeness.ts';
import { style } from './style.ts';
import { traitsOf } from './traits.ts';
import { sayError, type EvidenceWords } from './evidence-words.ts';
import { worths } from './worth.ts';

/** Changes that would make less of a difference explain nothing. */
const worthSaying = 0.01;
const mostChanges = 6;

/** A change of the plan with what its step would take. */
interface Change {
  id: FieldId;
  value: FieldValue;
  seconds: number;
}

/** Where a step that the reader measured stands, and what would explain the difference. Renders into
 * its parent's tree. */
export class OwnRunPart extends LitElement {
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    results: { attribute: false },
    words: { attribute: false },
    as: { state: true },
    draft: { state: true },
  };

  declare ctx: RenderContext;
  declare results: Results;
  declare words: EvidenceWords;
  /** What the reader chose to enter, until something is entered. */
  declare private as: Measured['as'] | undefined;
  /** What was typed and is no measurement. */
  declare private draft: string | undefined;
  /** Changes of the state that was looked at last. */
  private tried: { of: State; changes: Change[] } | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adopt(this.getRootNode(), style);
  }

  private get measured(): Measured | undefined {
    return readMeasured(this.ctx.present.state.charts.measured ?? '');
  }

  private get kind(): Measured['as'] {
    const said = this.ctx.present.state.charts.measured;
    return this.measured?.as ?? this.as ?? (said?.startsWith('speed') ? 'speed' : 'step');
  }

  private get rule(): Stepping {
    const { kind } = this;
    return {
      ...measuredRange[kind],
      unit: kind === 'step' ? 's' : 'tokens/s',
      percent: false,
      whole: false,
      doubles: false,
    };
  }

  /** Tokens of a step. */
  private get tokens(): number {
    return Number(this.ctx.value('run.batchTokens'));
  }

  private edit({ value, draft, done }: Edit): void {
    const { actions } = this.ctx;
    const { min, max } = this.rule;
    const fits = typeof value === 'number' && value >= min && value <= max;
    this.draft = draft ?? (typeof value === 'number' && !fits ? String(value) : undefined);
    if (fits) {
      const measured = writeMeasured({ as: this.kind, value });
      actions.chart({ measured }, { name: 'measured', done });
    } else if (value === null) {
      this.as = this.kind;
      actions.chart({ measured: undefined }, { name: 'measured', done });
    }
    if (done) this.keep();
  }

  private choose(as: Measured['as']): void {
    const { measured } = this;
    this.as = as;
    this.draft = undefined;
    if (!measured || measured.as === as) return;
    // The same run, said otherwise.
    const value = Number((this.tokens / measured.value).toPrecision(4));
    const { min, max } = measuredRange[as];
    this.ctx.actions.chart({
      measured: value >= min && value <= max ? writeMeasured({ as, value }) : undefined,
    });
  }

  private get seconds(): number | undefined {
    const { measured } = this;
    if (!measured) return undefined;
    return measured.as === 'step' ? measured.value : this.tokens / measured.value;
  }

  /** In this browser, so that it stands among the measured runs. */
  private keep(): void {
    const { ctx, results, seconds } = this;
    const times = this.times();
    if (seconds === undefined || !times || results.stale) return;
    const { description, state } = ctx;
    const { measured: _, ...charts } = state.charts;
    const kind = Number(ctx.value('model.experts')) > 0 ? 'moe' : 'dense';
    keepOwnRun({
      link: writeAddress(description, { ...withLayoutFixed(description, state), charts }),
      name: ctx.fill(this.words.run, {
        model: ctx.called('model'),
        chips: ctx.format.count(Number(ctx.value('run.chips'))),
        chip: ctx.called('chip'),
        format: ctx.say('run.computeFormat', ctx.value('run.computeFormat')),
      }),
      kind,
      measured: seconds,
      ...times,
    });
  }

  private times():
    { lower: number; low: number; expected: number; high: number; upper: number } | undefined {
    const [lower, low, expected, high, upper] = [
      'stepLower',
      'stepLow',
      'stepExpected',
      'stepHigh',
      'stepUpper',
    ].map((key) => this.results.number(key));
    if (!lower || !expected || !upper) return undefined;
    return { lower, low: low ?? lower, expected, high: high ?? upper, upper };
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { ctx, words, kind, seconds, measured } = this;
    const message = this.message();
    return html`<div class="own-run inside">
      <p>${words.own.lead}</p>
      <div class="row">
        <label class="pick"
          ><span>${words.own.as}</span>
          <select
            data-field="measured.as"
            @change=${(event: Event) =>
              this.choose((event.target as HTMLSelectElement).value as Measured['as'])}
          >
            ${measures.map(
              (each) =>
                html`<option value=${each} .selected=${live(each === kind)}>
                  ${words.own.measures[each]}
                </option>`,
            )}
          </select></label
        >
        <span class="pick"
          ><scaling-number
            class="control"
            .fieldId=${'measured'}
            .label=${words.own.measures[kind]}
            .value=${measured?.as === kind ? measured.value : null}
            .draft=${this.draft ?? this.unread}
            .rule=${this.rule}
            .optional=${true}
            .missing=${ctx.text.ui.notGiven}
            .describedBy=${message ? 'measured-message' : ''}
            .invalid=${message !== ''}
            .language=${ctx.language}
            @edit=${(event: CustomEvent<Edit>) => this.edit(event.detail)}
          ></scaling-number
          >${kind === 'speed' ? html`<span>${words.own.perSecond}</span>` : nothing}</span
        >
      </div>
      ${
        message
          ? html`<p class="message" id="measured-message" data-message="measured">${message}</p>`
          : nothing
      }
      ${seconds === undefined || message ? nothing : this.renderStanding(seconds)}
    </div>`;
  }

  /** What a link says was measured and can't have been. */
  private get unread(): string | undefined {
    const typed = this.ctx.present.state.charts.measured;
    return typed === undefined || this.measured ? undefined : typed.replace(/^(step|speed):/, '');
  }

  /** What is wrong with what was typed, or with what a link says. */
  private message(): string {
    const { ctx, kind, rule } = this;
    const draft = this.draft ?? this.unread;
    if (draft === undefined) return '';
    const { issues } = ctx.text;
    const parsed = parseNumber(draft, rule);
    const sentence =
      !parsed.ok && parsed.reason === 'notANumber' ? issues.notANumber : issues.notFinite;
    const say = (value: number): string => ctx.format.say(value, kind === 'step' ? stepTime : '');
    return ctx.fill(sentence, {
      field: this.words.own.measures[kind],
      typed: draft.trim(),
      minimum: say(rule.min),
      maximum: say(rule.max),
    });
  }

  private renderStanding(seconds: number): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const times = this.times();
    if (!times) return nothing;
    const { format } = ctx;
    const { lower, low, expected, high, upper } = times;
    const say = (value: number): string => format.say(value, stepTime);
    const gap = seconds - expected;
    const place = ((): keyof EvidenceWords['own']['places'] => {
      if (seconds < lower) return 'belowLower';
      if (seconds > upper) return 'aboveUpper';
      if (seconds < low) return 'below';
      return seconds > high ? 'above' : 'within';
    })();
    return html`<p class="finding" data-place=${place}>
        ${ctx.sentences([
          ctx.fill(words.own.measured, {
            measured: say(seconds),
            expected: say(expected),
            error: sayError(ctx, gap / expected),
            rate: this.sayMfu(seconds),
          }),
          ctx.fill(words.own.places[place], {
            low: say(low),
            high: say(high),
            lower: say(lower),
            upper: say(upper),
          }),
          this.sayRank(seconds / expected),
        ])}
      </p>
      ${this.renderWorths(gap)} ${this.renderChanges(gap, expected)}
      ${
        ownRuns().length > 0
          ? html`<p>
              <a
                href="#${writeAddress(ctx.description, { ...withView(ctx.state, 'evidence'), charts: {} })}"
                >${words.own.see}</a
              >
            </p>`
          : nothing
      }`;
  }

  /** The MFU of the measured step: by the plan's own count of FLOPs. */
  private sayMfu(seconds: number): string {
    const mfu = this.results.number('mfu');
    const expected = this.results.number('stepExpected');
    if (mfu === undefined || expected === undefined) return '';
    return this.ctx.format.say((mfu * expected) / seconds, '%');
  }

  /** Among the runs like it: how many took longer than predicted by as much. */
  private sayRank(ratio: number): string {
    const { ctx, words } = this;
    const traits = traitsOf(ctx);
    const like = traits ? likeRuns(runs, traits) : [];
    const n = like.length;
    if (n === 0) return words.own.noneLike;
    const longer = like.filter(({ measured, expected }) => measured / expected > ratio).length;
    return ctx.fill(
      words.own.rank,
      { n: ctx.format.count(n), longer: ctx.format.count(longer) },
      { n, longer },
    );
  }

  private renderWorths(gap: number): TemplateResult | typeof nothing {
    const { ctx, words, results } = this;
    const { format } = ctx;
    const all = worths(results.all, gap > 0);
    if (all.length === 0) return nothing;
    return html`<h4>${gap > 0 ? words.own.longer : words.own.shorter}</h4>
      <table class="worths">
        <thead>
          <tr>
            <th scope="col" class="words">${words.own.part}</th>
            <th scope="col" class="words wider">${words.own.how}</th>
            <th scope="col">${words.own.worth}</th>
            <th scope="col">${words.own.share}</th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            ({ key, how, seconds }) =>
              html`<tr data-worth=${key}>
                <th scope="row" class="words">
                  ${key === 'computing' ? words.own.computing : ctx.answer(key).label}
                  <span class="note small-only">${words.own.hows[how]}</span>
                </th>
                <td class="words wider">${words.own.hows[how]}</td>
                <td>${format.say(seconds, stepTime)}</td>
                <td>${this.sayShare(seconds / Math.abs(gap))}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  /** More than all of it is all of it. */
  private sayShare(share: number): string {
    const { format } = this.ctx;
    return share >= 1 ? this.words.own.all : format.say(share, '%');
  }

  private renderChanges(gap: number, expected: number): TemplateResult | typeof nothing {
    const { ctx, words } = this;
    const { format } = ctx;
    const changes = this.changes(expected)
      .filter(
        ({ seconds }) =>
          Math.sign(seconds - expected) === Math.sign(gap) &&
          Math.abs(seconds / expected - 1) >= worthSaying,
      )
      .sort((a, b) => Math.abs(b.seconds - expected) - Math.abs(a.seconds - expected))
      .slice(0, mostChanges);
    if (changes.length === 0) return nothing;
    return html`<h4>${words.own.changes}</h4>
      <ul class="changes">
        ${changes.map(
          ({ id, value, seconds }) =>
            html`<li data-change=${id}>
              ${ctx.fill(words.own.change, {
                field: ctx.label(id),
                value: ctx.say(id, value),
                step: format.say(seconds, stepTime),
                share: this.sayShare((seconds - expected) / gap),
              })}
            </li>`,
        )}
      </ul>`;
  }

  /** What the step would take with one thing otherwise that a layout may not say: each choice of the
   * software, and what is computed again. */
  private changes(expected: number): Change[] {
    const { ctx } = this;
    const { description, engine } = ctx;
    const state = withLayoutFixed(description, ctx.state);
    if (this.tried?.of === ctx.state) return this.tried.changes;
    const ids = [
      ...description.groups.stack.map(({ key }): FieldId => `stack.${key}`),
      'layout.recompute' as FieldId,
    ];
    const changes = ids.flatMap((id) => {
      const info = ctx.info(id);
      const present = ctx.value(id);
      const values: FieldValue[] =
        info.kind === 'flag' ? [!present] : info.choices.filter((each) => each !== present);
      return values.flatMap((value) => {
        const reply = evaluate(engine, withField(description, state, id, value));
        const seconds = reply.ok ? reply.answers['stepExpected'] : undefined;
        return typeof seconds === 'number' && seconds !== expected ? [{ id, value, seconds }] : [];
      });
    });
    this.tried = { of: ctx.state, changes };
    return changes;
  }
}

define('scaling-own-run', OwnRunPart);
