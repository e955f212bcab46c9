// The drawing of questions that stand side by side.

import { html, type TemplateResult } from 'lit';
import { RivalsDrawing, type RivalsData } from '../../../../charts/drawn/rivals/index.ts';
import { define } from '../../../../dom/define.ts';
import { bandOf } from '../../../parts/band.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { hasLimits, summary, type Drawn } from '../sides/differences.ts';
import { chipsIn, fallsShort, fits, ownSides, qualifies, timeAndCost } from '../sides/facts.ts';
import { sayListed } from '../../../parts/question/basis.ts';
import type { Side } from '../sides/rows.ts';
import { sayChips, sayReason } from '../sides/words.ts';
import { rivalsOf, type Candidate, type Compared } from './rivals.ts';

/** Each side with its time and its cost; its amounts lead to it alone. */
export function rivals(drawn: Drawn, take: (side: Side) => void): TemplateResult {
  define('scaling-rivals-drawing', RivalsDrawing);
  const { ctx, all } = drawn;
  const data = sidesDrawing(drawn);
  const sideOf = (key: string): Side | undefined =>
    all.sides[data.rivals.findIndex(({ amounts }) => amounts.some((each) => each.key === key))];
  return html`<scaling-rivals-drawing
    .data=${data}
    .words=${ctx.text.drawn}
    @why=${({ detail }: CustomEvent<string>) => {
      const side = sideOf(detail);
      if (side) take(side);
    }}
  ></scaling-rivals-drawing>`;
}

export function sidesDrawing(drawn: Drawn): RivalsData {
  const { ctx, words, all } = drawn;
  const months = monthsOf(drawn);
  return rivalsOf(
    ctx,
    words,
    summary(drawn) || words.title,
    all.sides.map((side, index) => candidateOf(drawn, side, months[index])),
    comparedOf(ctx, all.sidesLeft === 0 && !hasLimits(ctx)),
  );
}

/** The month of each side's prices; none where all are of one. */
function monthsOf({ ctx, all }: Drawn): readonly string[] {
  const months = all.sides.map(({ id }) => {
    const asked = all.of(id);
    return asked ? sayListed(ctx, asked.state, false) : '';
  });
  return new Set(months.filter(Boolean)).size > 1 ? months : [];
}

function candidateOf(
  { ctx, words, common, all }: Drawn,
  { id, name }: Side,
  month: string | undefined,
): Candidate {
  const asked = all.of(id);
  const priced = month && ctx.fill(words.pricedIn, { month });
  const candidate = { id, name, asked, priced, own: false };
  if (!asked) return { ...candidate, chips: 0, onChips: '', lacks: '…', contends: false };
  const chips = chipsIn(ctx, asked.state);
  const said = sayChips(ctx, words, asked);
  // Sides that differ in their chips are called by them.
  const onChips = said === name ? '' : said;
  if (!asked.reply?.ok)
    return { ...candidate, chips, onChips, lacks: sayReason(ctx, common, asked), contends: false };
  const contends = qualifies(ctx, asked);
  const short = contends ? '' : fallsShort(ctx, words, asked);
  // What does not fit takes no time; what is slow does.
  return fits(ctx, asked.state, asked.reply.answers)
    ? {
        ...candidate,
        chips,
        onChips: [onChips, short].filter(Boolean).join(' · '),
        lacks: '',
        contends,
      }
    : { ...candidate, chips, onChips, lacks: short, contends };
}

/** Time and cost, of which the best is told once all is known, unless readers have set limits. */
export function comparedOf(ctx: RenderContext, isTold: boolean): Compared[] {
  const [time, cost] = timeAndCost(ctx);
  // With targets, the cheapest is asked for.
  const both = !ownSides(ctx).hasTargets?.(ctx);
  return [
    { key: time, best: isTold && both ? 'time' : undefined, band: bandIn(ctx, time) },
    { key: cost, best: isTold ? 'cost' : undefined, band: bandIn(ctx, cost) },
  ];
}

const bandIn =
  (ctx: RenderContext, key: string): Compared['band'] =>
  ({ reply }) =>
    reply?.ok ? bandOf(ctx, key, reply.answers) : undefined;
