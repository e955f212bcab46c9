// Differences between sides: which is best, and why others are not.

import type { AnswerInfo } from '../../../../engine/index.ts';
import type { PartTexts } from '../../../../i18n/dictionary.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { chipsOf } from '../../../kit/title.ts';
import { sayAnswer } from '../table/columns.ts';
import { sayDifference } from '../kept/reasons.ts';
import type { CollectedSides } from './collected.ts';
import { mainCauses, type Cause } from '../../../../compare/reason.ts';
import { contestOf, type Contest, type Estimate } from '../../../../compare/contest.ts';
import { bandOf } from '../../../parts/band.ts';
import { fits, numberOf, ownSides, qualifies, timeAndCost, whyOther } from './facts.ts';
import type { Words } from '../words.ts';

export type SidesWords = PartTexts<'sides'>;

/** The sides with what they are drawn with. */
export interface Drawn {
  ctx: RenderContext;
  words: SidesWords;
  /** The words of all comparisons. */
  common: Words;
  all: CollectedSides;
}

/** A side of a contest. */
interface Contender extends Estimate {
  index: number;
}

/** The sides by an answer, of those that do what is asked of them. */
export function contestIn(
  ctx: RenderContext,
  all: CollectedSides,
  key: string,
): Contest<Contender> | undefined {
  return contestOf(
    all.sides.flatMap(({ id }, index): Contender[] => {
      const found = all.of(id);
      if (!found?.reply?.ok || !qualifies(ctx, found)) return [];
      const { answers } = found.reply;
      const value = numberOf(answers, key);
      return value === undefined ? [] : [{ index, value, band: bandOf(ctx, key, answers) }];
    }),
  );
}

/** Whether the reader has set limits: what is best within them is told of all that is drawn. */
export const hasLimits = ({ state: { charts } }: RenderContext): boolean =>
  charts.deadline !== undefined || charts.budget !== undefined;

/** The index of the side with the least, where that can be told. */
export function bestOf(ctx: RenderContext, all: CollectedSides, key: string): number | undefined {
  if (!timeAndCost(ctx).includes(key) || hasLimits(ctx)) return undefined;
  if (all.sides.length < 2 || all.sidesLeft > 0) return undefined;
  const contest = contestIn(ctx, all, key);
  return contest?.alike.length === 0 ? contest.best.index : undefined;
}

function why(
  ctx: RenderContext,
  all: CollectedSides,
  index: number,
  key: string,
): ReturnType<typeof whyOther> {
  const first = all.of(all.sides[0]!.id);
  const other = all.of(all.sides[index]!.id);
  if (index === 0 || !first || !other || !timeAndCost(ctx).includes(key)) {
    return undefined;
  }
  return whyOther(ctx, first, other, key);
}

function sayCause(ctx: RenderContext, words: SidesWords, key: string): string {
  const steps: Record<string, string> = {
    ...(ctx.text.planner?.parts as Record<string, string> | undefined),
    price: ctx.label('chip.price'),
    chips: ctx.label(chipsOf(ctx.state)),
    rest: ownSides(ctx).rest?.(ctx) ?? words.rest,
  };
  return steps[key] ?? ctx.answer(key).label;
}

/** The difference between a side and the first one, and its main cause. */
export function difference(
  { ctx, words, common, all }: Drawn,
  index: number,
  info: AnswerInfo,
): string {
  const { key } = info;
  const reason = why(ctx, all, index, key);
  if (!reason || reason.difference === 0) return '';
  const say = (value: number): string => sayDifference(ctx, common, info, value);
  const named = (cause: Cause): string =>
    cause.kind === 'formula' ? words.rest : sayCause(ctx, words, cause.key);
  const causes = mainCauses(reason.difference, reason.causes);
  if (!causes) return say(reason.difference);
  const { main, against } = causes;
  return ctx.fill(against ? words.becauseAgainst : words.because, {
    difference: say(reason.difference),
    cause: named(main),
    share: say(main.difference),
    ...(against && { against: named(against), other: say(against.difference) }),
  });
}

/**
 * What is best, in a few words: the cheapest of those that meet the targets where there are any, else
 * the fastest and the cheapest; and where likely ranges overlap, that it can't be told.
 */
export function summary({ ctx, words, all }: Pick<Drawn, 'ctx' | 'words' | 'all'>): string {
  if (all.sides.length < 2 || hasLimits(ctx)) return '';
  const [times, costs] = timeAndCost(ctx);
  const targets = ownSides(ctx).hasTargets?.(ctx);
  const { said } = words;
  const known = all.sides.flatMap(({ id }) => all.of(id) ?? []);
  if (!known.some((found) => qualifies(ctx, found))) {
    const held = known.some(({ state, reply }) => reply?.ok && fits(ctx, state, reply.answers));
    if (!held) return known.some(({ reply }) => reply?.ok) ? said.none.fits : '';
    return targets ? said.none.meets : said.none.holds;
  }
  const { answers } = ctx.description.questions[ctx.state.view];
  const named = ({ index }: Contender): string => all.sides[index]!.name;
  const [byTime, byCost] = [contestIn(ctx, all, times), contestIn(ctx, all, costs)];
  /** The best, and those of which it can't be told whether they are better. */
  const untold = ({ best, alike }: NonNullable<typeof byTime>) => ({
    best: named(best),
    names: alike.map(named).join(words.comma),
  });
  const tell = (key: string, contest: typeof byTime, one: string, several: string): string => {
    const info = answers.find((each) => each.key === key);
    if (!contest || !info) return '';
    const { best, alike } = contest;
    return alike.length > 0
      ? ctx.fill(several, untold(contest))
      : ctx.fill(one, { name: named(best), value: sayAnswer(ctx, info, best.value) });
  };
  if (!targets && byTime && byCost && byTime.alike.length > 0) {
    const [fastest, cheapest] = [untold(byTime), untold(byCost)];
    const isOne = fastest.best === cheapest.best && fastest.names === cheapest.names;
    if (isOne) return ctx.fill(said.alike.both, fastest);
  }
  return ctx.sentences(
    targets
      ? [tell(costs, byCost, said.meets, said.alike.meets)]
      : [
          tell(times, byTime, said.time, said.alike.time),
          tell(costs, byCost, said.cost, said.alike.cost),
        ],
  );
}
