// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/chip.hpp"
#include "scaling/input/run.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling {

namespace term {

inline constexpr Term kForwardFlopsPerToken{"forwardFlopsPerToken", "f_fwd", kFlopsPerToken,
                                            "book-transformers"};
inline constexpr Term kTrainingFlopsPerToken{"trainingFlopsPerToken", "f", kFlopsPerToken,
                                             "book-transformers"};
inline constexpr Term kSixNFlopsPerToken{"sixNFlopsPerToken", "6P", kFlopsPerToken,
                                         "book-transformers"};
inline constexpr Term kExactFlopsPerToken{"exactFlopsPerToken", "f_exact", kFlopsPerToken,
                                          "megatron"};
inline constexpr Term kRematFlopsPerToken{"rematFlopsPerToken", "f_remat", kFlopsPerToken,
                                          "book-transformers"};
inline constexpr Term kTowerFlopsPerToken{"towerFlopsPerToken", "f_vit", kFlopsPerToken, "vit"};
inline constexpr Term kMfuExact = Term{"mfuExact", "MFU_exact", kOne, "megatron"}.in_percent();
inline constexpr Term kTotalFlops{"totalFlops", "FLOPs", kFlop, "book-applied-training"};
inline constexpr Term kOneChipTime{"oneChipTime", "T_1", kSecond, "book-applied-training"};
inline constexpr Term kOneChipTokenTime{"oneChipTokenTime", "T_token", kSecond / kToken,
                                        "book-applied-training"};
inline constexpr Term kTrainingTime{"trainingTime", "T_train", kSecond, "book-applied-training"};
inline constexpr Term kStepTime = Term{"stepTime", "T_step", kSecond, "book-training"}.of_step();
inline constexpr Term kSteps{"steps", "n_steps", kOne, "definition"};
inline constexpr Term kTokensPerSecond{"tokensPerSecond", "B/T_step", kToken / kSecond,
                                       "definition"};
inline constexpr Term kChipHours{"chipHours", "h_chip", kChip* kHour, "definition"};
inline constexpr Term kCost{"cost", "cost", kDollar, "book-applied-inference"};
inline constexpr Term kEnergy{"energy", "E", kJoule, "llama-model-card"};
inline constexpr Term kTimeOnMinimum{"timeOnMinimumChips", "T_min", kSecond,
                                     "book-applied-training"};

}  // namespace term

/// The parameters that the answers reckon with: the stated counts where given, else the computed
/// ones [params].
template <class R>
struct UsedParameters {
  Quantity<kParam, R> total, active;
};

template <class R>
UsedParameters<R> used_parameters(const Model<R>& model, const Parameters<R>& computed);

/// FLOPs of one token [FLOPs/token]: by the rule that `run` chooses, and by both for comparison.
template <class R>
struct TrainingFlops {
  using PerToken = Quantity<term::kFlopsPerToken, R>;
  PerToken forward, training;  ///< FLOPs by the chosen rule; training is 3 x forward
  PerToken six_n, exact;
  PerToken remat;  ///< with the whole forward pass computed again
};

template <class R>
TrainingFlops<R> training_flops(const Model<R>& model, const TrainingJob<R>& run,
                                const Parameters<R>& computed, const UsedParameters<R>& used);

/// Seconds in which `chips` at `mfu` of their `peak` do `flops`. Source: book ch. 6.
template <class R>
Quantity<kSecond, R> time_for(Quantity<kFlop, R> flops, Quantity<kChip, R> chips,
                              Quantity<kFlop / kSecond / kChip, R> peak, Count<R> mfu) {
  return flops / (chips * peak * mfu);
}

/// Hours that all chips together are busy [chip h].
template <class R>
Quantity<kChip * kHour, R> chip_hours(Quantity<kChip, R> chips, Quantity<kSecond, R> time) {
  return chips * time / constant<kSecond / kHour, R>(3600);
}

}  // namespace scaling
