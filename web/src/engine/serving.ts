// Serving: one division of the chips, and the best of them.

import start from '@core/serving.js';
import packed from '@core/serving.wasm?packed';
import { makeAsking } from './asking.ts';
import type { Asked, RawIssue, RawOutcome, Sweep } from './core.ts';
import type { ServingAnswers } from './generated.ts';
import { freeze } from './freeze.ts';
import { started } from './unpack.ts';
import { Lazy } from './lazy.ts';
import { sampleAlong } from './sampling.ts';
import { openWays, readWays, withWays, type Divide } from './serving-ways.ts';
import type { Description, Inputs, Outcome, ServingModule } from './types.ts';

/** The module as the binding exports it. Views lie in its memory and hold until the next call. */
interface Module extends Asked {
  /** Describes serving alone. */
  describe(): Description;
  estimate(): RawOutcome;
  /** Divides, with the ways that are given, in the order of `openWays`. */
  divide: Divide;
  /** Chips that can be bought, no fewer than so many, or no more; NaN where the chip is not valid. */
  bought(chips: number, within: boolean): number;
  frontier(): { issues?: RawIssue[]; points: Float64Array };
  axis(): Float64Array;
  sweep: Sweep;
}

/** Numbers of a point, in the module's order. */
const width = 10;

const servingModule = new Lazy(async () => (await started(start, packed)) as Module);

export async function startServing(): Promise<ServingModule> {
  const module = await servingModule.get();
  const description = freeze(module.describe());
  const { answer, take } = makeAsking(description);
  const estimate = (input: Inputs['serving']): Outcome<ServingAnswers> =>
    answer(module, 'serving', input, () => module.estimate()) as Outcome<ServingAnswers>;
  return {
    describe: () => description,
    estimate,
    sweep: (input, axis, answers) =>
      take(module, 'serving', input, () => ({
        series: sampleAlong(module, description, 'serving', module.sweep, axis, answers),
      })) as never,
    divide: (input) => {
      const { input: open, given } = openWays(input);
      const reply = take(module, 'serving', open, () => module.divide(...given) ?? {});
      const division = readWays(input, reply.ok ? reply.ways : undefined);
      // Ways that are given may be none that any server runs.
      const told = reply.ok ? estimate(withWays(input, division)) : reply;
      return told.ok ? { ok: true, ...division } : { ok: false, issues: told.issues, ...division };
    },
    bought: (input, chips, within = false) => {
      const reply = take(module, 'serving', input, () => ({ chips: module.bought(chips, within) }));
      return reply.ok && reply.chips > 0 ? reply.chips : undefined;
    },
    frontier: (input) =>
      take(module, 'serving', input, () => {
        const { issues, points } = module.frontier();
        if (issues) return { issues } as never;
        return {
          points: Array.from({ length: points.length / width }, (_, row) => {
            const at = (index: number): number => points[row * width + index]!;
            return {
              timePerToken: at(0),
              tokensPerSecondPerChip: at(1),
              sequences: at(2),
              chips: at(3),
              tensor: at(4),
              attentionData: at(5),
              expert: at(6),
              pipeline: at(7),
              divideByBatch: at(9) > 0,
              ...(at(8) > 0 && { costOutput: at(8) }),
            };
          }),
        };
      }),
  };
}
