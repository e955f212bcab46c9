import type { RenderContext } from './render-context.ts';

/** What is said of an answer, with its 90% interval where that is known. */
export const withInterval = (ctx: RenderContext, said: string, range: string): string =>
  range ? `${said} · ${ctx.fill(ctx.text.drawn.interval, { range })}` : said;
