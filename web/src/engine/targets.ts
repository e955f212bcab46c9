// Questions asked backward, and what a budget trains.

import start from '@core/targets.js';
import packed from '@core/targets.wasm?packed';
import { makeAsking } from './asking.ts';
import type { Asked, RawExplanation, RawOutcome } from './core.ts';
import { choicesOf, readDerivation } from './derivation.ts';
import type { BudgetAnswers } from './generated.ts';
import { freeze } from './freeze.ts';
import { started } from './unpack.ts';
import { Lazy } from './lazy.ts';
import { answerOf, nameOf, placeOf } from './sampling.ts';
import {
  encodeAnswer,
  encodeTarget,
  readSolution,
  searchTurns,
  type RawSearches,
  type RawSolution,
} from './turns.ts';
import type { Description, Outcome, TargetQuestion, TargetsModule } from './types.ts';

type Solve = (answer: number, wanted: number, value: number) => RawSolution;
type Explain = (answer: number, group: number, field: number, value: number) => RawExplanation;

/** The module as the binding exports it. */
interface Module extends RawSearches, Asked {
  /** Describes budgets alone. */
  describe(): Description;
  estimate(): RawOutcome;
  budget(answer: number): RawExplanation;
  solveTraining: Solve;
  solveOperation: Solve;
  solveCollective: Solve;
  solveBudget: Solve;
  explainTraining: Explain;
  explainOperation: Explain;
  explainCollective: Explain;
  explainBudget: Explain;
}

const targetsModule = new Lazy(async () => (await started(start, packed)) as Module);

/** The module's own description, for elements that do without the core. */
export async function describeBudgets(): Promise<Description> {
  return (await targetsModule.get()).describe();
}

/** `known`: of the questions that are asked backward, besides budgets; others may come to be known. */
export async function startTargets(known: () => Description): Promise<TargetsModule> {
  const module = await targetsModule.get();
  const own = freeze(module.describe());
  const described = (): Description => {
    const { groups, prefixes, questions, ...rest } = known();
    return {
      ...rest,
      groups: { ...groups, ...own.groups },
      prefixes: { ...prefixes, ...own.prefixes },
      questions: { ...questions, ...own.questions },
    };
  };
  const description = described();
  const { answer, take } = makeAsking(description);
  const choices = choicesOf(description);
  const calls = {
    training: [module.solveTraining, module.explainTraining],
    operation: [module.solveOperation, module.explainOperation],
    collective: [module.solveCollective, module.explainCollective],
    budget: [module.solveBudget, module.explainBudget],
  } as const;
  const searches = { plan: module.startPlanTurns, serving: module.startServingTurns } as const;
  const callsOf = (question: TargetQuestion): readonly [Solve, Explain] => {
    if (Object.hasOwn(calls, question)) return calls[question];
    throw new RangeError(`${nameOf(question)} is not asked backward here`);
  };

  return {
    describe: () => own,
    estimate: (input) =>
      answer(module, 'budget', input, () => module.estimate()) as Outcome<BudgetAnswers>,
    solve: (question, input, target) => {
      const [solve] = callsOf(question);
      const asked = encodeTarget(description, question, target);
      const told = take(module, question, input, () => solve(...asked));
      if (!told.ok) return told;
      return { ok: true, ...readSolution(description, question, asked[0], told) };
    },
    search: (question, input, target, now) => {
      if (!Object.hasOwn(searches, question)) {
        throw new RangeError(`${nameOf(question)} is not searched`);
      }
      const description = described();
      const { take } = makeAsking(description);
      const [place, ...wish] = encodeTarget(description, question, target);
      const { choices } = description.questions[question].answers[place]!;
      const answered = encodeAnswer(target, choices, now);
      const begin = searches[question];
      return searchTurns(
        module,
        (index) => {
          const told = take(module, question, input, () => ({
            state: begin(index, ...wish, answered),
          }));
          return told.ok ? told.state : null;
        },
        description,
        question,
        target,
      );
    },
    isMet: (question, target, answer) => {
      const description = described();
      const [place, ...wish] = encodeTarget(description, question, target);
      const { choices } = description.questions[question].answers[place]!;
      return module.isMet(...wish, encodeAnswer(target, choices, answer));
    },
    explainTurn: (question, input, target, id) => {
      const [, explain] = callsOf(question);
      const [place, , value] = encodeTarget(description, question, target);
      const { group, field } = placeOf(description, question, id);
      const told = take(module, question, input, () => explain(place, group, field, value));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(id, told.root, told.nodes, choices) };
    },
    explain: (question, input, key) => {
      if (question !== 'budget') throw new RangeError(`${nameOf(question)} is not explained here`);
      const index = answerOf(description, 'budget', key);
      const told = take(module, 'budget', input, () => module.budget(index));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(key, told.root, told.nodes, choices) };
    },
  };
}
