// Targets as modules have them: encoded, and what they find as objects.

import { nameOf } from './asking.ts';
import type { RawIssue } from './core.ts';
import type { GroupName } from './generated.ts';
import { rowsOf } from './rows.ts';
import { answerOf } from './sampling.ts';
import type {
  Description,
  FieldValue,
  QuestionName,
  SearchedQuestion,
  Solution,
  Target,
  TargetSearch,
  Turn,
} from './types.ts';

/** A view in it lies in the module's memory and holds until the next call. */
export interface RawSolution {
  issues?: RawIssue[];
  absence: number;
  met: boolean;
  turns: Float64Array;
}

/** What the numbers that cross stand for. */
export interface TurnNames {
  wanted: Target['wanted'][];
  effects: Turn['effect'][];
  /** The columns of a turn. */
  turn: ('group' | 'field' | 'effect' | 'value' | 'slices' | 'reached')[];
}

type EncodedTarget = [answer: number, wanted: number, value: number];

/** The place of a target's answer, what is wanted of it, and its number. */
export function encodeTarget(
  names: TurnNames,
  description: Description,
  question: QuestionName,
  target: Target,
): EncodedTarget {
  const place = answerOf(description, question, target.answer);
  const { choices } = description.questions[question].answers[place]!;
  return [place, ...encodeWish(names, target, choices)];
}

/** The index of a target's relation, and its number or the index of its choice. */
function encodeWish(
  { wanted: wants }: TurnNames,
  { answer, wanted, value }: Target,
  choices: readonly string[],
): [wanted: number, value: number] {
  const ofChoice = choices.length > 0;
  const number = ofChoice ? choices.indexOf(value as string) : Number(value);
  const want = wants.indexOf(wanted);
  if (want < 0 || (wanted === 'is') !== ofChoice || (ofChoice && number < 0)) {
    throw new RangeError(`no target for ${nameOf(answer)}: ${nameOf(wanted)} ${nameOf(value)}`);
  }
  return [want, number];
}

/** A field by its place, with a value of it. */
function readValue(
  description: Description,
  group: GroupName,
  key: number,
  value: number,
): { field: string; value: FieldValue } {
  const field = description.groups[group][key]!;
  const values: Record<string, () => FieldValue> = {
    choice: () => field.choices[value]!,
    flag: () => value !== 0,
  };
  return { field: `${group}.${field.key}`, value: values[field.kind]?.() ?? value };
}

function decodeChanges(
  names: TurnNames,
  description: Description,
  question: QuestionName,
  target: number,
  turns: Float64Array,
): Turn[] {
  const { groups, answers } = description.questions[question];
  const { choices } = answers[target]!;
  return rowsOf(names.turn, turns).map(({ group, field, effect, value, slices, reached }): Turn => {
    const turn: Turn = {
      ...readValue(description, groups[group]!, field, value),
      effect: names.effects[effect]!,
      reached: choices[reached] ?? reached,
    };
    return slices > 0 ? { ...turn, slices } : turn;
  });
}

export const readSolution = (
  names: TurnNames,
  description: Description,
  question: QuestionName,
  target: number,
  { absence, met, turns }: RawSolution,
): Solution => ({
  absent: absence > 0 ? description.absences[absence - 1]! : null,
  met,
  turns: decodeChanges(names, description, question, target, turns),
});

/** The module's calls for the fields of a question whose answers take a search each, by their index.
 *  It has room for one field. */
export interface RawSearches {
  turnNames(): TurnNames;
  isMet(wanted: number, value: number, answered: number): boolean;
  tellTurns(answered: number): RawSearched | null;
}

export type StartTurns = (
  index: number,
  wanted: number,
  value: number,
  answered: number,
) => RawSearched | null;

interface RawSearched {
  divides: boolean;
  group?: number;
  field?: number;
  asks?: number;
  slices?: number;
  turns?: Float64Array;
}

type Answer = number | string | undefined;

/** An answer as modules take it; NaN where there is none. */
export function encodeAnswer(
  { wanted }: Target,
  choices: readonly string[],
  answer: Answer,
): number {
  if (answer === undefined) return NaN;
  return wanted === 'is' ? choices.indexOf(String(answer)) : Number(answer);
}

/** The search that the field in a module belongs to. */
const inModule = new WeakMap<RawSearches, object>();

/** Turns one field after the other; one that another search took the place of in the module is begun
 *  again, with all that was told of it. */
export function solveByFields(
  module: RawSearches,
  names: TurnNames,
  begin: (index: number) => RawSearched | null,
  description: Description,
  question: SearchedQuestion,
  target: Target,
): TargetSearch {
  const own = {};
  const { groups } = description.questions[question];
  const place = answerOf(description, question, target.answer);
  const { choices } = description.questions[question].answers[place]!;
  const turns: Turn[] = [];
  let told: number[] = [];
  let index = 0;
  const start = (): RawSearched | null => {
    inModule.set(module, own);
    return begin(index);
  };
  /** Goes on to the next field that asks for something. */
  const next = (state: RawSearched | null): RawSearched | null => {
    while (state?.turns) {
      const { divides } = state;
      for (const turn of decodeChanges(names, description, question, place, state.turns)) {
        turns.push(divides ? { ...turn, divides } : turn);
      }
      told = [];
      index += 1;
      state = start();
    }
    return state;
  };
  let state = next(start());
  return {
    turns,
    get asks() {
      if (!state) return undefined;
      const { group, field, asks, slices, divides } = state;
      const there = readValue(description, groups[group!]!, field!, asks!);
      return { ...there, divides, ...(slices && { slices }) };
    },
    tell(answer) {
      if (inModule.get(module) !== own) {
        start();
        for (const each of told) module.tellTurns(each);
      }
      const number = encodeAnswer(target, choices, answer);
      told.push(number);
      state = next(module.tellTurns(number));
    },
  };
}
