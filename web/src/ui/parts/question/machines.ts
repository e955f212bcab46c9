// Numbers of chips that can be laid out, and of tokens that are whole sequences.

import { alongMultiples, alongWhich } from '../../../number/along.ts';
import type { Along } from '../../../number/step.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** Longer axes than this are of no torus that is built. */
const longestAxis = 1024;

/** The steps of a run's chips and of its batch. */
export function runAlong(ctx: RenderContext, id: FieldId): Along | undefined {
  if (id === 'run.chips') return chipsAlong(ctx);
  return id === 'run.batchTokens' ? alongMultiples(valueOf(ctx, 'run.sequenceLength')) : undefined;
}

const valueOf = (ctx: RenderContext, id: FieldId): number => Number(ctx.value(id));

/** Steps of chips in whole slices: boxes of the torus, or domains full or evenly divided. */
function chipsAlong(ctx: RenderContext): Along | undefined {
  const network = ctx.value('chip.network');
  if (network === 'none') return undefined;
  const slices = valueOf(ctx, 'run.slices');
  const domain = valueOf(ctx, 'chip.scaleUpChips');
  const pod = (['X', 'Y', 'Z'] as const).map((axis) => valueOf(ctx, `chip.torus${axis}`));
  return alongWhich((chips) => {
    const each = chips / slices;
    if (!Number.isInteger(each)) return false;
    if (network === 'torus') return isBox(each, pod);
    return each < domain ? domain % each === 0 : each % domain === 0;
  });
}

/** Whether a torus of these lengths has a box of so many chips. */
export function isBox(chips: number, [x = 1, y = 1, z = 1]: readonly number[]): boolean {
  for (let a = 1; a <= Math.min(x, longestAxis); ++a) {
    if (chips % a !== 0) continue;
    for (let b = 1; b <= Math.min(y, longestAxis); ++b) {
      const rest = chips / a / b;
      if (Number.isInteger(rest) && rest <= z) return true;
    }
  }
  return false;
}
