// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/chip.hpp"
#include "scaling/input/run.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling {

namespace term {

inline constexpr Term kWeightMemory{"weightMemory", "M_w", kByte, "book-applied-training"};
inline constexpr Term kGradientMemory{"gradientMemory", "M_g", kByte, "zero"};
inline constexpr Term kOptimizerMemory{"optimizerMemory", "M_o", kByte, "book-applied-training"};
inline constexpr Term kCheckpointMemory{"checkpointMemory", "M_ckpt", kByte,
                                        "book-applied-training"};
inline constexpr Term kTotalMemory{"totalMemory", "M", kByte, "book-applied-training"};
inline constexpr Term kBytesPerParameter{"bytesPerParameter", "s", kByte / kParam, "zero"};

inline constexpr Dimension kPerChip = kByte / kChip;
inline constexpr Term kWeightsPerChip{"weightMemoryPerChip", "m_w", kPerChip, "zero"};
inline constexpr Term kGradientsPerChip{"gradientMemoryPerChip", "m_g", kPerChip, "zero"};
inline constexpr Term kOptimizerPerChip{"optimizerMemoryPerChip", "m_o", kPerChip, "zero"};
inline constexpr Term kCheckpointsPerChip{"checkpointMemoryPerChip", "m_ckpt", kPerChip,
                                          "book-applied-training"};
inline constexpr Term kMemoryPerChip{"memoryPerChip", "m", kPerChip, "book-applied-training"};
inline constexpr Term kMemoryFraction =
    Term{"memoryFraction", "m/M_hbm", kOne, "definition"}.in_percent();
inline constexpr Term kMemoryLeft{"memoryLeft", "M_hbm-m", kPerChip, "definition"};

inline constexpr Term kFractionalMinimumChips{"fractionalMinimumChips", "n_fit", kChip,
                                              "book-applied-training"};
inline constexpr Term kMinimumChips{"minimumChips", "n_min", kChip, "book-applied-training"};

}  // namespace term

/// Memory of a training, over all chips as if nothing were copied [B], and on each chip [B/chip].
template <class R>
struct TrainingMemory {
  Quantity<kByte, R> weights, gradients, optimizer, checkpoints, total;
  Quantity<term::kPerChip, R> weights_per_chip, gradients_per_chip, optimizer_per_chip,
      checkpoints_per_chip, per_chip;
  Maybe<Quantity<kChip, R>> fractional_minimum_chips;  ///< before rounding up
  Maybe<Quantity<kChip, R>> minimum_chips;             ///< kNever: what is not divided is too much
};

/// Model states by `run`'s bytes per parameter and sharding, activation checkpoints by its rule.
/// States are divided among the chips of a slice and copied in each slice; the checkpoints are
/// those of the whole batch, divided among all chips. Source: book ch. 5 and 6; ZeRO, section 5.
template <class R>
TrainingMemory<R> training_memory(const Chip<R>& chip, const Model<R>& model, const Run<R>& run,
                                  Quantity<kParam, R> parameters);

}  // namespace scaling
