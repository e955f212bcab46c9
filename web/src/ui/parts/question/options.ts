import { writeForControl } from '../../../number/write.ts';
import {
  chipEntries,
  chipOf,
  chips,
  figuresOf,
  isLoaded,
  modelEntries,
  type Figures,
} from '../../../model/presets.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const bytes = { unit: 'B', percent: false };
const lists = new Map<string, Option[]>();

/** Chips as they stand in the list: what tells them apart is their memory and their peak. */
export function chipOptions(ctx: RenderContext): Option[] {
  const { figures } = ctx.state;
  const key = `${ctx.language} ${figures} ${chips.length}`;
  const list = lists.get(key) ?? makeChipOptions(ctx, figures);
  lists.set(key, list);
  return list;
}

function makeChipOptions({ format, language }: RenderContext, figures: Figures): Option[] {
  return chipEntries.map(({ id, name: called, vendor }) => {
    const chip = { id, name: called, group: vendor };
    if (!isLoaded('chip', id)) return { ...chip, detail: '' };
    const { memory, peakBf16, peakFp16 } = figuresOf(chipOf(id), figures);
    const [name, peak] = peakBf16 == null ? ['fp16', peakFp16] : ['bf16', peakBf16];
    const details = [
      writeForControl(Number(memory), bytes, language),
      typeof peak === 'number' ? `${name} ${format.say(peak, 'FLOPs/s')}` : '',
    ];
    return { ...chip, detail: details.filter(Boolean).join(' · ') };
  });
}

export const modelOptions: Option[] = modelEntries.map(({ id, name, organisation, year }) => ({
  id,
  name,
  group: organisation,
  detail: String(year),
}));
