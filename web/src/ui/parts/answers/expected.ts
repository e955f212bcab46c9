import type { RenderContext } from '../../kit/render-context.ts';
import type { Row } from '../view.ts';
import type { Results } from '../../kit/results.ts';

/** The expected time, where measured kernels tell one, beside the least time. */
export function expectedRow(
  ctx: RenderContext,
  results: Results,
  lower: string,
  means: string,
): Row[] {
  if (results.number('timeExpected') === undefined) return [];
  return [
    { key: 'timeExpected', means: ctx.fill(means, { lower: results.say(lower) }), related: [] },
  ];
}
