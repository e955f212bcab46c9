// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"
#include "scaling/input/server.hpp"
#include "scaling/input/serving.hpp"

namespace scaling {

/// The method by which answers that were rewarded train the model.
enum class RewardAlgorithm : std::uint8_t {
  kGrpo,  ///< answers to one prompt are compared with each other; so do RLOO and DAPO
  kPpo,   ///< another model of the policy's size, the critic, says what to expect
};
inline constexpr const char* kRewardAlgorithmNames[] = {"grpo", "ppo"};

/// A step of training by reward: the prompts, their answers, and what is computed of them.
template <class R>
struct Reward {
  static constexpr const char* kGroup = "reward";
  static constexpr const char* kPrefix = "reward.";
  template <class T>
  struct Slot {
    T reward;
    static constexpr T Slot::*kMember = &Slot::reward;
  };

  RewardAlgorithm algorithm;
  Count<R> prompts, samples;                  ///< of a step; answers to each
  Quantity<kToken, R> prompt, answer;         ///< on average, after the cut
  Quantity<kToken, R> longest;                ///< where answers are cut
  Count<R> sigma;                             ///< spread of the logarithm of answers' lengths
  LengthList answer_list;                     ///< in place of these three, unless empty
  Count<R> updates;                           ///< of the weights, in a step
  bool old_pass, reference_pass, with_model;  ///< forward passes beside the training
  Quantity<kSecond, R> reward_time;           ///< after the last answer, of a step
  Count<R> steps;

  Count<R> answers() const { return prompts * samples; }

  /// Takes the mean and the longest of lengths that are listed.
  void settle() {
    if (answer_list.empty()) return;
    answer = named_number<term::kListedMean, R>(answer_list.mean);
    longest = Quantity<kToken, R>(R(answer_list.longest));
  }

  static constexpr auto fields() {
    constexpr Range kTokens{1, 1e7};
    return Fields{
        choice(&Reward::algorithm, "algorithm", kRewardAlgorithmNames)
            .asked()
            .fallback(RewardAlgorithm::kGrpo),
        count(&Reward::prompts, "prompts", "P", {1, 1e6}).asked().doubling().fallback(64),
        count(&Reward::samples, "samples", "G", {1, 4096}).asked().doubling().fallback(16),
        count(&Reward::prompt, "promptTokens", "T_in", kTokens).doubling().fallback(512),
        count(&Reward::answer, "answerTokens", "a", kTokens)
            .asked()
            .doubling()
            .fallback(2048)
            .when_empty("answerLengths"),
        count(&Reward::longest, "longestAnswer", "a_max", kTokens)
            .asked()
            .doubling()
            .fallback(8192)
            .when_empty("answerLengths"),
        number(&Reward::sigma, "sigma", "sigma", {0, 3}).fallback(1).when_empty("answerLengths"),
        text(&Reward::answer_list, "answerLengths", {}).rare(),
        count(&Reward::updates, "updates", "mu", {1, 1024}).doubling().fallback(1),
        flag(&Reward::old_pass, "oldPass").fallback(1),
        flag(&Reward::reference_pass, "referencePass").fallback(0),
        flag(&Reward::with_model, "rewardModel").fallback(0),
        number(&Reward::reward_time, "rewardTime", "t_reward", {0, 1e5}).fallback(0),
        count(&Reward::steps, "steps", "n_steps", {1, 1e9}).doubling().fallback(1000),
    };
  }
};

/// The use of the chips by both sides.
enum class PoolSharing : std::uint8_t {
  kTurns,  ///< all chips generate, then all train
  kApart,  ///< some generate, the others train
};
inline constexpr const char* kPoolSharingNames[] = {"turns", "apart"};

/// The way by which weights come from the chips that train to those that generate.
enum class HandOver : std::uint8_t {
  kResharded,   ///< each chip gets the part that it holds
  kPacked,      ///< broadcast, many tensors together
  kPackedRdma,  ///< the same, read by the chips that generate
  kGathered,    ///< whole, through one chip
};
inline constexpr const char* kHandOverNames[] = {"resharded", "packed", "packedRdma", "gathered"};

/// The chips of a training by reward, and the software of both sides.
template <class R>
struct Pools {
  static constexpr const char* kGroup = "pools";
  static constexpr const char* kPrefix = "pools.";
  template <class T>
  struct Slot {
    T pools;
    static constexpr T Slot::*kMember = &Slot::pools;
  };

