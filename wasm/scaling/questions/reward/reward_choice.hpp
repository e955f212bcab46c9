// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/questions/reward/reward_step.hpp"

namespace scaling {

/// The chips that generate, of those that both sides share out, and how much it matters.
struct BestSplit {
  double chips = 0;          ///< 0: none can be tried
  double low = 0, high = 0;  ///< splits between which a step takes at most 5 % longer
  double seconds = 0;        ///< of a step
};

/// Splits that a search tries: eighths of the chips, or all of a few.
struct TriedSplits {
  std::array<double, 8> chips;  ///< that generate
  std::size_t size;
};

/// All that is chosen for a step.
struct RewardPlan {
  RewardChoice choice;
  BestSplit split;               ///< of chips apart, with answers by weights one step old at least
  TriedSplits tried;             ///< of the same
  std::array<double, 8> took{};  ///< seconds of a step of each of them; 0: doesn't fit
  double in_turns = 0;           ///< seconds of a step on chips that take turns; 0: not to be had
};

/// The input of a search for the layout of a training on so many chips; given ways are pinned.
SearchInput<double> training_search(const RewardGroups<double>& in, double generation_chips);

/// Whether so many chips may generate, and the others train in the ways that are given.
bool can_split(const RewardGroups<double>& in, double generation_chips);

/// The splits of the input's chips.
TriedSplits tried_splits(const RewardGroups<double>& in);

/// The number of chips that generate where none can be found: as given, or half of them; all where
/// they take turns.
double usual_split(const Pools<double>& pools);

/// Chooses the split, the tensor ways of replicas and the layout of the training, each by the step
/// that it leads to. Where nothing fits, what is nearest to it.
RewardPlan choose_reward(const RewardGroups<double>& in);

}  // namespace scaling
