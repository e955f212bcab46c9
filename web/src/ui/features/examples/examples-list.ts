import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { define } from '../../../dom/define.ts';
import { inputMode, joined, tagOf, type Language } from '../../../i18n/language.ts';
import { writeForControl } from '../../../number/write.ts';
import {
  byChapter,
  judge,
  parseGuess,
  publishedValue,
  readExamples,
  type Words,
  type WorkedExample,
} from './worked-examples.ts';
import { evaluate, canEvaluate, type Answer } from '../../../model/evaluate.ts';
import { keeping } from '../../../compare/pinned.ts';
import type { Chapter } from '../../../model/chapters.ts';
import { spokenUnit } from '../../../model/presentation.ts';
import { disclosure } from '../../kit/disclosure.ts';
import { answeredPart, linkOf, openPart } from './quiz.ts';
import text from './examples.css?inline';
import type { RenderContext } from '../../kit/render-context.ts';
import { sheetOf } from '../../../dom/sheet.ts';
import { keepStill } from '../../kit/still.ts';
import { closeWelcome } from './welcome.ts';
import { LightElement } from '../../kit/light-element.ts';

export { readExamples };

const style = sheetOf(text);

/** The guess as typed or chosen, and its value. */
interface Guess {
  typed: string;
  value?: number | string;
  unreadable?: boolean;
}

/** Printed numbers above this are said in powers of ten. */
const longest = 1e18;

/** The worked questions by chapter. Renders into its parent's tree. */
class ExamplesList extends LightElement {
  static override sheets = [style];
  static override properties: PropertyDeclarations = {
    ctx: { attribute: false },
    guesses: { state: true },
    said: { state: true },
    words: { attribute: false },
  };

  declare ctx: RenderContext;
  /** Guesses by example. */
  declare private guesses: ReadonlyMap<string, Guess>;
  /** The announcement of the last guess to screen readers. */
  declare private said: string;
  declare words: Words;
  /** Our answers, by example. */
  private readonly answers = new Map<string, Answer | undefined>();

  constructor() {
    super();
    this.guesses = new Map();
    this.said = '';
  }

  private get examples(): WorkedExample[] {
    return readExamples(this.ctx.description);
  }

  /** The calculator's answer to the question, independent of the page's state. */
  private ours({ id, state, answer }: WorkedExample): Answer | undefined {
    if (!this.answers.has(id) && canEvaluate(this.ctx.engine, state)) {
      const reply = evaluate(this.ctx.engine, state);
      this.answers.set(id, reply.ok ? reply.answers[answer] : undefined);
    }
    return this.answers.get(id);
  }

  private isOpen = ({ id }: WorkedExample): boolean => this.ctx.open.has(openPart(id));
  private isAnswered = ({ id }: WorkedExample): boolean => this.ctx.open.has(answeredPart(id));

  // ---- what the reader does

  /** Opens a question and closes the one before: the page has one state. */
  private open(example: WorkedExample): void {
    const { actions } = this.ctx;
    const wasOpen = this.isOpen(example);
    keepStill(this.placeOf(example));
    for (const { id } of this.examples.filter(this.isOpen)) actions.toggle(openPart(id));
    if (wasOpen) return;
    closeWelcome(this.ctx);
    actions.toggle(openPart(example.id));
    this.goTo(example);
  }

  private placeOf({ id }: WorkedExample): Element | null {
    return this.querySelector(`[data-example="${id}"]`);
  }

  private goTo({ state }: WorkedExample): void {
    const { actions, state: present } = this.ctx;
    actions.go(keeping(state, present));
  }

  /** Resolves when the page has drawn the last change. */
  private async settled(): Promise<void> {
    await this.updateComplete;
    await new Promise(requestAnimationFrame);
  }

  private set(example: WorkedExample, guess: Guess): void {
    this.guesses = new Map(this.guesses).set(example.id, guess);
  }

  /** The answer above, and charts that would have told it, take their room. */
  private reveal(example: WorkedExample): void {
    keepStill(this.placeOf(example));
    if (!this.isAnswered(example)) this.ctx.actions.toggle(answeredPart(example.id));
  }

  private compare(example: WorkedExample, event: Event): void {
    event.preventDefault();
    const typed = this.guesses.get(example.id)?.typed ?? '';
    const parsed = parseGuess(typed, example, this.unitNames(example), this.ctx.text.units.time);
    if (!parsed.ok) {
      this.set(example, { typed, unreadable: true });
      return;
    }
    this.set(example, { typed, value: parsed.value });
    this.settle(example);
  }

  private choose(example: WorkedExample, choice: string): void {
    this.set(example, { typed: choice, value: choice });
    this.settle(example);
  }

