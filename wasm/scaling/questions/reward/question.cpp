// SPDX-License-Identifier: MIT
#include "scaling/questions/reward/question.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include "scaling/input/check.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/serving/server_layout.hpp"

namespace scaling {
namespace {

constexpr const char* kPools = Pools<double>::kGroup;
constexpr const char* kReward = Reward<double>::kGroup;

/// The fields of a training that readers set.
constexpr std::pair<std::string_view, const char*> kOfTraining[] = {
    {"chips", "chips"},
    {"slices", "chips"},
    {"tensor", "trainingTensor"},
    {"context", "trainingContext"},
    {"pipeline", "trainingPipeline"},
    {"expert", "trainingExpert"},
    {"fp8Matmuls", "fp8Training"}};

/// Adds what is wrong with the training, at the fields that readers set.
void check_training(const RewardGroups<double>& in, Issues& issues) {
  const auto training = training_search(in, usual_split(in.pools));
  Issues found;
  check_machine(training, found);
  if (found.empty()) check_ways(training, found);
  for (Issue issue : found.items()) {
    for (const auto& [key, field] : kOfTraining) {
      const bool of_chip =
          issue.group == Chip<double>::kGroup || issue.group == Model<double>::kGroup;
      if (of_chip || key != issue.field) continue;
      issue.group = kPools;
      issue.field = field;
      break;
    }
    const auto& arguments = issue.arguments;
    issues.add(issue.code, issue.group, issue.field, arguments[0], arguments[1], arguments[2],
               arguments[3]);
  }
}

void check_replica(const RewardGroups<double>& in, Issues& issues) {
  const auto& tensor = in.pools.generation_tensor;
  if (!tensor.present()) return;
  const double ways = tensor.value.value();
  const double chips = usual_split(in.pools);
  RewardChoice choice{};
  choice.tensor = ways;
  choice.generation_chips = chips;
  const auto replica = replica_of(in, in.chip, in.model, choice, {});
  if (const auto fault = tensor_fault(ServingInput<double>(replica), ways)) {
    issues.add(fault->code, kPools, "generationTensor", fault->first, fault->second);
  } else if (ways > in.model.heads.value()) {
    issues.add(IssueCode::kMoreChipsThanRows, kPools, "generationTensor", in.model.heads.value());
  } else if (ways > chips) {
    issues.add(IssueCode::kAboveMaximum, kPools, "generationTensor", 1, chips);
  }
}

void check_reward(const RewardGroups<double>& in, Issues& issues) {
  const auto& reward = in.reward;
  const auto& pools = in.pools;
  if (reward.longest < reward.answer) {
    issues.add(IssueCode::kBelowMinimum, kReward, "longestAnswer", reward.answer.value(),
               field_of<Reward>("longestAnswer").maximum);
  }
  const double sequences = (reward.answers() / reward.updates).value();
  if (sequences != std::floor(sequences)) {
    issues.add(IssueCode::kNotWholeSequences, kReward, "updates", sequences);
  }
  if (!pools.apart()) return;
  const double chips = pools.chips.value();
  if (chips < 2) {
    issues.add(IssueCode::kBelowMinimum, kPools, "chips", 2, field_of<Pools>("chips").maximum);
  } else if (pools.generation_chips.present() && pools.generation_chips.value.value() >= chips) {
    issues.add(IssueCode::kAboveMaximum, kPools, "generationChips", 1, chips - 1);
  }
}

/// Whether there is a split to try.
bool can_be_split(const RewardGroups<double>& in) {
  const auto splits = tried_splits(in);
  for (std::size_t i = 0; i < splits.size; ++i) {
    if (can_split(in, splits.chips[i])) return true;
  }
  return false;
}

}  // namespace

void RewardQuestion::check_relations(const Typed<double>& input, Issues& issues, Issues& notices) {
  const RewardGroups<double>& in = input;
  check_model(in.model, issues);
  check_sixteen_bits(in.chip, issues);
  if (issues.empty()) check_reward(in, issues);
  if (issues.empty()) check_replica(in, issues);
  const bool searched = in.pools.apart() && !in.pools.generation_chips.present();
  if (issues.empty() && !(searched && can_be_split(in))) check_training(in, issues);
  if (!issues.empty()) return;
  const double context = in.model.context_length.value();
  if (context > 0 && (in.reward.prompt + in.reward.longest).value() > context) {
    notices.add(IssueCode::kContextExceeded, kReward, "longestAnswer", context);
  }
}

}  // namespace scaling
