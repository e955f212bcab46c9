// SPDX-License-Identifier: MIT
//
// The answers to prompts that come all at once, of which nobody waits for one but for all.
#pragma once

#include "scaling/serving/cycle.hpp"
#include "scaling/serving/lengths.hpp"

namespace scaling {

namespace term {

inline constexpr Term kStretchLength{"stretchLength", "l", kOne, "measured-reward"};
inline constexpr Term kStretchShare{"stretchShare", "S", kOne, "measured-reward"};
inline constexpr Term kStretchStep{"stretchStep", "T_step(l)", kSecond, "measured-reward"};
inline constexpr Term kWeightedLength{"weightedLength", "E[a^2]/E[a]", kOne, "measured-reward"};
inline constexpr Term kFullStep{"fullStep", "T_step,full", kSecond, "measured-reward"};
inline constexpr Term kFullTime{"fullTime", "T_full", kSecond, "measured-reward"};
inline constexpr Term kTailTime{"tailTime", "T_tail", kSecond, "measured-reward"};
inline constexpr Term kRolloutPrefill{"rolloutPrefill", "T_prompts", kSecond, "measured-reward"};
inline constexpr Term kPromptsOfReplica{"promptsOfReplica", "P_r", kOne, "definition"};

}  // namespace term

/// The answers that one replica gives, of the ways of `in.serving`, whose answer is their mean.
template <class R>
struct Rollout {
  Count<R> samples;       ///< of this replica
  Count<R> slots;         ///< of these, at work at a time
  double prompts;         ///< that have these samples
  AnswerLengths lengths;  ///< of as many answers as there are slots
};

template <class R>
struct RolloutTime {
  Quantity<kSecond, R> time;  ///< until the last answer, prompts included
  Quantity<kSecond, R> tail;  ///< the part of it in which less than a tenth of the slots is at work
  Count<R> busy;              ///< share of the slots that are at work, on average
};

/// Drains a batch. While samples wait for a slot, all slots are at work; then those that are there
/// end one by one, and the steps become shorter:
///
///   T = T_prompts + (n - B) a / B T_step(B) + the sum over stretches of length T_step(B S, length)
template <class R>
RolloutTime<R> drain(const ServingInput<R>& in, const WeightBytes<R>& weights,
                     const Rollout<R>& rollout);

/// The time of as many samples where others take the places of those that end: no tail.
template <class R>
RolloutTime<R> keep_full(const ServingInput<R>& in, const WeightBytes<R>& weights,
                         const Rollout<R>& rollout);

/// The time of `samples` that are all of the mean.
template <class R>
Quantity<kSecond, R> drain_even(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const Rollout<R>& rollout);

/// No drain takes less: as many steps as the mean is long, each of all slots at full rates and
/// after the prompt alone. A step with fewer slots takes no less for each of them.
template <class R>
Quantity<kSecond, R> rollout_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                   const Rollout<R>& rollout);

}  // namespace scaling
