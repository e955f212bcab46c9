import type { RenderContext } from './render-context.ts';
import type { Results } from './results.ts';

/** A value with its name before it, and its 90% interval where that is known. */
export const sayNamed = (ctx: RenderContext, name: string, value: string, range = ''): string => {
  const { held, interval } = ctx.text.drawn;
  const said = ctx.fill(held, { name, value });
  return range ? `${said} · ${ctx.fill(interval, { range })}` : said;
};

/** The same of an answer. */
export const answerNamed = (ctx: RenderContext, results: Results, key: string): string =>
  sayNamed(ctx, ctx.answer(key).label, results.say(key), results.sayRange(key));
