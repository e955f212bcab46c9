// The engine: the only part of the page that knows the wasm module, and a library of its own
// (dist/engine.js). Runs in pages, workers and Node.

import {
  startCore,
  type Core,
  type RawInput,
  type RawIssue,
  type RawOutcome,
  type RawRoofs,
} from './core.ts';
import { readDerivation } from './derivation.ts';
import { encodeInput } from './input.ts';
import { answerOf, placeOf, sampleAlong, sampleOver } from './sampling.ts';
import type {
  AnswerInfo,
  Axis,
  Description,
  Engine,
  Explanation,
  Issue,
  MemoryLevel,
  Outcome,
  QuestionName,
} from './types.ts';
import type { Absence } from './generated.ts';

export type * from './generated.ts';
export type * from './types.ts';

type Answer = number | string | Absence;

let engine: Promise<Engine> | undefined;

/** Starts the engine; further calls give the same one. Rejects where WebAssembly is not allowed. */
export function createEngine(): Promise<Engine> {
  engine ??= startCore().then(makeEngine);
  return engine;
}

function makeEngine(core: Core): Engine {
  const description = freeze(core.describe());
  const calls = {
    training: {
      estimate: core.estimateTraining,
      explain: core.explainTraining,
      sweep: core.sweepTraining,
      map: core.mapTraining,
      crossings: core.crossingsTraining,
    },
    operation: {
      estimate: core.estimateOperation,
      explain: core.explainOperation,
      sweep: core.sweepOperation,
      map: core.mapOperation,
      crossings: core.crossingsOperation,
    },
    collective: {
      estimate: core.estimateCollective,
      explain: core.explainCollective,
      sweep: core.sweepCollective,
      map: core.mapCollective,
      crossings: core.crossingsCollective,
    },
  };
  const choices = new Map(
    Object.values(description.questions)
      .flatMap(({ answers }) => answers)
      .filter((answer) => answer.kind === 'choice')
      .map((answer) => [answer.key, answer.choices]),
  );

  /** Asks the core. What is wrong comes back in one list, whoever found it. */
  const put = <Reply extends { issues?: RawIssue[] }>(
    question: QuestionName,
    input: unknown,
    call: (raw: RawInput) => Reply,
  ): { reply: Reply; issues: Issue[] } => {
    const issues: Issue[] = [];
    const { groups } = description.questions[question];
    const reply = call(encodeInput(groups, description.groups, input, issues));
    // Of a field or group that could not even be read, the core has nothing to add.
    const told = new Set(issues.map(({ field }) => field));
    const others = (reply.issues ?? [])
      .filter(({ group, key }) => !told.has(group) && !told.has(`${group}.${key}`))
      .map(readIssue);
    return { reply, issues: [...issues, ...others] };
  };

  const answer = (question: QuestionName, input: unknown): Outcome<Record<string, Answer>> => {
    const { reply, issues } = put(question, input, calls[question].estimate);
    if (issues.length > 0) return { ok: false, issues };
    return {
      ok: true,
      answers: readAnswers(description, description.questions[question].answers, reply),
      notices: (reply.notices ?? []).map(readIssue),
    };
  };

  const explain = (question: QuestionName, input: unknown, key: string): Explanation => {
    const index = description.questions[question].answers.findIndex((info) => info.key === key);
    const { reply, issues } = put(question, input, (raw) => calls[question].explain(raw, index));
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, derivation: readDerivation(key, reply.root, reply.nodes, choices) };
  };

  /** What `ask` makes of the encoded input, or why it could not be encoded. */
  const take = <T extends object>(
    question: QuestionName,
    input: unknown,
    ask: (raw: RawInput) => T & { issues?: RawIssue[] },
  ): ({ ok: true } & T) | { ok: false; issues: Issue[] } => {
    const { reply, issues } = put(question, input, ask);
    return issues.length > 0 ? { ok: false, issues } : { ok: true, ...reply };
  };

  const sweep = (
    question: QuestionName,
    input: unknown,
    axis: Axis,
    answers: readonly string[],
  ): object =>
    take(question, input, (raw) => ({
      series: sampleAlong(core, description, question, calls[question].sweep, raw, axis, answers),
    }));

  const map = (question: QuestionName, input: unknown, x: Axis, y: Axis, key: string): object =>
    take(question, input, (raw) =>
      sampleOver(core, description, question, calls[question].map, raw, x, y, key),
    );

  const crossings = (
    question: QuestionName,
    input: unknown,
    { field: id, from, to }: { field: string; from: number; to: number },
    key: string,
  ): object => {
    const { group, field } = placeOf(description, question, id);
    const index = answerOf(description, question, key);
    const names = description.questions[question].answers[index]!.choices;
    return take(question, input, (raw) => {
      const found = calls[question].crossings(raw, group, field, from, to, index);
      const list = [];
      for (let i = 0; i < found.length; i += 3) {
        list.push({
          at: found[i]!,
          before: names[found[i + 1]!]!,
          after: names[found[i + 2]!]!,
        });
      }
      return { crossings: list };
    });
  };

  const roofs = (input: unknown): object =>
    take('collective', input, (raw) => {
      const reply = core.roofs(raw);
      return reply.issues ? (reply as never) : readRoofs(reply);
    });

  const schedule = (input: unknown): object =>
    take('collective', input, (raw) => {
      const reply = core.schedule(raw);
      return reply.issues ? reply : { ...reply, holds: reply.holds.slice() };
    });

  return {
    describe: () => description,
    estimate: (input) => answer('training', input),
    roofline: (input) => answer('operation', input),
    collective: (input) => answer('collective', input),
    explain,
    sweep,
    map,
    crossings,
    roofs,
    schedule,
  } as Engine;
}

/** In the core's order; the last peak is that of the vector units. */
const formats = ['fp32', 'bf16', 'fp16', 'fp8', 'int8', 'fp4', 'int4', 'tf32', 'vector'];
const levels: MemoryLevel[] = ['hbm', 'onChip', 'host', 'network'];

function readRoofs({ peaks, slopes, ridges }: RawRoofs): {
  peaks: { format: string; rate: number }[];
  slopes: { level: MemoryLevel; bandwidth: number }[];
  ridges: number[][];
} {
  const listed = (figures: Float64Array): number[] =>
    [...figures.keys()].filter((index) => figures[index]! > 0);
  const rows = listed(peaks);
  const columns = listed(slopes);
  return {
    peaks: rows.map((row) => ({ format: formats[row]!, rate: peaks[row]! })),
    slopes: columns.map((column) => ({ level: levels[column]!, bandwidth: slopes[column]! })),
    ridges: rows.map((row) => columns.map((column) => ridges[row * slopes.length + column]!)),
  };
}

/** All callers share one description. */
function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) freeze(part);
  }
  return Object.freeze(value);
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
