// SPDX-License-Identifier: MIT
#include "scaling/questions/reward/question.hpp"

#include <type_traits>

#include "scaling/input/read_groups.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/quantity/longest.hpp"

namespace scaling {
namespace {

template <class R, class Answers>
void answer_generation(const RewardGroups<R>& in, const Generation<R>& side, Answers& sheet) {
  const auto& rollout = side.rollout;
  sheet.template put<term::kGenerateEven>(side.even);
  sheet.template put<term::kGenerateAlone>(side.alone);
  const double last = rollout.lengths.stretches.back().until;
  sheet.template put<term::kLongestOfBatch>(
      last == in.reward.answer.value() ? in.reward.answer
                                       : as<kToken>(named_number<term::kStretchLength, R>(last)));
  sheet.template put<term::kBusySlots>(side.time.busy);
  sheet.template put<term::kSlots>(rollout.slots);
  sheet.template put<term::kSamplesOfReplica>(rollout.samples);
  sheet.template put<term::kReplicas>(side.replicas);
}

template <class R, class Answers>
void answer_choice(const RewardGroups<R>& in, const RewardChoice& choice,
                   const SearchInput<R>& training, Answers& sheet) {
  sheet.template put<term::kReplicaTensor>(scalar<R>(choice.tensor));
  sheet.template put<term::kGenerationChips>(in.pools.apart() ? in.pools.chips - training.run.chips
                                                              : in.pools.chips);
  sheet.template put<term::kTrainingChips>(training.run.chips);
  sheet.template put<term::kChosenTensor>(training.layout.tensor);
  sheet.template put<term::kChosenContext>(training.layout.context);
  sheet.template put<term::kChosenPipeline>(training.layout.pipeline);
  if (in.model.sparse()) sheet.template put<term::kChosenExpert>(training.layout.expert);
}

/// Splits that were tried, and whether chips apart gain.
template <class R, class Answers>
void answer_splits(const RewardPlan& plan, Answers& sheet) {
  const auto& split = plan.split;
  using Seconds = Quantity<kSecond, R>;
  const auto turns = plan.in_turns;
  if (turns > 0) sheet.template put<term::kTurnsStep>(Seconds(R(turns)));
  if (!(split.chips > 0)) return;
  const auto chips = [](double count) { return Quantity<kChip, R>(R(count)); };
  sheet.template put<term::kBestSplit>(chips(split.chips));
  sheet.template put<term::kSplitLow>(chips(split.low));
  sheet.template put<term::kSplitHigh>(chips(split.high));
  const auto apart = sheet.template put<term::kApartStep>(Seconds(R(split.seconds)));
  if (turns > 0) {
    sheet.template put<term::kGainApart>(named_number<term::kTurnsStep, R>(turns) / apart);
  }
}

template <class R, class Answers>
void answer_memory(const RewardGroups<R>& in, const RewardChoice& choice,
                   const Generation<R>& generation, const TrainingSide<R>& training,
                   const Assumptions<R>& assumptions, Answers& sheet) {
  sheet.template put<term::kRewardFits>(scalar<R>(choice.generates && choice.trains ? 1 : 0));
  sheet.template put<term::kMemoryGenerating>(generation.used);
  sheet.template put<term::kGeneratingLimit>(in.pools.memory_share * of_one_chip(in.chip.memory));
  sheet.template put<term::kMemoryTraining>(training.memory);
  sheet.template put<term::kMemoryLimit>(memory_limit(in.chip, assumptions));
  const bool leave = !in.pools.apart() && in.pools.states_leave;
  if (leave) sheet.template put<term::kHostUsed>(training.states);
}

template <class R, class Answers>
void answer_yield(const RewardGroups<R>& in, Quantity<kSecond, R> step, Answers& sheet) {
  const auto& reward = in.reward;
  const auto& chips = in.pools.chips;
  const auto tokens =
      sheet.template put<term::kStepTokens>(reward.answers() * (reward.prompt + reward.answer));
  const auto speed = sheet.template put<term::kTokensPerSecond>(tokens / step);
  sheet.template put<term::kRewardSpeedPerChip>(speed / chips);
  const auto hour = constant<kSecond / kHour, R>(3600);
  sheet.template put<term::kAnswersPerHour>(reward.answers() / step * hour);
  const auto an_hour = answer_chip_hour(in.chip, scalar<R>(1), sheet);
  sheet.template put<term::kCostPerStep>(
      when_present([&](auto price) { return price * chips * step / hour; }, an_hour));
  const auto time = sheet.template put<term::kTrainingTime>(reward.steps * step);
  const auto hours = sheet.template put<term::kChipHours>(chip_hours(chips, time));
  sheet.template put<term::kCost>(when_present([&](auto price) { return price * hours; }, an_hour));
}

/// The longest part of a step: of the generation, what is not its tail.
template <class R>
Count<R> bound_of(const RewardTime<R>& time, Quantity<kSecond, R> tail) {
  return longest_of(PartsOf<R, std::size(kRewardBoundNames)>{
      time.generation - tail, tail, time.training, time.hand_over, time.rest});
}

template <class R, class Answers>
Quantity<kSecond, R> answer_time(const RewardGroups<R>& in, const RewardChoice& choice,
                                 const Generation<R>& generation, const TrainingSide<R>& training,
                                 Answers& sheet) {
  const auto& pools = in.pools;
  RewardTime<R> time;
  time.generation = sheet.template put<term::kGenerateTime>(generation.time.time);
  const auto tail = generation.time.tail;
  if (tail.value() > 0) sheet.template put<term::kTailTime>(tail);
  const auto log_probs = training.log_probs;
  auto of_training = sheet.template put<term::kUpdateTime>(training.updates);
  if (log_probs.value() > 0) {
    of_training = of_training + sheet.template put<term::kLogProbTime>(log_probs);
  }
  if (training.critic.value() > 0) {
    of_training = of_training + sheet.template put<term::kCriticTime>(training.critic);
  }
  time.training = of_training;
  time.hand_over = sheet.template put<term::kHandOverTime>(hand_over_time(in, choice, in.model));
  time.rest = in.reward.reward_time;
  if (!pools.overlaps()) time.rest = time.rest + pools.fixed_time;
  time.rest = sheet.template put<term::kRestTime>(time.rest);

  const auto step = sheet.template put<term::kStepExpected>(time.step(pools, in.reward));
  const auto lower = sheet.template put<term::kStepLower>(
      pools.overlaps() ? max(generation.lower, training.lower) : generation.lower + training.lower);
  sheet.template put<term::kStepLow>(max(step * scalar<R>(kRewardConstants.step_low), lower));
  sheet.template put<term::kStepHigh>(step * scalar<R>(kRewardConstants.step_high));
  sheet.template put<term::kRewardBoundTerm>(bound_of(time, tail));
  if (pools.apart()) {
    const auto one = scalar<R>(1);
    sheet.template put<term::kIdleGeneration>(one - time.generation / step);
    sheet.template put<term::kIdleTraining>(one - time.training / step);
  }
  return step;
}

}  // namespace

template <class R>
RewardQuestion::Typed<R> RewardQuestion::read(const Input& input) {
  Typed<R> typed{QuestionOf::read<R>(input), {}};
  if constexpr (std::is_same_v<R, double>) {
    typed.plain = static_cast<const RewardGroups<double>&>(typed);
  } else {
    typed.plain = QuestionOf::read<double>(input);
  }
  return typed;
}

template <class R>
RewardQuestion::Answers<R> RewardQuestion::answer(const Typed<R>& typed) {
  const RewardGroups<R>& in = typed;
  const RewardPlan plan = choose_reward(typed.plain);
  const auto& choice = plan.choice;
  const auto plain = training_of<double>(typed.plain, choice);
  const auto training = training_of<R>(in, choice);
  const CompiledModel<double> plain_kernels(plain.model);
  const CompiledModel<R> kernels(training.model);
  const auto of_training = training_side<R>(in, training, plain);
  const bool stay = !in.pools.apart() && !in.pools.states_leave;
  const auto replica = replica_of<R>(in, training.chip, training.model, choice,
                                     stay ? of_training.states : Quantity<kByte, R>{});
  const auto generation = generation_of<R>(in, ServingInput<R>(replica));

  Answers<R> sheet;
  const auto step = answer_time(in, choice, generation, of_training, sheet);
  answer_generation(in, generation, sheet);
  answer_choice(in, choice, training, sheet);
  sheet.template put<term::kTrainingStep>(of_training.step);
  sheet.template put<term::kForwardPass>(of_training.pass);
  answer_splits<R>(plan, sheet);
  answer_memory(in, choice, generation, of_training, training.assumptions, sheet);
  answer_yield(in, step, sheet);
  return sheet;
}

template RewardGroups<SCALING_REP> RewardQuestion::Input::read<SCALING_REP>() const;
template RewardQuestion::Typed<SCALING_REP> RewardQuestion::read(const Input&);
template RewardQuestion::Answers<SCALING_REP> RewardQuestion::answer(const Typed<SCALING_REP>&);

}  // namespace scaling