  Quantity<kChip, R> chips;
  PoolSharing sharing;
  Maybe<Quantity<kChip, R>> generation_chips;         ///< of chips apart; absent: as is best
  Count<R> behind;                                    ///< steps by which answers' weights are older
  Maybe<Count<R>> generation_tensor;                  ///< ways of a replica; absent: the fastest
  Maybe<Count<R>> tensor, context, pipeline, expert;  ///< of the training; absent: the fastest
  WeightFormat generation_format;
  bool fp8_training;
  Count<R> memory_share;  ///< that weights and cache may fill while the chip generates
  bool states_leave;      ///< the training's states go to the host meanwhile
  HandOver hand_over;
  Maybe<Quantity<kSecond, R>> hand_over_time;  ///< as measured
  Count<R> generation_factor, training_factor;
  Quantity<kSecond, R> fixed_time;

  bool apart() const { return sharing == PoolSharing::kApart; }
  /// Whether both sides work at the same time.
  bool overlaps() const { return apart() && behind.value() > 0; }

  static constexpr auto fields() {
    constexpr Range kChips{1, 65536};
    constexpr Range kWays{1, 65536};
    constexpr Range kFactor{0.5, 20};
    return Fields{
        count(&Pools::chips, "chips", "n", kChips).asked().doubling().fallback(64),
        choice(&Pools::sharing, "sharing", kPoolSharingNames).asked().fallback(PoolSharing::kTurns),
        count(&Pools::generation_chips, "generationChips", "n_g", kChips)
            .asked()
            .when("sharing", PoolSharing::kApart),
        count(&Pools::behind, "behind", "k", {0, 64})
            .asked()
            .fallback(1)
            .when("sharing", PoolSharing::kApart),
        count(&Pools::generation_tensor, "generationTensor", "t_g", kWays).doubling(),
        count(&Pools::tensor, "trainingTensor", "t", kWays).doubling(),
        count(&Pools::context, "trainingContext", "c", kWays).rare().doubling(),
        count(&Pools::pipeline, "trainingPipeline", "p", kWays).doubling(),
        count(&Pools::expert, "trainingExpert", "e", kWays).doubling(),
        choice(&Pools::generation_format, "generationFormat", kWeightFormatNames)
            .fallback(WeightFormat::kBf16),
        flag(&Pools::fp8_training, "fp8Training").rare().fallback(0),
        number(&Pools::memory_share, "memoryShare", "u_hbm", {0.01, 1}).in_percent().fallback(0.6),
        flag(&Pools::states_leave, "statesLeave")
            .rare()
            .fallback(1)
            .when("sharing", PoolSharing::kTurns),
        choice(&Pools::hand_over, "handOver", kHandOverNames)
            .fallback(HandOver::kPacked)
            .when("sharing", PoolSharing::kApart),
        number(&Pools::hand_over_time, "handOverSeconds", "t_over", {0, 1e5}),
        // NeMo RL's: of 18 published steps; see shared/reward-runs.json.
        number(&Pools::generation_factor, "generationFactor", "c_g", kFactor).rare().fallback(1.3),
        number(&Pools::training_factor, "trainingFactor", "c_t", kFactor).rare().fallback(1.15),
        number(&Pools::fixed_time, "fixedTime", "t_0", {0, 1e4}).rare().fallback(8),
    };
  }
};

}  // namespace scaling
