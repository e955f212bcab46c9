// What the reader's own machine reaches: how to measure it, and what follows from it.

import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import script from '../../../../../../tests/evidence/measure/measure.py?raw';
import { download } from '../../../../charts/kit/export.ts';
import { copyText } from '../../../../dom/copy.ts';
import { define } from '../../../../dom/define.ts';
import { sheetOf } from '../../../../dom/sheet.ts';
import { recall, remember } from '../../../../dom/storage.ts';
import type { OperationsModule, Planner } from '../../../../engine/index.ts';
import { Lazy } from '../../../../engine/lazy.ts';
import { writeAddress } from '../../../../link/address.ts';
import { evaluate } from '../../../../model/evaluate.ts';
import type { FieldId } from '../../../../model/fields.ts';
import type { InputGroup } from '../../../../model/presets.ts';
import { has } from '../../../../model/own-value.ts';
import { inputOf, withField, type State } from '../../../../model/state.ts';
import { progressOf } from '../../../kit/lazily.ts';
import { LightElement } from '../../../kit/light-element.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Subject } from '../beside/subject.ts';
import { sayError, type EvidenceWords } from '../runs/words.ts';
import { commandFor, readMachine, type Fault, type Machine } from './line.ts';
import { differs, figuresOf, isOther, measures, ratesOf, type Rate } from './rates.ts';
import textArea from '../../../kit/text-area.css?inline';
import text from './machine.css?inline';

/** A value that is as good as another: no reader sees a difference. */
const isClose = (one: number, other: number): boolean => Math.abs(one / other - 1) < 1e-3;

