// The chips that stand side by side with the reader's own.

import { presetIds } from '../../../model/presets.ts';
import type { State } from '../../../model/state.ts';

/** Stands for the chip or the model of the question itself. */
export const present = 'present';

const usualChips = ['h100-sxm', 'b200-sxm', 'tpu-v5p', 'mi355x'];

/** The reader's own chip, and those that most readers ask for. */
export function chipsBeside({ chip }: State): string[] {
  const own = presetIds.chip.has(chip) ? chip : present;
  return [own, ...usualChips.filter((each) => each !== own)];
}
