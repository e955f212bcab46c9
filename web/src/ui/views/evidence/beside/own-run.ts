import { bare } from '../../../../engine/bare.ts';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { LightElement } from '../../../kit/light-element.ts';
import { define } from '../../../../dom/define.ts';
import { Lazy } from '../../../../engine/lazy.ts';
import { writeAddress } from '../../../../link/address.ts';
import { evaluate } from '../../../../model/evaluate.ts';
import { withView, type State } from '../../../../model/state.ts';
import { parseNumber } from '../../../../number/parse.ts';
import type { Stepping } from '../../../../number/step.ts';
import { stepTime } from '../../../../number/unit.ts';
import { disclosure } from '../../../kit/disclosure.ts';
import { isSparse } from '../../../kit/model-parts.ts';
import { lazily } from '../../../kit/lazily.ts';
import type { Edit } from '../../../kit/number-control.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Results } from '../../../kit/results.ts';
import type { Collection } from '../runs/collection.ts';
import { keepOwnRun, ownRuns } from '../runs/kept.ts';
import { likeRuns } from '../runs/likeness.ts';
import type { Candidate, Predicted, Subject } from './subject.ts';
import { isSpeed, type Measure } from '../runs/run.ts';
import {
  measuredRange,
  readMeasured,
  writeMeasure,
  writeMeasured,
  type Measured,
  type Own,
} from '../runs/settings.ts';
import { style } from '../style.ts';
import { sayError, type EvidenceWords } from '../runs/words.ts';

/** Changes that would make less of a difference explain nothing. */
const worthSaying = 0.01;
const mostChanges = 6;

/** Whether it is in tokens a second. */
const isRate = (as: Own): boolean => as === 'speed' || as === 'output';

/** A change of the question with what it would answer. */
interface Change extends Candidate {
  answer: number;
}

const machine = new Lazy(() => import('../machine/machine.ts'));

/** The place of the reader's measurement, and the causes that would explain the difference.
 * Renders into its parent's tree. */
