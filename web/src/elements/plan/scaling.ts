// The best layouts on fewer and on more chips.

import type { FieldValue, Plan, StepPart } from '../../engine/index.ts';
import type { SweepData } from '../../charts/plan.ts';
import type { FieldId } from '../../state/state.ts';
import type { Scope } from '../scope.ts';
import type { PlanInput } from './input.ts';
import { changesTo, type Changes } from './layouts.ts';

const mostChips = 2 ** 17;

/** A number of chips, in how many slices, with the batch that goes with it. */
export interface Size {
  chips: number;
  slices: number;
  batch: number;
}

/** Powers of two, those of a torus' pods, and the reader's own. */
export function sizesOf(scope: Scope, weak: boolean): Size[] {
  const value = (id: FieldId): number => Number(scope.value(id));
  const network = scope.value('chip.network');
  const pod = ['X', 'Y', 'Z'].reduce((n, axis) => n * value(`chip.torus${axis}`), 1);
  const together = { none: 1, torus: pod, switched: value('chip.scaleUpChips') }[String(network)]!;
  const farther = network !== 'none' && scope.value('chip.scaleOutBandwidth') !== null;
  const own = { chips: value('run.chips'), slices: value('run.slices') };
  const sizes = new Map<number, number>();
  for (let chips = 1; chips <= mostChips; chips *= 2) {
    if (chips <= together || (farther && network === 'switched')) sizes.set(chips, 1);
  }
  if (network === 'torus') {
    for (let slices = 1; slices * pod <= mostChips && (farther || slices === 1); slices *= 2) {
      sizes.set(slices * pod, slices);
    }
  }
  sizes.set(own.chips, own.slices);
  return [...sizes]
    .sort(([a], [b]) => a - b)
    .map(([chips, slices]) => ({
      chips,
      slices,
      batch: weak ? batchFor(scope, chips) : batchOf(scope),
    }));
}

const batchOf = (scope: Scope): number => Number(scope.value('run.batchTokens'));

/** As much for each chip as in the reader's own, in whole sequences. */
function batchFor(scope: Scope, chips: number): number {
  const own = Number(scope.value('run.chips'));
  if (chips === own) return batchOf(scope);
  const sequence = Number(scope.value('run.sequenceLength'));
  return Math.max(1, Math.round((batchOf(scope) * chips) / own / sequence)) * sequence;
}

export const changesOf = ({ chips, slices, batch }: Size): (readonly [FieldId, FieldValue])[] => [
  ['run.chips', chips],
  ['run.slices', slices],
  ['run.batchTokens', batch],
];

/** To this number of chips and its best layout. */
export const moveTo = (size: Size, plan: Plan | undefined): Changes => [
  ...changesOf(size),
  ...(plan ? changesTo(plan.layout) : []),
];

/** What does not change along the axis: what is found for one state holds for others with it. */
export function fixedInput(input: PlanInput, weak: boolean): unknown {
  const { chips, slices, batchTokens, ...run } = input.run;
  const each = Number(batchTokens) / Number(chips);
  return { ...input, run, batch: weak ? each.toPrecision(3) : batchTokens };
}

const waits: readonly StepPart[] = ['tensor', 'context', 'expert', 'data', 'pipeline', 'host'];

export function scalingData(
  scope: Scope,
  answer: 'mfu' | 'days',
  sizes: readonly Size[],
  plans: ReadonlyMap<number, Plan | undefined>,
): SweepData | undefined {
  const { text, format } = scope;
  const { scaling: words } = text.planner;
  const tokens = Number(scope.value('run.tokens'));
  const valueOf = ({ chips }: Size): number | undefined => {
    const plan = plans.get(chips);
    if (!plan) return undefined;
    return answer === 'mfu' ? plan.mfu : tokens / plan.tokensPerSecond;
  };
  const line = (
    label: string,
    shares: readonly (number | undefined)[],
    isOwnLine = false,
  ): SweepData['lines'][number] => ({
    label,
    values: shares.map((value) => value ?? 0),
    absent: shares.map((value) => Number(value === undefined)),
    ...(isOwnLine && { own: true }),
  });
  /** Of a step, the part that the chips wait for these. */
  const shareOf =
    (parts: readonly StepPart[]) =>
    ({ chips }: Size): number | undefined => {
      const plan = plans.get(chips);
      return plan && parts.reduce((sum, part) => sum + plan.parts[part], 0) / plan.expected;
    };
  /** Where transfers and bubbles take over. */
  const shares: [string, readonly StepPart[]][] = [
    [words.transfers, waits],
    [words.bubble, ['bubble']],
  ];
  const own = Number(scope.value('run.chips'));
  // Below the least that hold it there is nothing to see.
  const from = sizes.findIndex((size) => size.chips === own || valueOf(size) !== undefined);
  const known = sizes.slice(Math.max(0, from)).filter(({ chips }) => plans.has(chips));
  const values = known.map(valueOf);
  const found = known.filter((size) => valueOf(size) !== undefined);
  if (found.length < 2) return undefined;
  const taken = shares
    .map(([label, parts]) => ({ label, each: known.map(shareOf(parts)) }))
    .filter(({ each }) => each.some((share) => share !== undefined && share > 0.001))
    .map(({ label, each }) => line(label, each));
  const unit = answer === 'mfu' ? '%' : 's';
  const say = (size: Size): string => format.say(valueOf(size)!, unit);
  const last = found.at(-1)!;
  const top = Math.max(...found.map((size) => valueOf(size)!));
  /** The most chips on which nearly as much is reached as on any. */
  const nearTop = found.filter((size) => valueOf(size)! > 0.98 * top).at(-1)!;
  const first = answer === 'mfu' ? nearTop : found[0]!;
  return {
    title: scope.fill(answer === 'mfu' ? words.findingMfu : words.findingDays, {
      most: say(first),
      days: say(first),
      chips: format.count(first.chips),
      last: say(last),
      lastDays: say(last),
      lastChips: format.count(last.chips),
    }),
    description: scope.fill(words.description, { answer: words[answer] }),
    file: `${answer}-chips`,
    x: {
      label: scope.label('run.chips'),
      unit: '',
      scale: 'log',
      values: known.map(({ chips }) => chips),
    },
    y: {
      label: scope.answer(answer === 'mfu' ? 'mfu' : 'trainingTime').label,
      unit,
      scale: answer === 'mfu' ? 'linear' : 'log',
    },
    lines: [line(words.best, values, true), ...(answer === 'mfu' ? taken : [])],
    marks: [],
    absences: [words.notFound],
    ...(known.some(({ chips }) => chips === own) && { own }),
  };
}
