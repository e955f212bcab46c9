// The engine over the core's module.

import { callOf, makeQuestionCodec } from './asking.ts';
import type { Core, CoreCalls, RawRoofs } from './core.ts';
import { freeze } from './freeze.ts';
import { Lazy } from './lazy.ts';
import { answerOf, nameOf, placeOf, questionOf, sampleAlong, sampleOver } from './sampling.ts';
import type {
  Axis,
  CoreQuestion,
  Description,
  Engine,
  LaterModules,
  MemoryLevel,
  QuestionName,
} from './types.ts';

/** A module that loads on first use, as it is imported. */
type Import = () => Promise<{ start(description: Description): Promise<unknown> }>;

export function makeEngine(core: Core, modules: Record<keyof LaterModules, Import>): Engine {
  const description = freeze(core.describe());
  const later = Object.entries(modules).map(
    ([name, load]) => [name, new Lazy(async () => (await load()).start(description))] as const,
  );
  const { answer, take } = makeQuestionCodec(description);
  const coreCall = <Verb extends keyof CoreCalls>(verb: Verb, question: QuestionName) => {
    questionOf(description, question);
    const call = callOf<CoreCalls[Verb]>(core, verb, question);
    if (!call) throw new RangeError(`the core does not answer ${nameOf(question)}`);
    return call;
  };
  const estimate = (question: QuestionName, input: unknown): object =>
    answer(core, question, input, coreCall('estimate', question));

  const sweep = (
    question: CoreQuestion,
    input: unknown,
    axis: Axis,
    answers: readonly string[],
  ): object => {
    const call = coreCall('sweep', question);
    return take(core, question, input, () => ({
      series: sampleAlong(core, description, question, call, axis, answers),
    }));
  };

  const map = (question: CoreQuestion, input: unknown, x: Axis, y: Axis, key: string): object => {
    const call = coreCall('map', question);
    return take(core, question, input, () =>
      sampleOver(core, description, question, call, x, y, key),
    );
  };

  const crossings = (
    question: CoreQuestion,
    input: unknown,
    { field: id, from, to }: { field: string; from: number; to: number },
    key: string,
  ): object => {
    const { group, field } = placeOf(description, question, id);
    const index = answerOf(description, question, key);
    const names = description.questions[question].answers[index]!.choices;
    const find = coreCall('crossings', question);
    return take(core, question, input, () => {
      const found = find(group, field, from, to, index);
      return {
        crossings: found.map(({ at, before, after }) => ({
          at,
          before: names[before]!,
          after: names[after]!,
        })),
      };
    });
  };

  const roofs = (input: unknown): object =>
    take(core, 'collective', input, () => {
      const reply = core.roofs();
      return reply.issues ? (reply as never) : readRoofs(reply);
    });

  const schedule = (input: unknown): object =>
    take(core, 'collective', input, () => {
      const reply = core.schedule();
      return reply.issues ? reply : { ...reply, holds: reply.holds.slice() };
    });

  return {
    describe: () => description,
    estimate: (input) => estimate('training', input),
    roofline: (input) => estimate('operation', input),
    collective: (input) => estimate('collective', input),
    budget: (input) => estimate('budget', input),
    sweep,
    map,
    crossings,
    roofs,
    schedule,
    ...Object.fromEntries(later.map(([name, module]) => [name, () => module.get()])),
    loaded: (name: string) => later.find(([each]) => each === name)?.[1].value,
  } as Engine;
}

function readRoofs({ formats, levels, peaks, slopes, ridges }: RawRoofs): {
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
