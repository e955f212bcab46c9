// SPDX-License-Identifier: MIT
//
// A step of training by reward: answers by a server's steps, then a training's, on the same chips
// or on others.
#pragma once

#include "scaling/input/groups.hpp"
#include "scaling/questions/reward/reward.hpp"
#include "scaling/questions/reward/reward_constants.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/serving/rollout.hpp"
#include "scaling/training/layout_choice.hpp"

namespace scaling {

namespace term {

inline constexpr Term kPaddedSequence{"paddedSequence", "T", kToken, "measured-reward"};
inline constexpr Term kUpdateSequences{"updateSequences", "b_mu", kOne, "definition"};
inline constexpr Term kGenerationChips{"generationPool", "n_g", kChip, "definition"};
inline constexpr Term kTrainingChips{"trainingPool", "n_t", kChip, "definition"};
inline constexpr Term kReplicas{"replicas", "n_r", kOne, "definition"};
inline constexpr Term kSamplesOfReplica{"samplesOfReplica", "n_a", kOne, "definition"};
inline constexpr Term kSlots{"slots", "B_slots", kOne, "paged-attention"};
inline constexpr Term kForwardPass{"forwardPass", "T_fwd", kSecond, "measured-reward"};
inline constexpr Term kPassesBeside{"passesBeside", "n_fwd", kOne, "definition"};
inline constexpr Term kTrainingStep{"trainingStep", "T_train", kSecond, "measured-steps"};
inline constexpr Term kGenerateTime{"generateTime", "T_gen", kSecond, "measured-reward"};
inline constexpr Term kLogProbTime{"logProbTime", "T_logp", kSecond, "measured-reward"};
inline constexpr Term kUpdateTime{"updateTime", "T_upd", kSecond, "measured-reward"};
inline constexpr Term kCriticTime{"criticTime", "T_critic", kSecond, "measured-reward"};
inline constexpr Term kHandOverTime{"handOverTime", "T_over", kSecond, "measured-reward"};
inline constexpr Term kHandOverBytes{"handOverBytes", "P_over", kByte, "definition"};

}  // namespace term

template <class R>
using RewardGroups = Groups<R, Chip, Model, Reward, Pools>;

/// The parts of a step that are chosen, on plain numbers.
struct RewardChoice {
  double generation_chips, training_chips;  ///< the same ones where they take turns
  double tensor;                            ///< ways of a replica
  Raw<Layout> layout;                       ///< of the training
  bool generates;                           ///< whether a replica holds an answer
  bool trains;                              ///< whether the training fits
};

/// The input of a training of `choice`, which makes an update.
template <class R>
SearchInput<R> training_of(const RewardGroups<R>& in, const RewardChoice& choice);

/// The input of a replica that generates.
template <class R>
struct ReplicaInput {
  const Chip<R>& chip;
  const Model<R>& model;
  Serving<R> serving;
  Server<R> server;
};

/// `chip` and `model` are those of `in`, or copies that outlive it. `states` of a training stay
/// beside it [B].
template <class R>
ReplicaInput<R> replica_of(const RewardGroups<R>& in, const Chip<R>& chip, const Model<R>& model,
                           const RewardChoice& choice, Quantity<kByte, R> states);

/// The side that generates.
template <class R>
struct Generation {
  Count<R> replicas;
  Rollout<R> rollout;
  RolloutTime<R> time;  ///< expected, with the software's factor
  Quantity<kSecond, R> even, alone, lower;
  Quantity<kByte, R> weights, used;  ///< on a chip
  bool holds;                        ///< an answer
};

template <class R>
Generation<R> generation_of(const RewardGroups<R>& in, const ServingInput<R>& replica);

/// The side that trains.
template <class R>
struct TrainingSide {
  Quantity<kSecond, R> step, pass;  ///< of the training's software by itself; of all tokens
  Quantity<kSecond, R> log_probs, updates, critic, lower;
  Quantity<kByte, R> states;  ///< that a chip holds between steps
  Quantity<kByte, R> memory;  ///< of the fullest chip, what all passes need
  Quantity<kByte, R> fitted;  ///< the part of it that has to fit
  Quantity<kByte, R> own;     ///< the part of that which the policy's training needs

  Quantity<kSecond, R> time() const { return log_probs + updates + critic; }
};

template <class R>
TrainingSide<R> training_side(const RewardGroups<R>& in, const SearchInput<R>& training,
                              const SearchInput<double>& plain);

/// Time to bring new weights to the chips that generate; of chips that take turns, to give them to
/// the other side and back.
template <class R>
Quantity<kSecond, R> hand_over_time(const RewardGroups<R>& in, const RewardChoice& choice,
                                    const Model<R>& model);

/// A step of both sides.
template <class R>
struct RewardTime {
  Quantity<kSecond, R> generation, training, hand_over, rest;

  /// One after another, or at the same time.
  Quantity<kSecond, R> step(const Pools<R>& pools, const Reward<R>& reward) const {
    if (pools.overlaps()) return max(generation + reward.reward_time, training) + hand_over;
    return generation + rest + training + hand_over;
  }
};

}  // namespace scaling
