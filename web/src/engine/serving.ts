// Serving: one division of the chips, and the best of them.

import { makeQuestionCodec } from './asking.ts';
import type { ServingAnswers } from './generated.ts';
import { rowsOf } from './rows.ts';
import { sampleAlong } from './sampling.ts';
import { searchModule } from './search-module.ts';
import { withoutDegrees, decodeLayout, withWays } from './serving-ways.ts';
import type { Description, Inputs, Outcome, ServingModule } from './types.ts';

export async function start(description: Description): Promise<ServingModule> {
  const module = await searchModule.get();
  const { answer, take } = makeQuestionCodec(description);
  const columns = module.pointColumns();
  const ways = module.wayColumns();
  const estimate = (input: Inputs['serving']): Outcome<ServingAnswers> =>
    answer(module, 'serving', input, () => module.estimateServing()) as Outcome<ServingAnswers>;
  return {
    estimate,
    sweep: (input, axis, answers) =>
      take(module, 'serving', input, () => ({
        series: sampleAlong(module, description, 'serving', module.sweepServing, axis, answers),
      })) as never,
    divide: (input) => {
      const { input: open, given } = withoutDegrees(description, input);
      const reply = take(module, 'serving', open, () => {
        module.ways().set(ways.map((way) => given[way]!));
        return module.divide() ?? {};
      });
      const found = reply.ok && reply.ways ? rowsOf(ways, reply.ways)[0] : undefined;
      const division = decodeLayout(description, input, found);
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
          points: rowsOf(columns, points).map(({ costAll, divideByBatch, ...point }) => ({
            ...point,
            divideByBatch: divideByBatch > 0,
            ...(costAll > 0 && { costAll }),
          })),
        };
      }),
  };
}