/** Takes the line of measure.py. Renders into its parent's tree. */
export class MachinePart extends LightElement {
  static override sheets = [sheetOf(textArea + text)];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    words: { attribute: false },
    subject: { attribute: false },
    typed: { state: true },
    said: { state: true },
  };

  declare ctx: RenderContext;
  declare words: EvidenceWords;
  declare subject: Subject;
  /** The line, kept in this browser while it holds. */
  declare private typed: string;
  /** The outcome of copying. */
  declare private said: string;
  /** Steps of the small model are those of a plan. */
  private readonly operations = new Lazy<OperationsModule>(() => this.ctx.engine.operations());
  private readonly planner = new Lazy<Planner>(() => this.ctx.engine.planner());

  constructor() {
    super();
    this.typed = recall('machine') ?? '';
    this.said = '';
  }

  private type(typed: string): void {
    this.typed = typed;
    const reading = readMachine(typed);
    if (has(reading, 'machine') || typed.trim() === '') remember('machine', typed.trim());
  }

  private async copy(): Promise<void> {
    const field = this.querySelector<HTMLTextAreaElement>('textarea[readonly]')!;
    const { copied, notCopied } = this.words.machine;
    this.said = (await copyText(field)) ? copied : notCopied;
  }

  protected override render(): TemplateResult {
    const { ctx, typed } = this;
    const words = this.words.machine;
    const reading = typed.trim() === '' ? undefined : readMachine(typed);
    const fault = reading && has(reading, 'fault') ? this.sayFault(reading.fault) : '';
    const file = 'measure.py';
    return html`<div class="machine">
      <p>${ctx.fill(words.lead, { model: ctx.called('model') })}</p>
      <textarea
        readonly
        rows="3"
        spellcheck="false"
        aria-label=${words.command}
        .value=${this.command}
      ></textarea>
      <p class="buttons">
        <button
          type="button"
          data-save="measure"
          @click=${() => download(new Blob([script], { type: 'text/x-python' }), file)}
        >
          ${ctx.fill(words.download, { file })}
        </button>
        <button type="button" data-copy @click=${() => this.copy()}>${words.copy}</button>
        <span role="status">${this.said}</span>
      </p>
      <label
        >${words.line}<textarea
          rows="3"
          spellcheck="false"
          autocomplete="off"
          data-field="machine"
          aria-invalid=${fault ? 'true' : nothing}
          aria-describedby=${fault ? 'machine-message' : nothing}
          .value=${live(typed)}
          @input=${(event: Event) => this.type((event.target as HTMLTextAreaElement).value)}
        ></textarea>
      </label>
      ${
        fault
          ? html`<p class="message" id="machine-message" data-message="machine">${fault}</p>`
          : nothing
      }
      ${reading && has(reading, 'machine') ? this.renderMachine(reading.machine) : nothing}
    </div>`;
  }

  /** The command with the shapes of the reader's model. */
  private get command(): string {
    const { present } = this.ctx;
    const size = (key: string) => {
      const id: FieldId = `model.${key}`;
      const value = present.applies(id) ? present.value(id) : null;
      return typeof value === 'number' ? { [key]: value } : {};
    };
    const keys = ['hidden', 'feedForward', 'heads', 'kvHeads', 'headDim', 'vocabulary'];
    return commandFor(Object.assign({}, ...keys.map(size)) as Record<string, number>);
  }

  private sayFault(fault: Fault): string {
    const { ctx } = this;
    const { faults } = this.words.machine;
    const sentence = faults[fault.code];
    if (!has(fault, 'at')) return sentence;
    const { at } = fault;
    if (fault.code === 'choice') {
      return ctx.fill(sentence, { at, choices: fault.choices.join(', ') });
    }
    if (!has(fault, 'minimum')) return ctx.fill(sentence, { at });
    const { minimum, maximum } = fault;
    // As JSON has them.
    return ctx.fill(sentence, { at, minimum: String(minimum), maximum: String(maximum) });
  }

  // ---- what follows from it

  private renderMachine(machine: Machine): TemplateResult {
    const { ctx } = this;
    const words = this.words.machine;
    const { device, cores, memory, torch } = machine;
    const said = {
      device,
      cores: ctx.format.count(cores),
      memory: ctx.format.say(memory, 'B'),
      torch,
    };
    return html`<p class="finding">${ctx.fill(words.measured, said, { cores })}</p>
      ${
        machine.kind === 'cpu'
          ? html`<p>${ctx.fill(words.cpu, { chip: ctx.called('chip') })}</p>`
          : this.renderComparison(machine)
      }
      <p>
        <button type="button" data-forget @click=${() => this.type('')}>${words.forget}</button>
      </p>`;
  }

  private renderComparison(machine: Machine): unknown {
    const { ctx } = this;
    const words = this.words.machine;
    const operations = this.operations.use(this.waiting);
    if (!operations) return progressOf(ctx, this.operations);
    const planner = machine.steps.length > 0 ? this.planner.use(this.waiting) : undefined;
    const chip = inputOf(ctx.description, ctx.present.state, 'chip');
    const rates = ratesOf(operations, planner, chip, machine);
    const all = rates.filter(({ predicted }) => predicted !== undefined).length;
    const n = rates.filter(differs).length;
    return html`${
      isOther(chip, machine)
        ? html`<p class="message" data-message="other">
            ${ctx.fill(words.other, { chip: ctx.called('chip') })}
          </p>`
        : nothing
    }
    ${
      all > 0
        ? html`<p>
            ${ctx.fill(
              words.differing,
              { n: ctx.format.count(n), all: ctx.format.count(all) },
              { n },
            )}
          </p>`
        : nothing
    }
    ${this.renderFigures(operations, machine, chip)} ${this.renderRates(rates)}
    ${machine.steps.length > 0 ? progressOf(ctx, this.planner) : nothing}`;
  }

  /** What waits for the planner draws itself anew. */
  private readonly waiting = { refresh: (): void => this.requestUpdate() };

  private renderRates(rates: readonly Rate[]): TemplateResult {
    const words = this.words.machine;
    return html`<table>
      <thead>
        <tr>
          <th scope="col" class="words">${words.columns.what}</th>
          <th scope="col">${words.columns.measured}</th>
          <th scope="col" class="wider">${words.columns.predicted}</th>
          <th scope="col">${words.columns.difference}</th>
        </tr>
      </thead>
      ${measures.map((told) => {
        const rows = rates.filter((rate) => rate.told === told);
        return rows.length === 0
          ? nothing
          : html`<tbody>
              <tr>
                <th scope="rowgroup" class="words" colspan="4">${words.told[told]}</th>
              </tr>
              ${rows.map((rate) => this.renderRate(rate))}
            </tbody>`;
      })}
    </table>`;
  }

  private renderRate(rate: Rate): TemplateResult {
    const { ctx } = this;
    const { told, measured, predicted } = rate;
    const unit = { peak: '%', bandwidth: '%', time: 's', memory: 'B' }[told];
    const say = (value: number): string => ctx.format.say(value, unit);
    const words = this.words.machine;
    return html`<tr data-rate=${rate.of.kind} ?data-differs=${differs(rate)}>
      <th scope="row" class="words">
        ${this.call(rate)}
        ${
          predicted === undefined
            ? nothing
            : html`<span class="note small-only"
                >${ctx.fill(words.predicted, { predicted: say(predicted) })}</span
              >`
        }
      </th>
      <td>${say(measured)}</td>
      <td class="wider">${predicted === undefined ? '–' : say(predicted)}</td>
      <td>${predicted === undefined ? '–' : sayError(ctx, measured / predicted - 1)}</td>
    </tr>`;
  }

  private call({ of }: Rate): string {
    const { ctx } = this;
    const { called } = this.words.machine;
    if (of.kind === 'matmul') {
      const [m, k, n] = of.sizes.map((size) => ctx.format.count(size));
      return ctx.fill(called.matmul, { m: m!, k: k!, n: n! });
    }
    if (of.kind !== 'reduction') return called[of.kind];
    return ctx.fill(called.reduction, {
      bytes: ctx.format.say(of.bytes, 'B'),
      devices: ctx.format.count(of.devices),
    });
  }

  /** The figures that the chip would have, what follows from them, and the link that sets them. */
  private renderFigures(
    operations: OperationsModule,
    machine: Machine,
    chip: InputGroup,
  ): TemplateResult | typeof nothing {
    const { ctx } = this;
    const words = this.words.machine;
    const { present, description } = ctx;
    const { figures, unlike } = figuresOf(operations, chip, machine);
    const warning = unlike
      ? html`<p class="message" data-message="unlike">
          ${ctx.fill(words.unlike, { chip: ctx.called('chip') })}
        </p>`
      : nothing;
    const [first] = figures;
    if (!first) return warning;
    const set = figures.every(([id, value]) => isClose(Number(present.value(id)), value));
    const withFigures = (state: State): State =>
      figures.reduce((so, [id, value]) => withField(description, so, id, value), state);
    return html`${warning}
      <p>${set ? words.set : words.would}</p>
      <ul class="figures">
        ${figures.map(
          ([id, value]) =>
            html`<li data-figure=${id}>
              ${ctx.fill(set ? words.figureSet : words.figure, {
                field: ctx.label(id),
                value: ctx.say(id, value),
                present: ctx.say(id, present.value(id)),
              })}
            </li>`,
        )}
      </ul>
      ${set ? nothing : this.renderPredictions(withFigures(this.subject.fixed(ctx)))}
      ${
        set
          ? nothing
          : html`<p>
                <a data-use href="#${writeAddress(description, withFigures(present.state))}"
                  >${words.use}</a
                >
              </p>
              <p class="note">${words.bounds}</p>`
      }`;
  }

  /** The answers with the machine's figures, beside those that are shown. */
  private renderPredictions(state: State): TemplateResult | typeof nothing {
    const { ctx, subject } = this;
    const answers = (of: State) => {
      const reply = evaluate(ctx.engine, of);
      return reply.ok ? reply.answers : {};
    };
    const [now, then] = [answers(subject.fixed(ctx)), answers(state)];
    const rows = Object.entries(subject.answers).flatMap(([measure, key]) => {
      const [before, after] = [now[key], then[key]];
      if (typeof before !== 'number' || typeof after !== 'number') return [];
      const collection = subject.own
        .map((as) => subject.collectionOf(ctx, as))
        .find((each) => each.measure === measure)!;
      const say = (value: number): string => ctx.format.say(value, collection.unit);
      return [{ key, before: say(before), after: say(after) }];
    });
    return rows.length === 0
      ? nothing
      : html`<ul>
          ${rows.map(
            ({ key, before, after }) =>
              html`<li data-then=${key}>
                ${ctx.fill(this.words.machine.then, {
                  answer: ctx.answer(key).label,
                  before,
                  after,
                })}
              </li>`,
          )}
        </ul>`;
  }
}

/** The reader's machine beside the chip's figures. */
export function machinePart(
  ctx: RenderContext,
  words: EvidenceWords,
  subject: Subject,
): TemplateResult {
  define('scaling-machine', MachinePart);
  return html`<scaling-machine .ctx=${ctx} .words=${words} .subject=${subject}></scaling-machine>`;
}
