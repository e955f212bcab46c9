// Questions side by side where they stand still: on a card that is shared.

import { heightOf, layRivals, type RivalsData } from '../../../../charts/drawn/rivals/index.ts';
import { sayNamed } from '../../../kit/named.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import type { Stills } from '../../../kit/view.ts';
import { nameOfQuestion } from '../../../kit/title.ts';
import type { Slot } from '../../../parts/picture/picture.ts';
import { stillsOf } from '../../../parts/picture/stills.ts';
import { comparedOf, sidesDrawing } from '../rivals/sides.ts';
import { infosOf, sayAnswer } from '../table/columns.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import type { CollectedSides } from './collected.ts';
import { contestIn, hasLimits, summary, type Drawn } from './differences.ts';
import { lastShown } from './shown.ts';

/** The page shows the sides wherever a state has any. */
const drawnIn = (ctx: RenderContext): Drawn => ({ ...lastShown(ctx.actions)!, ctx });

/** The least time and the least cost, and whose they are. */
function verdictOf(ctx: RenderContext): Slot[] {
  const { words, all } = drawnIn(ctx);
  const isKnown = all.sidesLeft === 0 && all.sides.length > 1 && !hasLimits(ctx);
  return comparedOf(ctx, isKnown).flatMap(({ key, best: which }): Slot[] => {
    const contest = which && contestIn(ctx, all, key);
    if (!which || !contest) return [];
    const { best, alike } = contest;
    const info = infosOf(ctx).get(key)!;
    const name = all.sides[best.index]!.name;
    return [
      {
        key,
        large: sayAnswer(ctx, info, best.value),
        note: alike.length > 0 ? '' : sayNamed(ctx, words.best[which], name),
        isGhost: alike.length > 0,
        ...(best.band && { range: ctx.format.range(...best.band, spokenUnit(info)) }),
      },
    ];
  });
}

/** What all sides have in common of model and chips. */
function alikeIn(ctx: RenderContext, { setting }: CollectedSides): string {
  if (setting?.along === 'chip') return ctx.called('model');
  return setting?.along === 'model' ? ctx.called('chip') : nameOfQuestion(ctx);
}

const { card, picture } = stillsOf<RivalsData>({
  drawingOf: (ctx) => sidesDrawing(drawnIn(ctx)),
  verdictOf,
  lay: (measure, frame, drawing) => layRivals(measure, frame, drawing, 'wide'),
  heightOf: (drawing) => heightOf(drawing, 'wide'),
  scale: 1.6,
});

export const stills: Stills<RenderContext> = {
  card,
  picture,
  told(ctx) {
    const drawn = drawnIn(ctx);
    const { words, all } = drawn;
    const names = all.sides.map(({ name }) => name).join(words.comma);
    const sides = sayNamed(ctx, words.title, names);
    return { titles: [`${alikeIn(ctx, all)} · ${sides}`, sides], summary: summary(drawn) };
  },
};
