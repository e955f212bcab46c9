// Encodes questions to a module and decodes its replies, alike for the core and the planner.

import type { Asked, RawIssue, RawOutcome } from './core.ts';
import type { Absence } from './generated.ts';
import { encodeInput, writeInput } from './input.ts';
import type { AnswerInfo, Description, Issue, Outcome, QuestionName } from './types.ts';

type Answer = number | string | Absence;
export type Answers = Record<string, Answer>;

/** A module's reply, or the issues that prevent it. */
type Told<T> = ({ ok: true } & T) | { ok: false; issues: Issue[] };

export interface Asking {
  answer(
    module: Asked,
    question: QuestionName,
    input: unknown,
    call: () => RawOutcome,
  ): Outcome<Answers>;
  /** The reply of `ask` to the input, which is in the module by then, or the issues with it. */
  take<T extends object>(
    module: Asked,
    question: QuestionName,
    input: unknown,
    ask: () => T & { issues?: RawIssue[] },
  ): Told<T>;
}

/** A caller's value for a message; not every value can be converted to a string. */
export function nameOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : typeof value;
}

/** A question's groups and answers. Throws of one that there is not. */
export function questionOf(
  { questions }: Description,
  question: QuestionName,
): Description['questions'][QuestionName] {
  if (typeof question !== 'string' || !Object.hasOwn(questions, question)) {
    throw new RangeError(`there is no question ${nameOf(question)}`);
  }
  return questions[question];
}

/** A module's call for a question, by the name that the binding gives it, such as `estimateTraining`;
 *  undefined where the module has none. */
export function callOf<Call>(module: object, verb: string, question: string): Call | undefined {
  const name = verb + question.slice(0, 1).toUpperCase() + question.slice(1);
  return Object.hasOwn(module, name) ? (module as Record<string, Call>)[name] : undefined;
}

export function makeQuestionCodec(description: Description): Asking {
  /** Merges issues of the encoder and of the module into one list. */
  const put = <Reply extends { issues?: RawIssue[] }>(
    module: Asked,
    question: QuestionName,
    input: unknown,
    call: () => Reply,
  ): { reply: Reply; issues: Issue[] } => {
    const issues: Issue[] = [];
    const { groups } = questionOf(description, question);
    writeInput(module.input(), encodeInput(groups, description.groups, input, issues));
    const reply = call();
    const found = (Object.hasOwn(reply, 'issues') ? reply.issues! : []).map(readIssue);
    // A value that could not be encoded crosses as one that the module refuses if the field matters.
    const refused = new Set(found.map(({ field }) => field));
    const own = issues.filter(({ code, field }) => code === 'unknownField' || refused.has(field));
    // The module has nothing to add about a field or group that could not be encoded.
    const told = new Set(issues.map(({ field }) => field));
    const others = found.filter(({ field }) => !told.has(field) && !told.has(field.split('.')[0]!));
    return { reply, issues: [...own, ...others] };
  };

  return {
    answer: (module, question, input, call) => {
      const { reply, issues } = put(module, question, input, call);
      if (issues.length > 0) return { ok: false, issues };
      return {
        ok: true,
        answers: readAnswers(description, description.questions[question].answers, reply),
        notices: (Object.hasOwn(reply, 'notices') ? reply.notices! : []).map(readIssue),
      };
    },
    take: (module, question, input, ask) => {
      const { reply, issues } = put(module, question, input, ask);
      return issues.length > 0 ? { ok: false, issues } : { ok: true, ...reply };
    },
  };
}

function readIssue({ code, group, key, arguments: numbers }: RawIssue): Issue {
  return { code: code as Issue['code'], field: `${group}.${key}`, arguments: numbers };
}

/** Names the flat arrays. The reasons of absence are shared objects: they are never written to. */
function readAnswers(
  { absences }: Description,
  list: AnswerInfo[],
  outcome: RawOutcome,
): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  list.forEach(({ key, choices }, index) => {
    const value = outcome.values[index]!;
    const absence = outcome.absences[index]!;
    if (absence > 0) answers[key] = { absent: absences[absence - 1]! };
    else answers[key] = choices.length > 0 ? choices[value]! : value;
  });
  return answers;
}
