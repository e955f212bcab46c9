import type { AnswerInfo, BoundKind, Description, QuestionInfo } from '../../engine/index.ts';
import { boundOf, rangeOf, type Range } from '../../model/bounds.ts';
import type { Answers } from '../../model/evaluate.ts';
import type { Change } from '../../model/evaluation.ts';
import { spokenUnit } from '../../model/presentation.ts';
import type { Question } from '../../model/views.ts';
import type { Dictionary } from '../../i18n/dictionary.ts';
import type { Formatter } from '../../number/format.ts';

/** The render context with which answers are said. */
interface Speaker {
  readonly description: Description;
  readonly state: { readonly view: Question };
  readonly text: Dictionary;
  readonly format: Formatter;
  choiceOfAnswer(key: string, choice: string): string;
  hides(...answers: string[]): boolean;
}

/** The answers to one question, with what the page needs to say them. */
export class Results {
  private readonly infos: ReadonlyMap<string, AnswerInfo>;

  constructor(
    private readonly ctx: Speaker,
    readonly all: Answers,
    readonly changes: ReadonlyMap<string, Change>,
    /** Alternates with each change, which restarts the CSS animation that marks it. */
    readonly parity: boolean,
    /** The answers are of an earlier input, as the present one is not valid: none of them may be
     * shown, only where they will stand. */
    readonly stale: boolean,
  ) {
    const { description, state } = ctx;
    this.infos = new Map(description.questions[state.view].answers.map((info) => [info.key, info]));
  }

  get keys(): string[] {
    return [...this.infos.keys()];
  }

  unit(key: string): string {
    return this.infos.get(key)?.unit ?? '';
  }

  symbol(key: string): string {
    return this.infos.get(key)?.symbol ?? '';
  }

  number(key: string): number | undefined {
    const answer = this.all[key];
    return typeof answer === 'number' ? answer : undefined;
  }

  /** The number that bounds an answer in this way. */
  bound(key: string, kind: BoundKind): number | undefined {
    const bound = boundOf(this.question, key, kind);
    return bound === undefined ? undefined : this.number(bound);
  }

  sayBound(key: string, kind: BoundKind): string {
    const bound = boundOf(this.question, key, kind);
    return bound === undefined ? '' : this.say(bound);
  }

  /** The range in which most measurements lie, where it is known. */
  range(key: string): Range | undefined {
    return rangeOf(this.question, this.all, key);
  }

  /** The same in words; nothing where it is not known, or the reader is to guess. */
  sayRange(key: string): string {
    const range = this.ctx.hides(key) ? undefined : this.range(key);
    return range ? this.ctx.format.range(...range, this.spoken(key)) : '';
  }

  /** The answers that bound another. */
  bounds(key: string): string[] {
    return this.question.answers.flatMap((each) => (each.bounds?.answer === key ? [each.key] : []));
  }

  private get question(): QuestionInfo {
    return this.ctx.description.questions[this.ctx.state.view];
  }

  choice(key: string): string {
    const answer = this.all[key];
    return typeof answer === 'string' ? answer : '';
  }

  absence(key: string): string | undefined {
    const answer = this.all[key];
    return typeof answer === 'object' ? answer.absent : undefined;
  }

  /** An answer in words: `44.3 days`, `compute`, `never`; `…` while the reader is to guess. */
  say(key: string): string {
    if (this.ctx.hides(key)) return '…';
    const answer = this.all[key];
    const { text, format } = this.ctx;
    if (typeof answer === 'number') return format.say(answer, this.spoken(key));
    if (typeof answer === 'string') return this.ctx.choiceOfAnswer(key, answer);
    return (
      (text.absences as Record<string, string>)[answer?.absent ?? ''] ?? text.absences.notApplicable
    );
  }

  /** An answer in its own unit: counts in full, all else to six digits, as no model knows more. */
  exactly(key: string): string {
    const value = this.number(key);
    if (value === undefined) return '';
    const known = Number.isInteger(value) ? value : Number(value.toPrecision(6));
    return this.ctx.format.exactly(known, this.unit(key));
  }

  /** The unit in which people say it: fractions in percent, steps in seconds. */
  spoken(key: string): string {
    return spokenUnit(this.infos.get(key) ?? { unit: '' });
  }
}
