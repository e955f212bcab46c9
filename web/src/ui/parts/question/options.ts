import { writeForControl } from '../../../number/write.ts';
import { chips, figuresOf, models, type Figures } from '../../../model/presets.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const bytes = { unit: 'B', percent: false };
const lists = new Map<string, Option[]>();

/** Chips as they stand in the list: what tells them apart is their memory and their peak. */
export function chipOptions(ctx: RenderContext): Option[] {
  const { figures } = ctx.state;
  const key = `${ctx.language} ${figures}`;
  const list = lists.get(key) ?? makeChipOptions(ctx, figures);
  lists.set(key, list);
  return list;
}

function makeChipOptions({ format, language }: RenderContext, figures: Figures): Option[] {
  return chips.map((chip) => {
    const { memory, peakBf16, peakFp16 } = figuresOf(chip, figures);
    const [name, peak] = peakBf16 == null ? ['fp16', peakFp16] : ['bf16', peakBf16];
    const details = [
      writeForControl(Number(memory), bytes, language),
      typeof peak === 'number' ? `${name} ${format.say(peak, 'FLOPs/s')}` : '',
    ];
    return {
      id: chip.id,
      name: chip.name,
      group: chip.vendor,
      detail: details.filter(Boolean).join(' · '),
    };
  });
}

export const modelOptions: Option[] = models.map(({ id, name, organisation, year }) => ({
  id,
  name,
  group: organisation,
  detail: String(year),
}));