  /** Shows the answer, and says it once. */
  private settle(example: WorkedExample): void {
    this.reveal(example);
    const { result, said } = this.words.words;
    this.said = this.ctx.fill(said, {
      verdict: this.verdict(example),
      here: result.here,
      answer: this.say(example, this.ours(example)),
    });
  }

  private async give(example: WorkedExample): Promise<void> {
    this.reveal(example);
    // The button that was pressed goes; what it gave is next.
    await this.settled();
    this.placeOf(example)?.querySelector<HTMLElement>('.result')?.focus({ preventScroll: true });
  }

  // ---- words

  private say(example: WorkedExample, value: Answer | undefined): string {
    const { info } = example;
    if (typeof value === 'string') return this.ctx.choiceOfAnswer(example.answer, value);
    if (typeof value !== 'number') return '';
    return this.ctx.format.say(value, spokenUnit(info));
  }

  /** Names of the answer's own unit, e.g. both of `token|tokens`. */
  private unitNames({ info }: WorkedExample): string[] {
    const names: Record<string, string> = this.ctx.text.units.names;
    return (names[info.unit] ?? info.unit).split('|').filter(Boolean).reverse();
  }

  /** The unit in which a bare number is read. */
  private unit(example: WorkedExample): string {
    const { unit } = example.published;
    const times: Record<string, string> = this.ctx.text.units.time;
    if (unit) return times[unit]?.split('|').at(-1) ?? unit;
    return this.unitNames(example)[0] ?? '';
  }

  /** The published value with its published digits. */
  private sayPublished(example: WorkedExample): string {
    const { value, printed } = example.published;
    if (printed === false) return this.words.words.notPrinted;
    if (typeof value === 'string') return this.ctx.choiceOfAnswer(example.answer, value);
    const { format, language } = this.ctx;
    const number =
      value < longest
        ? writeForControl(value, { unit: '', percent: false }, language)
        : format.count(value);
    return joined(number, this.unit(example), language);
  }

  private verdict(example: WorkedExample): string {
    const { language } = this.ctx;
    const { verdicts, asPrinted } = this.words.words;
    const guess = this.guesses.get(example.id)?.value;
    const ours = this.ours(example);
    if (typeof guess === 'string') return guess === ours ? verdicts.right : verdicts.wrong;
    if (typeof guess !== 'number' || typeof ours !== 'number') return '';
    const { kind, side, share, factor, orders } = judge(guess, ours);
    if (kind === 'exact') return verdicts.exact;
    const brief = briefly(language);
    const parts = {
      percent: brief.format(share * 100),
      factor: brief.format(factor),
      orders: String(orders),
    };
    const verdict = this.ctx.fill(verdicts[kind][side], parts, { orders });
    return isPrinted(example, guess) ? this.ctx.fill(asPrinted, { verdict }) : verdict;
  }

  // ---- drawing

  protected override render(): TemplateResult {
    const { ctx } = this;
    const { words } = this.words;
    return html`<p class="lead">${words.lead}</p>
      ${byChapter(this.examples).map(({ chapter, examples }) => {
        const done = examples.filter(this.isAnswered).length;
        return disclosure(
          ctx,
          {
            part: `examples ${chapter.id}`,
            kind: 'chapter',
            summary: html`<span class="title">${this.words.chapters[chapter.id]}</span>
              <span class="gist"
                >${ctx.fill(done > 0 ? words.done : words.count, {
                  done: String(done),
                  all: String(examples.length),
                })}</span
              >`,
          },
          () =>
            html`<ol class="questions">
              ${examples.map((example) => this.renderQuestion(chapter, example))}
            </ol>`,
        );
      })}
      <div class="hidden" role="status">${this.said}</div>`;
  }

  private renderQuestion(chapter: Chapter, example: WorkedExample): TemplateResult {
    const { id } = example;
    const open = this.isOpen(example);
    return html`<li data-example=${id}>
      <button
        type="button"
        class="ask"
        aria-expanded=${open}
        aria-controls="example-${id}"
        @click=${() => this.open(example)}
      >
        ${this.words.questions[id]?.question}
        ${
          this.isAnswered(example)
            ? html`<span class="done" aria-hidden="true">✓</span>
                <span class="hidden">${this.words.words.answered}</span>`
            : nothing
        }
      </button>
      <div class="task" id="example-${id}" ?hidden=${!open}>
        ${open ? this.renderTask(chapter, example) : nothing}
      </div>
    </li>`;
  }

  private renderTask(chapter: Chapter, example: WorkedExample): TemplateResult {
    const { words } = this.words;
    const moved = linkOf(this.ctx) !== example.link;
    return html`${
      moved
        ? html`<p class="moved">
            ${words.moved}
            <button type="button" @click=${() => this.goTo(example)}>${words.back}</button>
          </p>`
        : nothing
    }
    ${example.info.kind === 'choice' ? this.renderChoices(example) : this.renderGuess(example)}
    ${this.isAnswered(example) ? this.renderResult(chapter, example) : nothing}`;
  }

