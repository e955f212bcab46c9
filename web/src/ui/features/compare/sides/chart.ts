// The chart of time against cost: each side on fewer chips and on more.

import type { TradeData, TradePoint } from '../../../../charts/trade.ts';
import { followed } from '../../../../model/bounds.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import type { PartTexts } from '../../../../i18n/dictionary.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { chipsOf } from '../../../kit/title.ts';
import type { Asked } from '../asking.ts';
import { contestOf, type Contest, type Estimate } from '../../../../compare/contest.ts';
import { bandOf } from '../../../parts/band.ts';
import { fits, holds, numberOf, timeAndCost } from './facts.ts';
import type { Most } from './limits.ts';
import type { Sized } from './rows.ts';
import type { Along } from './setting.ts';

type SidesWords = PartTexts<'sides'>;

/** A point with what it is of. */
export interface Placed {
  sized: Sized;
  asked: Asked;
  time: number;
  cost: number;
}

/** The sides that fit, and have both a time and a price. */
export function placedOf(
  ctx: RenderContext,
  all: readonly Sized[],
  of: (id: string) => Asked | undefined,
): Placed[] {
  const [times, costs] = timeAndCost(ctx);
  return all.flatMap((sized) => {
    const asked = of(sized.id);
    if (!asked?.reply?.ok || !fits(ctx, asked.state, asked.reply.answers)) return [];
    const time = numberOf(asked.reply.answers, times);
    const cost = numberOf(asked.reply.answers, costs);
    return time === undefined || !cost ? [] : [{ sized, asked, time, cost }];
  });
}

const least = (points: readonly Placed[], by: 'time' | 'cost'): Placed | undefined =>
  points.reduce<Placed | undefined>(
    (best, point) => (best && best[by] <= point[by] ? best : point),
    undefined,
  );

/** The cheapest that is in time, and the fastest that is not too dear. */
export const cheapest = (points: readonly Placed[], { time = Infinity }: Most) =>
  least(
    points.filter((point) => point.time <= time),
    'cost',
  );
export const fastest = (points: readonly Placed[], { cost = Infinity }: Most) =>
  least(
    points.filter((point) => point.cost <= cost),
    'time',
  );

/** The best point of a side. */
export interface Contender extends Estimate {
  point: Placed;
}

/** The cheapest in time or the fastest for the money: the best points of the sides against each other. */
export function bestWithin(
  ctx: RenderContext,
  points: readonly Placed[],
  most: Most,
  by: 'time' | 'cost',
): Contest<Contender> | undefined {
  const able = points.filter(({ asked }) => holds(ctx, asked));
  const [times, costs] = timeAndCost(ctx);
  const find = by === 'cost' ? cheapest : fastest;
  const sides = [...new Set(able.map(({ sized }) => sized.side))];
  return contestOf(
    sides.flatMap((side): Contender[] => {
      const point = find(
        able.filter(({ sized }) => sized.side === side),
        most,
      );
      if (!point?.asked.reply?.ok) return [];
      const key = by === 'cost' ? costs : times;
      return [{ point, value: point[by], band: bandOf(ctx, key, point.asked.reply.answers) }];
    }),
  );
}

export function sayPoint(ctx: RenderContext, words: SidesWords, { sized, asked }: Placed): string {
  const n = sized.chips;
  const called = ctx.at(asked.state).called('chip');
  const name = sized.side.name === called ? called : `${sized.side.name}, ${called}`;
  return ctx.fill(words.on, { name, n: ctx.format.count(n) }, { n });
}

export function tradeData(
  ctx: RenderContext,
  words: SidesWords,
  along: Along,
  points: readonly Placed[],
  most: Most,
): TradeData | undefined {
  if (points.length < 2) return undefined;
  const [times, costs] = timeAndCost(ctx);
  const question = ctx.description.questions[ctx.state.view];
  const infos = new Map(question.answers.map((info) => [info.key, info]));
  const one = along === chipsOf(ctx.state);
  const names = one
    ? [ctx.called('chip')]
    : [...new Set(points.map(({ sized }) => sized.side.name))];
  const lineOf = ({ sized }: Placed): number => (one ? 0 : names.indexOf(sized.side.name));
  const [cheap, fast] = [
    bestWithin(ctx, points, most, 'cost'),
    bestWithin(ctx, points, most, 'time'),
  ];
  const isBest = (point: Placed, of: Contest<Contender> | undefined): boolean =>
    of?.alike.length === 0 && of.best.point === point;
  // Time and cost are uncertain together where both follow one answer.
  const base = followed(times)?.base;
  const isOne = base !== undefined && base === followed(costs)?.base;
  const best = (point: Placed): string =>
    [
      most.time !== undefined && isBest(point, cheap) ? words.marks.cheapest : '',
      most.cost !== undefined && isBest(point, fast) ? words.marks.fastest : '',
    ]
      .filter(Boolean)
      .join(words.comma);
  const drawn = points.map((point): TradePoint => {
    const { sized, asked, time, cost } = point;
    const answers = asked.reply?.ok ? asked.reply.answers : {};
    const [t, c] = [times, costs].map((key) => (isOne ? bandOf(ctx, key, answers) : undefined));
    const mark = best(point);
    return {
      label: sayPoint(ctx, words, point),
      x: time,
      y: cost,
      line: lineOf(point),
      own: sized.own && !one,
      ...(t && c && { low: [t[0], c[0]] as const, high: [t[1], c[1]] as const }),
      ...(mark && { best: mark }),
    };
  });
  const axis = (key: string) => ({
    label: ctx.answer(key).label,
    unit: spokenUnit(infos.get(key)!),
    scale: 'log' as const,
  });
  const chips = points.map(({ sized }) => sized.chips);
  return {
    title: ctx.fill(words.finding[ctx.state.view as keyof typeof words.finding], {
      from: ctx.format.count(Math.min(...chips)),
      to: ctx.format.count(Math.max(...chips)),
    }),
    description: words.description,
    file: `${ctx.state.view}-time-cost`,
    x: axis(times),
    y: axis(costs),
    lines: names,
    points: drawn,
    most: {
      ...(most.time !== undefined && { x: { label: words.marks.deadline, value: most.time } }),
      ...(most.cost !== undefined && { y: { label: words.marks.budget, value: most.cost } }),
    },
  };
}
