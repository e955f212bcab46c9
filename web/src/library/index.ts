// The package: the engine with its presets, and all that it describes in words.

import words from 'virtual:words';
import type { WholeDescription } from '../engine/described.ts';
import { createEngine as createBareEngine } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import type {
  AnswersOf,
  BudgetAnswers,
  CollectiveAnswers,
  GroupName,
  OperationAnswers,
  PlanAnswers,
  RewardAnswers,
  ServingAnswers,
  TrainingAnswers,
} from '../engine/generated.ts';
import type {
  ChosenLayout,
  Engine,
  FieldValue,
  Inputs,
  Issue,
  OperationsModule,
  Outcome,
  QuestionName,
  SearchLimit,
  ServingDivision,
} from '../engine/types.ts';
import { withWays } from '../engine/serving-ways.ts';
import { mfuWithFailures, runAt, runnable, type Reply } from '../model/evaluate.ts';
import type { InputGroups } from '../model/state.ts';
import { inWords } from './describe.ts';
import type { LaunchedBy, ReadLaunch, WrittenLaunch } from './launch-types.ts';
import { questionOf, read, written } from './launches.ts';
import {
  allPresets,
  filled,
  isObject,
  type Filled,
  type GivenInput,
  type Preset,
} from './presets.ts';

export type * from '../engine/described.ts';
export type * from '../engine/generated.ts';
export type * from '../engine/types.ts';
export { schemaOf } from '../engine/schema.ts';
export type { Schema, SchemaOptions } from '../engine/schema.ts';
export type { Filled, GivenInput, Preset } from './presets.ts';
export type { LaunchedBy, ReadLaunch, WrittenLaunch } from './launch-types.ts';

const presets = allPresets();
/** The chips that there are figures of. */
export const chips: readonly Preset[] = presets.chips;
/** The models that there is an architecture of. */
export const models: readonly Preset[] = presets.models;

/** The languages that describe fields and answers. */
export const languages: readonly string[] = Object.keys(words);

/** An answer to a plan, with its layout. */
export type PlanOutcome = Outcome<PlanAnswers> & {
  /** The layout that was searched; undefined where it was given. */
  layout?: ChosenLayout;
  /** The limits that kept the search from going through all layouts. */
  leftOut?: readonly SearchLimit[];
};

/** The groups of a budget, and those of the plan that it may be counted at. */
export type GivenBudget = GivenInput<'budget'> & Partial<GivenInput<'plan'>>;

/** An answer to a budget, with the layout that was searched for it. */
export type BudgetOutcome = Outcome<BudgetAnswers> & { layout?: ChosenLayout };

/** An answer to serving, with the ways by which the chips are divided. */
export type ServingOutcome = Outcome<ServingAnswers> & { division?: ServingDivision };

/** The engine with presets, and with all that it describes in words. Inputs may name presets. */
export interface PackagedEngine extends Omit<
  Engine & OperationsModule,
  'describe' | 'estimate' | 'roofline' | 'collective' | 'budget'
> {
  /** All fields, answers, presets and codes, with names and sentences in one of `languages`; English
   *  if none is named. */
  describe(language?: string): WholeDescription;
  /** The view of trainings: time, memory and cost. */
  estimate(input: GivenInput<'training'>): Outcome<TrainingAnswers>;
  /** The bound of one operation on a chip, or on several. */
  roofline(input: GivenInput<'operation'>): Outcome<OperationAnswers>;
  /** The time of a collective. */
  collective(input: GivenInput<'collective'>): Outcome<CollectiveAnswers>;
  /** The training that a sum of money, or days on the run's chips, can pay for: at the MFU that the
   *  best layout reaches with failures; counted by the book, at `run.mfu` and without. */
  budget(input: GivenBudget, options?: { counting?: 'predicted' | 'book' }): BudgetOutcome;
  /** The step of a layout; without one, that of the best layout, which is searched to the end. */
  plan(input: GivenInput<'plan'>): PlanOutcome;
  /** Servers under a load; ways that the input leaves out are chosen. */
  serve(input: GivenInput<'serving'>): ServingOutcome;
  /** A step of training by reward; splits, ways and layouts that the input leaves out are chosen. */
  trainByReward(input: GivenInput<'reward'>): Outcome<RewardAnswers>;
  /** The layout of a plan, or the ways of servers, as a launch of some software: as in the input, or
   *  the best. */
  flags(
    software: LaunchedBy,
    input: GivenInput<'plan'> | GivenInput<'serving'>,
  ): Promise<WrittenLaunch | { ok: false; issues: Issue[] }>;
  /** What a command, a script or settings ask, as an input. */
  fromFlags(text: string): Promise<ReadLaunch | { ok: false; issues: Issue[] }>;
  /** The input as the engine takes it, with presets in place of their ids. */
  filled<Q extends QuestionName>(question: Q, input: GivenInput<Q>): Filled<Q>;
}

