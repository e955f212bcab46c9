import { writeForControl } from '../../../number/write.ts';
import {
  chipEntries,
  chipOf,
  chips,
  figuresOf,
  isLoaded,
  modelEntries,
  type ChipEntry,
  type InputGroup,
  type ModelEntry,
} from '../../../model/presets.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const bytes = { unit: 'B', percent: false };
const lists = new Map<string, Option[]>();

/** A list stays the same until what it says changes. */
function kept(key: string, make: () => Option[]): Option[] {
  let list = lists.get(key);
  if (!list) lists.set(key, (list = make()));
  return list;
}

/** Chips as they stand in the list: what tells them apart is their memory and their peak. */
export const chipOptions = (ctx: RenderContext): Option[] =>
  kept(`chips ${ctx.language} ${ctx.state.figures} ${chips.length}`, () =>
    newestFirst(chipEntries, ({ vendor }) => vendor).map((chip) => ({
      id: chip.id,
      name: chip.name,
      group: `${chip.vendor} ${chip.year}`,
      detail: chipDetail(ctx, chip),
      words: chipWords(ctx, chip),
      rank: chipEntries.indexOf(chip),
    })),
  );

/** The matmul rates by which chips are told apart: the first that is known. */
const telling = ['peakBf16', 'peakFp16', 'peakFp8', 'peakFp4'] as const;

/** Those of a chip, once they have loaded. */
const figuresIn = ({ state }: RenderContext, { id }: ChipEntry): InputGroup =>
  isLoaded('chip', id) ? figuresOf(chipOf(id), state.figures) : {};

/** The family, and the memory as readers type it, in either unit: `24gb`. */
function chipWords(ctx: RenderContext, chip: ChipEntry): string {
  const { memory } = figuresIn(ctx, chip);
  const units = typeof memory === 'number' ? [1e9, 2 ** 30] : [];
  const sizes = units.map((unit) => Math.round(Number(memory) / unit));
  return [chip.family, ...sizes.flatMap((n) => [`${n}gb`, `${n} gb`])].join(' ');
}

function chipDetail(ctx: RenderContext, chip: ChipEntry): string {
  const { format, language, text } = ctx;
  const figures = figuresIn(ctx, chip);
  const peak = telling.find((key) => typeof figures[key] === 'number');
  const details = [
    chip.announced ? text.ui.announced : '',
    figures['memory'] ? writeForControl(Number(figures['memory']), bytes, language) : '',
    peak
      ? `${peak.slice('peak'.length).toLowerCase()} ${format.say(Number(figures[peak]), 'FLOPs/s')}`
      : '',
  ];
  return details.filter(Boolean).join(' · ');
}

export const modelOptions = (ctx: RenderContext): Option[] =>
  kept(`models ${ctx.language} ${modelEntries.length}`, () =>
    newestFirst(modelEntries, ({ organisation }) => organisation).map((model) => ({
      id: model.id,
      name: model.name,
      group: `${model.organisation} ${model.year}`,
      detail: model.parameters === undefined ? '' : ctx.format.say(model.parameters, ''),
      words: sizeWords(model),
    })),
  );

/** The number of parameters as readers type it: `405b`, `1.6t`. */
function sizeWords({ parameters: count = 0 }: ModelEntry): string {
  if (count === 0) return '';
  const billions = `${Math.round(count / 1e9)}b`;
  return count < 1e12 ? billions : `${billions} ${Number((count / 1e12).toFixed(1))}t`;
}

/** Entries by their makers, the maker of the newest first, and newest first by year; else as listed. */
export function newestFirst<Entry extends { year: number }>(
  entries: readonly Entry[],
  makerOf: (entry: Entry) => string,
): Entry[] {
  const newest = new Map<string, number>();
  for (const entry of entries) {
    const maker = makerOf(entry);
    newest.set(maker, Math.max(newest.get(maker) ?? 0, entry.year));
  }
  const makers = [...newest].sort(([, one], [, other]) => other - one).map(([maker]) => maker);
  const place = new Map(makers.map((maker, index) => [maker, index]));
  return [...entries].sort(
    (one, other) => place.get(makerOf(one))! - place.get(makerOf(other))! || other.year - one.year,
  );
}
