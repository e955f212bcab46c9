// The engine over the core's module.

import { makeAsking } from './asking.ts';
import type { Core, RawRoofs } from './core.ts';
import { Lazy } from './lazy.ts';
import { answerOf, nameOf, placeOf, sampleAlong, sampleOver } from './sampling.ts';
import type {
  Axis,
  CoreQuestion,
  Derivations,
  Description,
  Engine,
  MemoryLevel,
  Planner,
} from './types.ts';

/** How the modules that not everybody needs are come by. */
export interface Modules {
  derivations(description: Description): Promise<Derivations>;
  planner(description: Description): Promise<Planner>;
}

export function makeEngine(core: Core, modules: Modules): Engine {
  const derivations = new Lazy(() => modules.derivations(description));
  const planner = new Lazy(() => modules.planner(description));
  const description = freeze(core.describe());
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
  const callsOf = (question: CoreQuestion): (typeof calls)[CoreQuestion] => {
    if (!Object.hasOwn(calls, question)) {
      throw new RangeError(`the core does not answer ${nameOf(question)}`);
    }
    return calls[question];
  };

  const sweep = (
    question: CoreQuestion,
    input: unknown,
    axis: Axis,
    answers: readonly string[],
  ): object =>
    take(question, input, (raw) => ({
      series: sampleAlong(core, description, question, callsOf(question).sweep, raw, axis, answers),
    }));

  const map = (question: CoreQuestion, input: unknown, x: Axis, y: Axis, key: string): object =>
    take(question, input, (raw) =>
      sampleOver(core, description, question, callsOf(question).map, raw, x, y, key),
    );

  const crossings = (
    question: CoreQuestion,
    input: unknown,
    { field: id, from, to }: { field: string; from: number; to: number },
    key: string,
  ): object => {
    const { group, field } = placeOf(description, question, id);
    const index = answerOf(description, question, key);
    const names = description.questions[question].answers[index]!.choices;
    return take(question, input, (raw) => {
      const found = callsOf(question).crossings(raw, group, field, from, to, index);
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
    estimate: (input) => answer('training', input, calls.training.estimate),
    roofline: (input) => answer('operation', input, calls.operation.estimate),
    collective: (input) => answer('collective', input, calls.collective.estimate),
    sweep,
    map,
    crossings,
    roofs,
    schedule,
    derivations: () => derivations.get(),
    planner: () => planner.get(),
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
export function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) freeze(part);
  }
  return Object.freeze(value);
}
