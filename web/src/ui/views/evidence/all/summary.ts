// The errors of runs in a sentence.

import type { RenderContext } from '../../../kit/render-context.ts';
import type { Collection } from '../runs/collection.ts';
import type { Errors } from '../runs/statistics.ts';

/** The numbers of published, predicted and shown runs. */
export function sayCounts(ctx: RenderContext, { counts }: Collection): Record<string, string> {
  const count = (value: number): string => ctx.format.count(value);
  const { all, predicted, shownOneIn } = counts;
  return { all: count(all), predicted: count(predicted), every: count(shownOneIn) };
}

/** Fills a sentence with errors and counts. */
export function sayErrors(
  ctx: RenderContext,
  collection: Collection,
  { count, median, ninth, covered }: Errors,
  sentence: string,
): string {
  const { format } = ctx;
  return ctx.fill(
    sentence,
    {
      n: format.count(count),
      ...sayCounts(ctx, collection),
      median: format.say(median, '%'),
      ninth: format.say(ninth, '%'),
      covered: format.say(covered, '%'),
    },
    { n: count },
  );
}