/** Layouts that a search costs in one go. */
const atOnce = 1 << 16;

const engine = new Lazy(async (): Promise<PackagedEngine> => {
  const made = await createBareEngine();
  const [operations, planner, serving, byReward] = await Promise.all([
    made.operations(),
    made.planner(),
    made.serving(),
    made.reward(),
  ]);
  const description = made.describe();
  const asked = <Q extends QuestionName, T extends Outcome<AnswersOf[Q]>>(
    question: Q,
    given: GivenInput<Q>,
    ask: (input: Inputs[Q]) => T | { ok: false; issues: Issue[] },
  ): T => {
    const told = filled(description, question, given);
    return (told.ok ? ask(told.input) : told) as T;
  };
  /** An input without the groups that the other question alone has. */
  const apart = <Q extends QuestionName>(given: object, question: Q, other: QuestionName) => {
    const [own, others] = [question, other].map((each) => description.questions[each].groups);
    const isOther = (key: string): boolean =>
      others!.includes(key as GroupName) && !own!.includes(key as GroupName);
    return Object.fromEntries(
      Object.entries(given).filter(([key]) => !isOther(key)),
    ) as GivenInput<Q>;
  };
  const packaged: PackagedEngine = {
    ...made,
    ...operations,
    describe: (language) => inWords(description, language),
    estimate: (input) => asked('training', input, made.estimate),
    roofline: (input) => asked('operation', input, operations.roofline),
    collective: (input) => asked('collective', input, operations.collective),
    budget: (given, { counting = 'predicted' } = {}) => {
      // The engine refuses what is no input.
      const own: typeof given = isObject(given) ? apart(given, 'budget', 'plan') : given;
      if (counting === 'book' || !isObject(given)) return asked('budget', own, made.budget);
      const wanted = apart(given, 'plan', 'budget');
      const told = filled(description, 'plan', wanted);
      const plan = told.ok ? packaged.plan(wanted) : told;
      const ran = runnable(plan as Reply);
      if (!told.ok || !plan.ok || !ran.ok) return ran as { ok: false; issues: Issue[] };
      const { layout } = plan;
      const groups = { run: told.input.run, layout: { ...told.input.layout, ...layout } };
      const run = runAt(groups as InputGroups, mfuWithFailures(ran.answers));
      const answered = asked('budget', { ...own, run }, made.budget);
      return { ...answered, ...(layout && { layout }) };
    },
    plan: (given) =>
      asked<'plan', PlanOutcome>('plan', given, (input) => {
        if (given.layout !== undefined) return planner.estimate(input);
        const started = planner.search(input);
        if (!started.ok) return started;
        const { search } = started;
        let progress = search.advance(atOnce);
        while (!progress.done) progress = search.advance(atOnce);
        const chosen = search.chosen();
        search.end();
        const { leftOut } = progress;
        if (!chosen) return { ...planner.estimate(input), leftOut };
        const { layout } = chosen;
        const answered = planner.estimate({ ...input, layout: { ...input.layout, ...layout } });
        return { ...answered, layout, leftOut };
      }),
    serve: (given) =>
      asked<'serving', ServingOutcome>('serving', given, (input) => {
        const divided = serving.divide(input);
        if (!divided.ok) return { ok: false, issues: divided.issues };
        const division = { serving: divided.serving, server: divided.server };
        return { ...serving.estimate(withWays(input, division)), division };
      }),
    trainByReward: (given) => asked('reward', given, byReward.estimate),
    flags: async (software, input) => {
      const question = questionOf(software);
      const told = filled(description, question, input as never);
      if (!told.ok) return told;
      const answered =
        question === 'plan'
          ? packaged.plan(input as GivenInput<'plan'>)
          : packaged.serve(input as GivenInput<'serving'>);
      if (!answered.ok) return answered;
      const groups = told.input as Record<string, Record<string, FieldValue> | undefined>;
      const { layout, division } = answered as PlanOutcome & ServingOutcome;
      const chosen = {
        ...groups,
        ...(layout && { layout: { ...groups['layout'], ...layout } }),
        ...(division && {
          serving: { ...groups['serving'], ...division.serving },
          server: { ...groups['server'], ...division.server },
        }),
      };
      return written(description, software, chosen as never, input.model, answered.answers);
    },
    fromFlags: (text) => read(description, text),
    filled: (question, input) => filled(description, question, input),
  };
  return packaged;
});

/** Starts the engine; further calls give the same one. Rejects where WebAssembly is not allowed. */
export const createEngine = (): Promise<PackagedEngine> => engine.get();
