// Training by reward: a step of both sides, on chips that take turns or apart.

import { makeQuestionCodec } from './asking.ts';
import type { RewardAnswers } from './generated.ts';
import { rewardModule } from './reward-module.ts';
import { rowsOf } from './rows.ts';
import { sampleAlong } from './sampling.ts';
import type { Description, Outcome, RewardModule } from './types.ts';

export async function start(description: Description): Promise<RewardModule> {
  const module = await rewardModule.get();
  const { answer, take } = makeQuestionCodec(description);
  const columns = module.splitColumns();
  return {
    estimate: (input) =>
      answer(module, 'reward', input, () => module.estimateReward()) as Outcome<RewardAnswers>,
    sweep: (input, axis, answers) =>
      take(module, 'reward', input, () => ({
        series: sampleAlong(module, description, 'reward', module.sweepReward, axis, answers),
      })) as never,
    splits: (input) =>
      take(module, 'reward', input, () => {
        const { issues, splits } = module.splits();
        if (issues) return { issues } as never;
        return { splits: rowsOf(columns, splits) };
      }),
  };
}
