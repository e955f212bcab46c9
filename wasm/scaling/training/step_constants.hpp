// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/hardware/kernel_rates.hpp"

namespace scaling {

/// Constants common to all.
struct StepConstants {
  std::array<TrainingRates, kChipGenerations> generations{};
  double memory = 0;              ///< share of the memory's bandwidth
  double backward_attention = 0;  ///< rate of attention's backward pass over the forward one's
  double elementwise = 0;         ///< bytes that elementwise kernels move over those of fused ones
  double cast = 0;                ///< the same, of casts to fewer bits
  double naive_attention = 0;   ///< rate of matmuls of attention without fused kernels over others'
  double score_bytes = 0;       ///< that attention without fused kernels moves for each score [B]
  double misaligned = 0;        ///< time of a matmul whose widths are no multiples of 64
  double rowwise = 0;           ///< time of an fp8 matmul with a scale for each row
  double power_limit = 0;       ///< most that power above the kernels' raises rates
  double exposed_tensor = 0;    ///< share of tensor transfers that overlap leaves exposed
  double exposed_context = 0;   ///< the same of context ways' transfers
  double exposed_pipeline = 0;  ///< the same of hops between stages
  double exposed_expert_graphs = 0;  ///< the same of expert ways', with full CUDA graphs
  double interference = 0;           ///< share of hidden data transfers that slows the passes
  double ring_step = 0;              ///< time of a ring of data ways for each chip on it [s]
  double share_start = 0;   ///< time to send a chip's share of updated weights without overlap [s]
  double growth = 0;        ///< increase of a step with each doubling of chips above 8
  double window = 0;        ///< share of the passes that hides data transfers
  double host_dense = 0;    ///< host time of each dense layer of a micro-batch [s]
  double host_sparse = 0;   ///< the same of each layer with experts [s]
  double host_expert = 0;   ///< added for each expert that the chip holds [s]
  double host_partial = 0;  ///< share of a layer's host time that partial CUDA graphs leave
  double host_again = 0;    ///< host time of recomputation over that of both passes
  double overhead = 0;      ///< time of each step for logging, data, synchronisation [s]
  double slowest = 0;       ///< share of the rates in the upper bound
  /// 5 % of steps take longer than expected by more than this, in shares of the kernels in 16 bits
  /// and of the rest; times as far off in fewer bits; and the share of that by which 5 % take less,
  /// where the host's launches are not waited for.
  double spread_kernels = 0, spread_rest = 0, spread_eight = 1, spread_four = 1, spread_low = 0;
  /// 5 % of chips hold less memory than predicted by more than the one, and 5 % more by more than
  /// the other, in shares of it.
  double memory_less = 0, memory_more = 0;
};

/// The constants of shared/efficiency.json.
extern const StepConstants kStepConstants;

}  // namespace scaling
