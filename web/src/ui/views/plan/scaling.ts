// The best layouts on fewer and on more chips.

import type { Plan, ScaledRun, StepPart } from '../../../engine/index.ts';
import type { SweepData } from '../../../charts/plan.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { PlanInput } from './input.ts';
import { changesTo, type Changes } from './layouts.ts';

const mostChips = 2 ** 17;

/** The result on a number of chips: its run, and the best layout, if one fits. */
export interface Found {
  run: ScaledRun;
  plan: Plan | undefined;
}

/** Numbers of chips to look at: powers of two, and the reader's own. */
export function sizesOf(ctx: RenderContext): number[] {
  const sizes = new Set([Number(ctx.value('run.chips'))]);
  for (let chips = 1; chips <= mostChips; chips *= 2) sizes.add(chips);
  return [...sizes].sort((a, b) => a - b);
}

/** The changes to this number of chips; the best layout comes by itself unless it was fixed. */
export const moveTo = ({ state }: RenderContext, { run, plan }: Found): Changes => [
  ...Object.entries(run).map(([key, value]) => [`run.${key}`, value] as const),
  ...(plan && state.layout === 'fixed' ? changesTo(plan.layout) : []),
];

/** The input without the fields that change along the axis; results hold for all states with it. */
export function fixedInput(input: PlanInput, weak: boolean): unknown {
  const { chips, slices, batchTokens, ...run } = input.run;
  const each = Number(batchTokens) / Number(chips);
  return { ...input, run, batch: weak ? each.toPrecision(3) : batchTokens };
}

const waits: readonly StepPart[] = ['tensor', 'context', 'expert', 'data', 'pipeline', 'host'];

export function scalingData(
  ctx: RenderContext,
  answer: 'mfu' | 'days',
  sizes: readonly number[],
  searched: ReadonlyMap<number, Found>,
): SweepData | undefined {
  const { text, format } = ctx;
  const { scaling: words } = text.planner;
  const own = Number(ctx.value('run.chips'));
  const valueOf = (chips: number): number | undefined => {
    const plan = searched.get(chips)?.plan;
    if (!plan) return undefined;
    return answer === 'mfu' ? plan.mfuExact : plan.wallTime;
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
  /** The part of a step for which the chips wait for these transfers. */
  const shareOf =
    (parts: readonly StepPart[]) =>
    (chips: number): number | undefined => {
      const plan = searched.get(chips)?.plan;
      return plan && parts.reduce((sum, part) => sum + plan.parts[part], 0) / plan.expected;
    };
  /** Transfers and bubbles, which take over at some number of chips. */
  const shares: [string, readonly StepPart[]][] = [
    [words.transfers, waits],
    [words.bubble, ['bubble']],
  ];
  // Numbers of chips below the least that hold it have no points.
  const from = sizes.findIndex((size) => size === own || valueOf(size) !== undefined);
  const known = sizes.slice(Math.max(0, from)).filter((size) => searched.has(size));
  const values = known.map(valueOf);
  const found = known.filter((size) => valueOf(size) !== undefined);
  if (found.length < 2) return undefined;
  const taken = shares
    .map(([label, parts]) => ({ label, each: known.map(shareOf(parts)) }))
    .filter(({ each }) => each.some((share) => share !== undefined && share > 0.001))
    .map(({ label, each }) => line(label, each));
  const unit = answer === 'mfu' ? '%' : 's';
  const say = (size: number): string => format.say(valueOf(size)!, unit);
  const last = found.at(-1)!;
  const top = Math.max(...found.map((size) => valueOf(size)!));
  /** The most chips on which nearly as much is reached as on any. */
  const nearTop = found.filter((size) => valueOf(size)! > 0.98 * top).at(-1)!;
  const first = answer === 'mfu' ? nearTop : found[0]!;
  return {
    title: ctx.fill(answer === 'mfu' ? words.findingMfu : words.findingDays, {
      most: say(first),
      days: say(first),
      chips: format.count(first),
      last: say(last),
      lastDays: say(last),
      lastChips: format.count(last),
    }),
    description: ctx.fill(words.description, { answer: words[answer] }),
    file: `${answer}-chips`,
    x: {
      label: ctx.label('run.chips'),
      unit: '',
      scale: 'log',
      values: known,
    },
    y: {
      label: ctx.answer(answer === 'mfu' ? 'mfuExact' : 'wallTime').label,
      unit,
      scale: answer === 'mfu' ? 'linear' : 'log',
    },
    lines: [line(words.best, values, true), ...(answer === 'mfu' ? taken : [])],
    marks: [],
    absences: [words.notFound],
    ...(known.includes(own) && { own }),
  };
}
