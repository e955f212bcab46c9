// Numbers of chips that can be laid out, and of tokens that are whole sequences.

import { alongMultiples, alongWhich } from '../../../number/along.ts';
import type { Along } from '../../../number/step.ts';
import type { InputGroup } from '../../../model/presets.ts';
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

/** Larger domains are racks, whose trays can be had alone. */
const largestNode = 16;

/** The fewest chips that are no fewer than so many and fill machines: nodes, trays of a rack, or an even
 *  part of one. The core tells of boxes of a torus. */
export function wholeMachines(chip: InputGroup, chips: number): number {
  const domain = Number(chip['scaleUpChips']);
  if (chip['network'] !== 'switched' || domain <= 1) return chips;
  const tray = [4, 2, 1].find((each) => domain % each === 0)!;
  const machine = domain <= largestNode ? domain : tray;
  if (chips >= machine) return Math.ceil(chips / machine) * machine;
  let part = chips;
  while (machine % part !== 0) part += 1;
  return part;
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
