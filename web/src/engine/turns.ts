// Targets as modules have them: encoded, and what they find as objects.

import type { RawInput, RawIssue } from './core.ts';
import { answerOf, nameOf } from './sampling.ts';
import type {
  Description,
  FieldValue,
  QuestionName,
  Solution,
  SolvingSteps,
  Target,
  Turn,
} from './types.ts';

/** A view in it lies in the module's memory and holds until the next call. */
export interface RawSolution {
  issues?: RawIssue[];
  absence: number;
  met: boolean;
  turns: Float64Array;
}

/** What begins to solve a target, and goes on. */
export interface RawSolving {
  startTarget(
    input: RawInput,
    answer: number,
    wanted: number,
    value: number,
    ...given: readonly number[]
  ): RawSolution;
  advanceTarget(count: number): { done: boolean; turns: Float64Array };
}

/** In the module's order. */
const wants: readonly Target['wanted'][] = ['atMost', 'atLeast', 'is'];
const effects: readonly Turn['effect'][] = ['meets', 'fallsShort', 'none'];
/** Numbers of a turn. */
const width = 6;

type EncodedTarget = [answer: number, wanted: number, value: number];

/** The place of a target's answer, what is wanted of it, and its number. */
export function encodeTarget(
  description: Description,
  question: QuestionName,
  { answer, wanted, value }: Target,
): EncodedTarget {
  const place = answerOf(description, question, answer);
  const info = description.questions[question].answers[place]!;
  const ofChoice = info.kind === 'choice';
  const number = ofChoice ? info.choices.indexOf(value as string) : Number(value);
  const want = wants.indexOf(wanted);
  if (want < 0 || (wanted === 'is') !== ofChoice || (ofChoice && number < 0)) {
    throw new RangeError(`no target for ${answer}: ${nameOf(wanted)} ${nameOf(value)}`);
  }
  return [place, want, number];
}

function readTurns(
  description: Description,
  question: QuestionName,
  target: number,
  turns: Float64Array,
): Turn[] {
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
}

export const readSolution = (
  description: Description,
  question: QuestionName,
  target: number,
  { absence, met, turns }: RawSolution,
): Solution => ({
  absent: absence > 0 ? description.absences[absence - 1]! : null,
  met,
  turns: readTurns(description, question, target, turns),
});

/** Whose the target in a module is. */
const latest = new WeakMap<RawSolving, object>();

/** The steps of the target in a module, which has room for one: a later one ends it. */
export function solvingSteps(
  module: RawSolving,
  description: Description,
  question: QuestionName,
  target: number,
): SolvingSteps {
  const own = {};
  latest.set(module, own);
  let known: Turn[] = [];
  return {
    advance: (count) => {
      if (own !== latest.get(module)) return { done: true, turns: known };
      const { done, turns } = module.advanceTarget(count);
      known = readTurns(description, question, target, turns);
      return { done, turns: known };
    },
  };
}
