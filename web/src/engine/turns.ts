// Targets as modules have them: encoded, and what they find as objects.

import type { RawIssue } from './core.ts';
import { answerOf, nameOf } from './sampling.ts';
import type {
  Description,
  FieldValue,
  LongTurn,
  QuestionName,
  Solution,
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

/** The wishes, in the module's order. */
const wants: readonly Target['wanted'][] = ['atMost', 'atLeast', 'is'];
const effects: readonly Turn['effect'][] = ['meets', 'fallsShort', 'none'];
/** Numbers of a turn. */
const width = 6;

type EncodedTarget = [answer: number, wanted: number, value: number];

/** The place of a target's answer, what is wanted of it, and its number. */
export function encodeTarget(
  description: Description,
  question: QuestionName,
  target: Target,
): EncodedTarget {
  const place = answerOf(description, question, target.answer);
  const { choices } = description.questions[question].answers[place]!;
  return [place, ...encodeWish(target, choices)];
}

/** The index of a target's relation, and its number or the index of its choice. */
export function encodeWish(
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

/** The module's calls for a number whose answers take a search each. It has room for one. */
export interface RawLongTurns {
  startTurn(
    ofChips: boolean,
    whole: boolean,
    minimum: number,
    maximum: number,
    multiple: number,
    wanted: number,
    value: number,
    now: number,
  ): RawLongTurn | null;
  tellTurn(answered: number): RawLongTurn | null;
}

interface RawLongTurn {
  asks?: number;
  slices?: number;
  effect?: number;
  value?: number;
  reached?: number;
}

/** The turn that the state in a module belongs to. */
const inModule = new WeakMap<RawLongTurns, object>();

/** A number that is turned in a module; one that another took the place of is begun again, with all
 * that was told. */
export function longTurn(
  module: RawLongTurns,
  begin: () => RawLongTurn | null,
  { wanted }: Target,
  choices: readonly string[],
): LongTurn | undefined {
  const own = {};
  const told: number[] = [];
  let state = begin();
  inModule.set(module, own);
  if (!state) return undefined;
  const encoded = (answer: number | string | undefined): number =>
    wanted === 'is' ? choices.indexOf(String(answer)) : typeof answer === 'number' ? answer : NaN;
  return {
    get asks() {
      const { asks, slices } = state!;
      return asks === undefined ? undefined : { value: asks, ...(slices && { slices }) };
    },
    tell(answer) {
      if (inModule.get(module) !== own) {
        state = begin();
        inModule.set(module, own);
        for (const each of told) state = module.tellTurn(each);
      }
      const number = answer === undefined ? NaN : encoded(answer);
      told.push(number);
      state = module.tellTurn(number);
    },
    get turn() {
      const { effect, value = 0, slices, reached = 0 } = state!;
      return {
        effect: effects[effect ?? 2]!,
        value,
        reached: wanted === 'is' ? choices[reached]! : reached,
        ...(slices && { slices }),
      };
    },
  };
}
