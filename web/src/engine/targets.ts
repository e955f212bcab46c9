// Questions asked backward, and what a budget trains.

import start from '@core/targets.js';
import packed from '@core/targets.wasm?packed';
import { makeAsking } from './asking.ts';
import type { RawExplanation, RawInput, RawIssue, RawOutcome } from './core.ts';
import { choicesOf, readDerivation } from './derivation.ts';
import type { BudgetAnswers } from './generated.ts';
import { freeze } from './freeze.ts';
import { started } from './unpack.ts';
import { Lazy } from './lazy.ts';
import { answerOf, nameOf, placeOf } from './sampling.ts';
import type {
  Description,
  FieldValue,
  Outcome,
  Solution,
  Target,
  TargetQuestion,
  TargetsModule,
  Turn,
} from './types.ts';

/** A view in it lies in the module's memory and holds until the next call. */
interface RawSolution {
  issues?: RawIssue[];
  absence: number;
  met: boolean;
  turns: Float64Array;
}

type Solve = (input: RawInput, answer: number, wanted: number, value: number) => RawSolution;
type Explain = (
  input: RawInput,
  answer: number,
  group: number,
  field: number,
  value: number,
) => RawExplanation;

/** The module as the binding exports it. */
interface Module {
  /** Of budgets alone. */
  describe(): Description;
  estimate(input: RawInput): RawOutcome;
  budget(input: RawInput, answer: number): RawExplanation;
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

/** In the module's order. */
const wants: readonly Target['wanted'][] = ['atMost', 'atLeast', 'is'];
const effects: readonly Turn['effect'][] = ['meets', 'fallsShort', 'none'];
/** Numbers of a turn. */
const width = 6;

/** `known`: of the questions that are asked backward, besides budgets. */
export async function startTargets(known: Description): Promise<TargetsModule> {
  const module = await targetsModule.get();
  const own = freeze(module.describe());
  const description: Description = {
    ...known,
    groups: { ...known.groups, ...own.groups },
    questions: { ...known.questions, ...own.questions },
  };
  const { answer, take } = makeAsking(description);
  const choices = choicesOf(description);
  const calls = {
    training: [module.solveTraining, module.explainTraining],
    operation: [module.solveOperation, module.explainOperation],
    collective: [module.solveCollective, module.explainCollective],
    budget: [module.solveBudget, module.explainBudget],
  } as const;
  const callsOf = (question: TargetQuestion): readonly [Solve, Explain] => {
    if (Object.hasOwn(calls, question)) return calls[question];
    throw new RangeError(`${nameOf(question)} is not asked backward here`);
  };

  /** The place of a target's answer, what is wanted of it, and its number. */
  const encoded = (
    question: TargetQuestion,
    { answer, wanted, value }: Target,
  ): [answer: number, wanted: number, value: number] => {
    const place = answerOf(description, question, answer);
    const info = description.questions[question].answers[place]!;
    const ofChoice = info.kind === 'choice';
    const number = ofChoice ? info.choices.indexOf(value as string) : Number(value);
    const want = wants.indexOf(wanted);
    if (want < 0 || (wanted === 'is') !== ofChoice || (ofChoice && number < 0)) {
      throw new RangeError(`no target for ${answer}: ${nameOf(wanted)} ${nameOf(value)}`);
    }
    return [place, want, number];
  };

  const readTurns = (question: TargetQuestion, target: number, turns: Float64Array): Turn[] => {
    const { groups, answers } = description.questions[question];
    const names = answers[target]!.choices;
    return Array.from({ length: turns.length / width }, (_, row) => {
      const [group, key, effect, value, slices, reached] = turns.subarray(
        row * width,
        (row + 1) * width,
      ) as unknown as [number, number, number, number, number, number];
      const name = groups[group]!;
      const field = description.groups[name][key]!;
      const values: Record<string, () => FieldValue> = {
        choice: () => field.choices[value]!,
        flag: () => value !== 0,
      };
      const turn: Turn = {
        field: `${name}.${field.key}`,
        effect: effects[effect]!,
        value: values[field.kind]?.() ?? value,
        reached: names[reached] ?? reached,
      };
      return slices > 0 ? { ...turn, slices } : turn;
    });
  };

  return {
    describe: () => own,
    estimate: (input) =>
      answer('budget', input, (raw) => module.estimate(raw)) as Outcome<BudgetAnswers>,
    solve: (question, input, target) => {
      const [solve] = callsOf(question);
      const asked = encoded(question, target);
      const told = take(question, input, (raw) => solve(raw, ...asked));
      if (!told.ok) return told;
      const solution: Solution = {
        absent: told.absence > 0 ? description.absences[told.absence - 1]! : null,
        met: told.met,
        turns: readTurns(question, asked[0], told.turns),
      };
      return { ok: true, ...solution };
    },
    explainTurn: (question, input, target, id) => {
      const [, explain] = callsOf(question);
      const [place, , value] = encoded(question, target);
      const { group, field } = placeOf(description, question, id);
      const told = take(question, input, (raw) => explain(raw, place, group, field, value));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(id, told.root, told.nodes, choices) };
    },
    explain: (question, input, key) => {
      if (question !== 'budget') throw new RangeError(`${nameOf(question)} is not explained here`);
      const index = answerOf(description, 'budget', key);
      const told = take('budget', input, (raw) => module.budget(raw, index));
      if (!told.ok) return told;
      return { ok: true, derivation: readDerivation(key, told.root, told.nodes, choices) };
    },
  };
}
