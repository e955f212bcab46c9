// The engine over the core's module.

import { makeAsking } from './asking.ts';
import type { Core, RawRoofs } from './core.ts';
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
} from './types.ts';

/** Loads the modules that load on first use. */
export type Modules = {
  [Name in keyof LaterModules]: (description: Description) => Promise<LaterModules[Name]>;
};
type Load = (description: Description) => Promise<unknown>;

export function makeEngine(core: Core, modules: Modules): Engine {
  const description = freeze(core.describe());
  const later = Object.entries(modules as Record<string, Load>).map(
    ([name, load]) => [name, new Lazy(() => load(description))] as const,
  );
  const calls = {
    training: {
      estimate: core.estimateTraining,
      sweep: core.sweepTraining,
      map: core.mapTraining,
      crossings: core.crossingsTraining,
    },
    operation: {
      estimate: core.estimateOperation,
      sweep: core.sweepOperation,
      map: core.mapOperation,
      crossings: core.crossingsOperation,
    },
    collective: {
      estimate: core.estimateCollective,
      sweep: core.sweepCollective,
      map: core.mapCollective,
      crossings: core.crossingsCollective,
    },
  };
  const { answer, take } = makeAsking(description);
  type Calls = (typeof calls)[CoreQuestion];
  const callsOf = (question: CoreQuestion): Calls => {
    if (!Object.hasOwn(calls, question)) {
      throw new RangeError(`the core does not answer ${nameOf(question)}`);
    }
    return calls[question];
  };
  const ask = <T extends object>(
    question: CoreQuestion,
    input: unknown,
    use: (calls: Calls) => T,
  ): object => {
    questionOf(description, question);
    const found = callsOf(question);
    return take(core, question, input, () => use(found));
  };
  const estimate = (question: CoreQuestion, input: unknown): object =>
    answer(core, question, input, callsOf(question).estimate);

  const sweep = (
    question: CoreQuestion,
    input: unknown,
    axis: Axis,
    answers: readonly string[],
  ): object =>
    ask(question, input, ({ sweep }) => ({
      series: sampleAlong(core, description, question, sweep, axis, answers),
    }));

  const map = (question: CoreQuestion, input: unknown, x: Axis, y: Axis, key: string): object =>
    ask(question, input, ({ map }) => sampleOver(core, description, question, map, x, y, key));

  const crossings = (
    question: CoreQuestion,
    input: unknown,
    { field: id, from, to }: { field: string; from: number; to: number },
    key: string,
  ): object => {
    const { group, field } = placeOf(description, question, id);
    const index = answerOf(description, question, key);
    const names = description.questions[question].answers[index]!.choices;
    const find = callsOf(question).crossings;
    return take(core, question, input, () => {
      const found = find(group, field, from, to, index);
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
    budget: (input) => answer(core, 'budget', input, core.estimateBudget),
    sweep,
    map,
    crossings,
    roofs,
    schedule,
    ...Object.fromEntries(later.map(([name, module]) => [name, () => module.get()])),
    loaded: (name: string) => later.find(([each]) => each === name)?.[1].value,
  } as Engine;
}

/** Names in the core's order; the last peak is that of the vector units. */
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