export class OwnRunPart extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    results: { attribute: false },
    words: { attribute: false },
    subject: { attribute: false },
    as: { state: true },
    draft: { state: true },
  };

  declare ctx: RenderContext;
  declare results: Results;
  declare words: EvidenceWords;
  /** The kind of run. */
  declare subject: Subject;
  /** The measure that the reader chose, until a value is entered. */
  declare private as: Measured['as'] | undefined;
  /** The typed text that is no measurement. */
  declare private draft: string | undefined;
  /** Changes of the state that was looked at last. */
  private tried: { of: State; measure: Measure; changes: Change[] } | undefined;

  private get measured(): Measured | undefined {
    const measured = readMeasured(this.ctx.present.state.charts.measured ?? '');
    return measured && this.subject.own.includes(measured.as) ? measured : undefined;
  }

  private get kind(): Own {
    const said = this.ctx.present.state.charts.measured;
    const { own } = this.subject;
    return (
      this.measured?.as ?? this.as ?? own.find((each) => said?.startsWith(`${each}:`)) ?? own[0]!
    );
  }

  private get collection(): Collection {
    return this.subject.collectionOf(this.ctx, this.kind);
  }

  private get rule(): Stepping {
    const { kind } = this;
    return {
      ...measuredRange[kind],
      unit: isRate(kind) ? 'tokens/s' : 's',
      percent: false,
      whole: false,
      doubles: false,
    };
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

  private choose(as: Own): void {
    const { measured, subject, ctx } = this;
    this.as = as;
    this.draft = undefined;
    if (!measured || measured.as === as) return;
    // The same run said otherwise, where that can be.
    const value = subject.otherwise?.(ctx, measured, as);
    const { min, max } = measuredRange[as];
    ctx.actions.chart({
      measured:
        value !== undefined && value >= min && value <= max
          ? writeMeasured({ as, value: Number(value.toPrecision(4)) })
          : undefined,
    });
  }

  /** The entered value, in the unit of what is predicted. */
  private get value(): number | undefined {
    const { measured, subject, ctx } = this;
    return measured && subject.valueOf(ctx, measured);
  }

  private get predicted(): Predicted | undefined {
    return this.subject.predicted(this.results, this.kind);
  }

  /** Keeps the run in this browser, so that it stands among the measured runs. */
  private keep(): void {
    const { ctx, results, value, predicted, subject } = this;
    if (value === undefined || !predicted || results.stale) return;
    const { description, state } = ctx;
    const { measured: _, ...charts } = state.charts;
    const kind = isSparse(ctx) ? 'moe' : 'dense';
    const { measure } = this.collection;
    keepOwnRun({
      link: writeAddress(description, { ...subject.fixed(ctx), charts }),
      name: subject.call(ctx, this.words),
      kind,
      ...(measure !== 'stepTime' && { measure }),
      measured: value,
      ...predicted,
    });
  }

  // ---- drawing

  private label(as: Own): string {
    const labels: Partial<Record<Own, string>> = this.words.own.measures[this.subject.view];
    return labels[as] ?? '';
  }

  protected override render(): TemplateResult {
    const { ctx, words, kind, value, measured, subject } = this;
    const message = this.message();
    return html`<div class="own-run inside">
      <p>${words.own.lead}</p>
      <div class="row">
        <label class="pick"
          ><span>${words.own.as}</span>
          <select
            data-field="measured.as"
            @change=${(event: Event) =>
              this.choose((event.target as HTMLSelectElement).value as Own)}
          >
            ${subject.own.map(
              (each) =>
                html`<option value=${each} .selected=${live(each === kind)}>
                  ${this.label(each)}
                </option>`,
            )}
          </select></label
        >
        <span class="pick"
          ><scaling-number
            class="control"
            .fieldId=${'measured'}
            .label=${this.label(kind)}
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
          >${isRate(kind) ? html`<span>${words.own.perSecond}</span>` : nothing}</span
        >
      </div>
      ${
        message
          ? html`<p class="message" id="measured-message" data-message="measured">${message}</p>`
          : nothing
      }
      ${value === undefined || message ? nothing : this.renderStanding(value)}
      ${disclosure(
        ctx,
        {
          part: 'own machine',
          kind: 'panel',
          summary: html`<span class="title">${words.machine.title}</span>`,
        },
        () => lazily(ctx, machine, ({ machinePart }) => machinePart(ctx, words, subject)),
      )}
    </div>`;
  }

  /** The measurement of a link that can't be. */
  private get unread(): string | undefined {
    const typed = this.ctx.present.state.charts.measured;
    // A measurement of another question says nothing here.
    if (typed === undefined || readMeasured(typed)) return undefined;
    return typed.replace(/^\w+:/, '');
  }

  /** The fault in the typed text, or in the link. */
  private message(): string {
    const { ctx, kind, rule } = this;
    const draft = this.draft ?? this.unread;
    if (draft === undefined) return '';
    const { issues } = ctx.text;
    const parsed = parseNumber(draft, rule);
    const sentence =
      !parsed.ok && parsed.reason === 'notANumber' ? issues.notANumber : issues.notFinite;
    const say = (value: number): string => ctx.format.say(value, isRate(kind) ? '' : stepTime);
    return ctx.fill(sentence, {
      field: this.label(kind),
      typed: draft.trim(),
      minimum: say(rule.min),
      maximum: say(rule.max),
    });
  }

  private renderStanding(value: number): TemplateResult | typeof nothing {
    const { ctx, words, predicted, collection, subject } = this;
    if (!predicted) return nothing;
    const { bounds, measure, view } = collection;
    const { lower, low, expected, high, upper } = predicted;
    const say = (value: number): string => ctx.format.say(value, collection.unit);
    const gap = value - expected;
    const place = ((): 'within' | 'above' | 'below' | 'aboveUpper' | 'belowLower' => {
      if (bounds.includes('lower') && value < lower) return 'belowLower';
      if (bounds.includes('upper') && value > upper) return 'aboveUpper';
      if (value < low) return 'below';
      return value > high ? 'above' : 'within';
    })();
    const places: Partial<Record<typeof place, string>> =
      words.own.places[isSpeed(measure) ? 'speed' : view === 'plan' ? 'step' : 'time'];
    return html`<p class="finding" data-place=${place}>
        ${ctx.sentences([
          ctx.fill(words.own.measured, {
            measured: say(value),
            expected: say(expected),
            error: sayError(ctx, gap / expected),
          }),
          subject.remark?.(ctx, words, this.results, value) ?? '',
          ctx.fill(places[place] ?? '', {
            range: ctx.format.range(low, high, collection.unit),
            lower: say(lower),
            upper: say(upper),
          }),
          this.sayRank(value / expected),
        ])}
      </p>
      ${this.renderWorths(gap)} ${this.renderChanges(gap, expected)}
      ${
        ownRuns().length > 0
          ? html`<p>
              <a
                href="#${writeAddress(ctx.description, {
                  ...withView(ctx.state, 'evidence'),
                  charts: bare({ measure: writeMeasure(measure) }),
                })}"
                >${words.own.see}</a
              >
            </p>`
          : nothing
      }`;
  }

  /** Says how many of the runs like it came out higher against their prediction. */
  private sayRank(ratio: number): string {
    const { ctx, words, subject, collection } = this;
    const traits = subject.traitsOf(ctx);
    const like = traits ? likeRuns(collection.runs, traits) : [];
    const n = like.length;
    if (n === 0) return words.own.noneLike;
    const more = like.filter(({ measured, expected }) => measured / expected > ratio).length;
    return ctx.fill(
      words.own.rank[isSpeed(collection.measure) ? 'speed' : 'time'],
      { n: ctx.format.count(n), longer: ctx.format.count(more) },
      { n, longer: more },
    );
  }

  private renderWorths(gap: number): TemplateResult | typeof nothing {
    const { ctx, words, results, subject, collection } = this;
    const { format } = ctx;
    const all = subject.worths(results.all, this.kind, gap);
    if (all.length === 0) return nothing;
    const headings = words.own.explains[isSpeed(collection.measure) ? 'speed' : collection.view];
    return html`<h4>${gap > 0 ? headings.more : headings.less}</h4>
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
            ({ key, how, worth }) =>
              html`<tr data-worth=${key}>
                <th scope="row" class="words">
                  ${words.own.parts[key as 'computing'] ?? ctx.answer(key).label}
                  <span class="note small-only">${words.own.hows[how]}</span>
                </th>
                <td class="words wider">${words.own.hows[how]}</td>
                <td>${format.say(worth, collection.unit)}</td>
                <td>${this.sayShare(worth / Math.abs(gap))}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  /** Says a share, `all` from 100 % on. */
  private sayShare(share: number): string {
    const { format } = this.ctx;
    return share >= 1 ? this.words.own.all : format.say(share, '%');
  }

  private sayPart(share: number): string {
    const { ctx, words } = this;
    const { all, some } = words.own.ofIt;
    return share >= 1 ? all : ctx.fill(some, { share: ctx.format.say(share, '%') });
  }

  private renderChanges(gap: number, expected: number): TemplateResult | typeof nothing {
    const { ctx, words, collection } = this;
    const { format } = ctx;
    const changes = this.changes()
      .filter(
        ({ answer }) =>
          Math.sign(answer - expected) === Math.sign(gap) &&
          Math.abs(answer / expected - 1) >= worthSaying,
      )
      .sort((a, b) => Math.abs(b.answer - expected) - Math.abs(a.answer - expected))
      .slice(0, mostChanges);
    if (changes.length === 0) return nothing;
    return html`<h4>${words.own.changes}</h4>
      <ul class="changes">
        ${changes.map(
          ({ id, value, answer }) =>
            html`<li data-change=${id}>
              ${ctx.fill(words.own.change[collection.view], {
                field: ctx.label(id),
                value: ctx.say(id, value),
                step: format.say(answer, collection.unit),
                share: this.sayPart((answer - expected) / gap),
              })}
            </li>`,
        )}
      </ul>`;
  }

  /** The answers with one input changed that a reader may not know. */
  private changes(): Change[] {
    const { ctx, subject, collection } = this;
    const { measure } = collection;
    if (this.tried?.of === ctx.state && this.tried.measure === measure) return this.tried.changes;
    const changes = subject.candidates(ctx).flatMap((candidate) => {
      const reply = evaluate(ctx.engine, candidate.state);
      const answer = reply.ok ? reply.answers[subject.answers[measure]!] : undefined;
      return typeof answer === 'number' ? [{ ...candidate, answer }] : [];
    });
    this.tried = { of: ctx.state, measure, changes };
    return changes;
  }
}

/** The reader's own run among the others. */
export function ownRunPart(
  ctx: RenderContext,
  results: Results,
  words: EvidenceWords,
  subject: Subject,
): TemplateResult {
  define('scaling-own-run', OwnRunPart);
  return html`<scaling-own-run
    .ctx=${ctx}
    .results=${results}
    .words=${words}
    .subject=${subject}
  ></scaling-own-run>`;
}