  private renderGuess(example: WorkedExample): TemplateResult {
    const { id } = example;
    const { words } = this.words;
    const guess = this.guesses.get(id);
    const unit = this.unit(example);
    return html`<form class="guess" @submit=${(event: Event) => this.compare(example, event)}>
        <label for="guess-${id}">${words.guess}</label>
        <span class="typed">
          <input
            id="guess-${id}"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            inputmode=${inputMode(this.ctx.language)}
            aria-describedby=${unit ? `unit-${id}` : nothing}
            aria-invalid=${guess?.unreadable ? 'true' : nothing}
            aria-errormessage=${guess?.unreadable ? `problem-${id}` : nothing}
            .value=${guess?.typed ?? ''}
            @input=${(event: Event) =>
              this.set(example, {
                ...(this.isAnswered(example) ? this.guesses.get(id) : {}),
                typed: (event.target as HTMLInputElement).value,
                unreadable: false,
              })}
          />
          <span class="unit" id="unit-${id}">${unit}</span>
        </span>
        <button type="submit">${words.compare}</button>
        ${this.renderGive(example)}
      </form>
      ${
        guess?.unreadable
          ? html`<p class="message" id="problem-${id}" role="alert">${words.unreadable}</p>`
          : nothing
      }`;
  }

  private renderChoices(example: WorkedExample): TemplateResult {
    const chosen = this.guesses.get(example.id)?.value;
    const { words } = this.words;
    return html`<div class="guess" role="group" aria-label=${words.guess}>
      ${example.info.choices.map(
        (choice) =>
          html`<button
            type="button"
            aria-pressed=${chosen === choice}
            @click=${() => this.choose(example, choice)}
          >
            ${this.ctx.choiceOfAnswer(example.answer, choice)}
          </button>`,
      )}
      ${this.renderGive(example)}
    </div>`;
  }

  private renderGive(example: WorkedExample): TemplateResult | typeof nothing {
    if (this.isAnswered(example)) return nothing;
    return html`<button type="button" class="give" @click=${() => void this.give(example)}>
      ${this.words.words.give}
    </button>`;
  }

  private renderResult(chapter: Chapter, example: WorkedExample): TemplateResult {
    const { format } = this.ctx;
    const { words } = this.words;
    const guess = this.guesses.get(example.id)?.value;
    const ours = this.ours(example);
    const verdict = this.verdict(example);
    const { published } = example;
    const { erratum, note } = this.words.questions[example.id] ?? {};
    return html`<div class="result" tabindex="-1">
      ${verdict ? html`<p class="verdict">${verdict}</p>` : nothing}
      <dl>
        ${
          typeof guess === 'number'
            ? html`<dt>${words.result.guess}</dt>
                <dd>${this.say(example, guess)}</dd>`
            : nothing
        }
        <dt>${words.result.here}</dt>
        <dd title=${typeof ours === 'number' ? format.exactly(ours, example.info.unit) : nothing}>
          <strong>${this.say(example, ours)}</strong>
        </dd>
        <dt>${words.result[chapter.kind]}</dt>
        <dd>
          ${this.sayPublished(example)}
          <span class="where"
            >${
              chapter.url
                ? html`<a href=${chapter.url} rel="noreferrer" target="_blank"
                    >${published.where}</a
                  >`
                : published.where
            }</span
          >
        </dd>
      </dl>
      ${
        erratum
          ? html`<p class="erratum"><strong>${words.erratum}</strong> ${erratum}</p>`
          : nothing
      }
      ${note ? html`<p class="note">${note}</p>` : nothing}
    </div>`;
  }
}

const formats = new Map<Language, Intl.NumberFormat>();

/** Two digits tell how far off a guess is. */
function briefly(language: Language): Intl.NumberFormat {
  const format =
    formats.get(language) ??
    new Intl.NumberFormat(tagOf(language), { maximumSignificantDigits: 2 });
  formats.set(language, format);
  return format;
}

/** Whether a guess is what is printed. */
function isPrinted({ published }: WorkedExample, guess: number): boolean {
  const printed = publishedValue(published);
  const told = typeof printed === 'number' && published.printed !== false;
  return told && judge(guess, printed).kind === 'exact';
}

/** The list. */
export function examplesList(ctx: RenderContext, words: Words): TemplateResult {
  define('scaling-examples', ExamplesList);
  return html`<scaling-examples .ctx=${ctx} .words=${words}></scaling-examples>`;
}
