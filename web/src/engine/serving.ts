// Serving: one division of the chips, and the best of them.

import { makeAsking } from './asking.ts';
import type { ServingAnswers } from './generated.ts';
import { sampleAlong } from './sampling.ts';
import { searchModule } from './search-module.ts';
import { openWays, readWays, withWays } from './serving-ways.ts';
import type { Description, Inputs, Outcome, ServingModule } from './types.ts';

/** Numbers of a point, in the module's order. */
const width = 10;

export async function startServing(description: Description): Promise<ServingModule> {
  const module = await searchModule.get();
  const { answer, take } = makeAsking(description);
  const estimate = (input: Inputs['serving']): Outcome<ServingAnswers> =>
    answer(module, 'serving', input, () => module.estimateServing()) as Outcome<ServingAnswers>;
  return {
    estimate,
    sweep: (input, axis, answers) =>
      take(module, 'serving', input, () => ({
        series: sampleAlong(module, description, 'serving', module.sweepServing, axis, answers),
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
