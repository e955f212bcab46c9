// The card: the question, the verdict and the drawing, as a file.

import { svgFile } from '../../../charts/kit/export.ts';
import { isPublic, linkTo } from '../../../export/address.ts';
import { caption, type Shared } from '../../../export/shared.ts';
import { evaluate } from '../../../model/evaluate.ts';
import { isMoney } from '../../../number/unit.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { Results } from '../../kit/results.ts';
import type { Stills } from '../../kit/view.ts';
import { sayListed } from '../../parts/question/basis.ts';
import { questionText, wordsOf } from '../../parts/question/question.ts';
import { viewOf } from '../../parts/view.ts';

/** Its text. Looks are those of `root`: the drawing is in it until it is copied. */
export function drawnCard(
  ctx: RenderContext,
  shared: Shared,
  { card, told }: Stills<RenderContext>,
  root: HTMLElement,
): string {
  const reply = evaluate(ctx.engine, ctx.state);
  const results = new Results(ctx, reply.ok ? reply.answers : {}, new Map(), false, false);
  const { address, link, name, date } = shared;
  const prices = pricesOf(ctx, shared);
  // The foot tells what prices rest on. How is counted is left out first, then what was edited.
  const question = questionText(ctx, wordsOf(ctx));
  const counted = prices
    ? questionText(ctx, wordsOf(ctx) + (ctx.features.ending?.sentence(ctx, false) ?? ''))
    : shared.question;
  const { titles, summary } = told?.(ctx) ?? {
    titles: [caption({ ...shared, question: counted }), caption({ ...shared, question }), question],
    summary: viewOf(ctx).summary(ctx, results),
  };
  const made = [[prices, date].filter(Boolean).join(' · '), date];
  // The fragment holds the whole question, also where others cannot open the page.
  const links = isPublic(address) ? [linkTo(address, link), address] : link ? [`#${link}`] : [];
  const host = document.createElement('div');
  root.append(host);
  try {
    const drawn = card(ctx, results, { titles, name, links, made }, host);
    return svgFile(drawn, titles[0]!, summary);
  } finally {
    host.remove();
  }
}

/** Whose prices the costs among the answers rest on, and of when; empty where these are the reader's. */
function pricesOf(ctx: RenderContext, { answers, words }: Shared): string {
  const from = sayListed(ctx, ctx.state);
  const hasCost = answers.some(({ unit, value }) => isMoney(unit) && typeof value === 'number');
  return from && hasCost ? words.prices.replace('{from}', () => from) : '';
}
