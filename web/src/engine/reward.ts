// Training by reward: a step of both sides, on chips that take turns or apart.

import { makeQuestionCodec } from './asking.ts';
import type { RewardAnswers } from './generated.ts';
import { rewardModule } from './reward-module.ts';
import { sampleAlong } from './sampling.ts';
import type { Description, Outcome, RewardModule } from './types.ts';

export async function start(description: Description): Promise<RewardModule> {
  const module = await rewardModule.get();
  const { answer, take } = makeQuestionCodec(description);
  return {
    estimate: (input) =>
      answer(module, 'reward', input, () => module.estimateReward()) as Outcome<RewardAnswers>,
    sweep: (input, axis, answers) =>
      take(module, 'reward', input, () => ({
        series: sampleAlong(module, description, 'reward', module.sweepReward, axis, answers),
      })) as never,
  };
}
