// The engine: the only part of the page that knows the wasm module, and a library of its own
// (dist/engine.js). Runs in pages, workers and Node.

import { makeAsking } from './asking.ts';
import { startCore, type Core, type RawRoofs } from './core.ts';
import { answerOf, placeOf, sampleAlong, sampleOver } from './sampling.ts';
import type { Axis, CoreQuestion, Description, Engine, MemoryLevel, Planner } from './types.ts';

export type * from './generated.ts';
export type * from './types.ts';

let engine: Promise<Engine> | undefined;
let planner: Promise<Planner> | undefined;

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
  const { answer, explain, take } = makeAsking(description);

  const sweep = (
    question: CoreQuestion,
    input: unknown,
    axis: Axis,
    answers: readonly string[],
  ): object =>
    take(question, input, (raw) => ({
      series: sampleAlong(core, description, question, calls[question].sweep, raw, axis, answers),
    }));

  const map = (question: CoreQuestion, input: unknown, x: Axis, y: Axis, key: string): object =>
    take(question, input, (raw) =>
      sampleOver(core, description, question, calls[question].map, raw, x, y, key),
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
    estimate: (input) => answer('training', input, calls.training.estimate),
    roofline: (input) => answer('operation', input, calls.operation.estimate),
    collective: (input) => answer('collective', input, calls.collective.estimate),
    explain: (question: CoreQuestion, input: unknown, key: string) =>
      explain(question, input, key, calls[question].explain),
    sweep,
    map,
    crossings,
    roofs,
    schedule,
    planner: () => (planner ??= loadPlanner(description)),
  } as Engine;
}

async function loadPlanner(description: Description): Promise<Planner> {
  const { startPlanner } = await import('./planner.ts');
  return startPlanner(description);
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
