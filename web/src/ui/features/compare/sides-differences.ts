// Differences between sides: which is best, and why others are not.

import type { PartTexts } from '../../../i18n/dictionary.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { sayAnswer } from './overview-columns.ts';
import { sayDifference } from './reasons.ts';
import type { CollectedSides } from './sides-collected.ts';
import { fits, numberOf, timeAndCost, whyOther } from './sides-facts.ts';
import { chipsOf } from './sides-rows.ts';
import type { Words } from './words.ts';

export type SidesWords = PartTexts<'sides'>;

/** The sides with what they are drawn with. */
export interface Drawn {
  ctx: RenderContext;
  words: SidesWords;
  /** The words of all comparisons. */
  common: Words;
  all: CollectedSides;
}

/** The index of the side with the least, of those that fit. */
export function bestOf(ctx: RenderContext, all: CollectedSides, key: string): number | undefined {
  if (!timeAndCost(ctx.state).includes(key)) return undefined;
  const values = all.sides.map(({ id }) => {
    const found = all.of(id);
    if (!found?.reply?.ok || !fits(found.state, found.reply.answers)) return Infinity;
    return numberOf(found.reply.answers, key) ?? Infinity;
  });
  const told = values.filter((value) => value < Infinity);
  if (told.length < 2 || all.sidesLeft > 0) return undefined;
  return values.indexOf(Math.min(...told));
}

function why(
  ctx: RenderContext,
  all: CollectedSides,
  index: number,
  key: string,
): ReturnType<typeof whyOther> {
  const first = all.of(all.sides[0]!.id);
  const other = all.of(all.sides[index]!.id);
  if (index === 0 || !first || !other || !timeAndCost(ctx.state).includes(key)) {
    return undefined;
  }
  return whyOther(ctx, first, other, key);
}

/** The part that no answer states. Besides its own steps, a token without drafts waits for prompts. */
function sayRest(ctx: RenderContext, words: SidesWords): string {
  const waits = ctx.state.view === 'serving' && !Number(ctx.value('serving.draftTokens'));
  return waits ? ctx.choiceOfAnswer('targetLimit', 'prompts') : words.rest;
}

function sayCause(ctx: RenderContext, words: SidesWords, key: string): string {
  const steps: Record<string, string> = {
    ...(ctx.text.planner?.parts as Record<string, string> | undefined),
    price: ctx.label('chip.price'),
    chips: ctx.label(chipsOf(ctx.state)),
    rest: sayRest(ctx, words),
  };
  return steps[key] ?? ctx.answer(key).label;
}

/** The difference between a side and the first one, and its main cause. */
export function difference(
  { ctx, words, common, all }: Drawn,
  index: number,
  key: string,
  unit: string,
): string {
  const reason = why(ctx, all, index, key);
  if (!reason || reason.difference === 0) return '';
  const say = (value: number): string => sayDifference(ctx, common, key, value, unit);
  const [cause] = reason.causes;
  return cause
    ? ctx.fill(words.because, {
        difference: say(reason.difference),
        cause: cause.kind === 'formula' ? words.rest : sayCause(ctx, words, cause.key),
        share: say(cause.difference),
      })
    : say(reason.difference);
}

/** The fastest and the cheapest in a few words. */
export function summary({ ctx, words, all }: Pick<Drawn, 'ctx' | 'words' | 'all'>): string {
  const [times, costs] = timeAndCost(ctx.state);
  const { answers } = ctx.description.questions[ctx.state.view];
  return ctx.sentences(
    [times, costs].map((key, place) => {
      const side = all.sides[bestOf(ctx, all, key) ?? -1];
      const reply = side && all.of(side.id)?.reply;
      const info = answers.find((each) => each.key === key);
      if (!side || !reply?.ok || !info) return '';
      const value = sayAnswer(ctx, info, reply.answers[key]);
      return ctx.fill(words.said[place === 0 ? 'time' : 'cost'], { name: side.name, value });
    }),
  );
}
