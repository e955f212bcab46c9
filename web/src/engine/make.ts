// The engine over the core's module.

import { makeAsking } from './asking.ts';
import type { Core, RawRoofs } from './core.ts';
import { freeze } from './freeze.ts';
import type { Kernels } from './kernel-rates.ts';
import { Lazy } from './lazy.ts';
import { answerOf, nameOf, placeOf, questionOf, sampleAlong, sampleOver } from './sampling.ts';
import type {
  Axis,
  CoreQuestion,
  Derivations,
  Description,
  Engine,
  MemoryLevel,
  Planner,
  QuestionName,
  ServingModule,
  TargetsModule,
} from './types.ts';

/** The questions that one module of derivations explains. */
type DerivationsOf = 'core' | Exclude<QuestionName, CoreQuestion>;

const coreQuestions: readonly string[] = ['training', 'operation', 'collective'];
/** That of `all` which explains a question. */
function explainer<M>(all: Record<DerivationsOf, M>, question: QuestionName): M {
  const name = coreQuestions.includes(question) ? 'core' : question;
  if (!Object.hasOwn(all, name)) throw new RangeError(`nothing explains ${nameOf(question)}`);
  return all[name as DerivationsOf];
}

/** Loads the modules that load on first use. */
export interface Modules {
  /** Derivations of the core's questions, and of those that have modules of their own. */
  derivations: Record<
    Exclude<DerivationsOf, 'budget'>,
    (description: Description) => Promise<Derivations>
  >;
  kernels(): Promise<Kernels>;
  planner(description: Description): Promise<Planner>;
  serving(): Promise<ServingModule>;
  targets(description: () => Description): Promise<TargetsModule>;
}

export function makeEngine(core: Core, modules: Modules): Engine {
  const derivations = {
    core: new Lazy(() => modules.derivations.core(description)),
    plan: new Lazy(() => modules.derivations.plan(description)),
    serving: new Lazy(async () => {
      await serving.get();
      return modules.derivations.serving(description);
    }),
    budget: new Lazy((): Promise<Derivations> => targets.get()),
  };
  const derivationsOf = async (question: QuestionName): Promise<Derivations> =>
    explainer(derivations, question).get();
  const allDerivations = async (): Promise<Derivations> => {
    const [core, plan, serving, budget] = await Promise.all([
      derivations.core.get(),
      derivations.plan.get(),
      derivations.serving.get(),
      derivations.budget.get(),
    ]);
    const all = { core, plan, serving, budget };
    return {
      explain: (question, input, key) => explainer(all, question).explain(question, input, key),
    };
  };
  const kernels = new Lazy(() => modules.kernels());
  const planner = new Lazy(() => modules.planner(description));
  // Lazy modules describe their inputs once they have loaded.
  const described = <M extends { describe(): Description }>(load: () => Promise<M>): Lazy<M> =>
    new Lazy(async () => {
      const module = await load();
      const { groups, prefixes, questions } = module.describe();
      description = freeze({
        ...description,
        groups: { ...description.groups, ...groups },
        prefixes: { ...description.prefixes, ...prefixes },
        questions: { ...description.questions, ...questions },
      });
      return module;
    });
  const serving = described(() => modules.serving());
  const targets = described(() => modules.targets(() => description));
  let description = freeze(core.describe());
  const callsOfTraining = {
    module: core,
    estimate: core.estimateTraining,
    sweep: core.sweepTraining,
    map: core.mapTraining,
    crossings: core.crossingsTraining,
  };
  /** Once the constants of kernels have loaded, their module answers for the core. */
  const calls = {
    training: () => callsOfTraining,
    operation: (module = kernels.value ?? core) => ({
      module,
      estimate: module.estimateOperation,
      sweep: module.sweepOperation,
      map: module.mapOperation,
      crossings: core.crossingsOperation,
    }),
    collective: (module = kernels.value ?? core) => ({
      module,
      estimate: module.estimateCollective,
      sweep: module.sweepCollective,
      map: module.mapCollective,
      crossings: core.crossingsCollective,
    }),
  };
  const { answer, take } = makeAsking(description);
  const callsOf = (question: CoreQuestion): ReturnType<(typeof calls)[CoreQuestion]> => {
    if (!Object.hasOwn(calls, question)) {
      throw new RangeError(`the core does not answer ${nameOf(question)}`);
    }
    return calls[question]();
  };
  type Calls = ReturnType<typeof callsOf>;
  const ask = <T extends object>(
    question: CoreQuestion,
    input: unknown,
    use: (calls: Calls) => T,
  ): object => {
    questionOf(description, question);
    const calls = callsOf(question);
    return take(calls.module, question, input, () => use(calls));
  };
  const estimate = (question: CoreQuestion, input: unknown): object => {
    const { module, estimate: call } = callsOf(question);
    return answer(module, question, input, call);
  };

  const sweep = (
    question: CoreQuestion,
    input: unknown,
    axis: Axis,
    answers: readonly string[],
  ): object =>
    ask(question, input, ({ module, sweep }) => ({
      series: sampleAlong(module, description, question, sweep, axis, answers),
    }));

  const map = (question: CoreQuestion, input: unknown, x: Axis, y: Axis, key: string): object =>
    ask(question, input, ({ module, map }) =>
      sampleOver(module, description, question, map, x, y, key),
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
    sweep,
    map,
    crossings,
    roofs,
    schedule,
    derivations: (question) => (question ? derivationsOf(question) : allDerivations()),
    kernels: async () => void (await kernels.get()),
    planner: () => planner.get(),
    serving: () => serving.get(),
    targets: () => targets.get(),
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
