// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/hardware/kernel_rates.hpp"

namespace scaling {

/// Constants common to all.
struct StepConstants {
  std::array<TrainingRates, kChipGenerations> generations{};
  Constant memory;              ///< share of the memory's bandwidth
  Constant backward_attention;  ///< rate of attention's backward pass over the forward one's
  Constant elementwise;         ///< bytes that elementwise kernels move over those of fused ones
  Constant cast;                ///< the same, of casts to fewer bits
  Constant unfused;             ///< the same, of software that fuses none of them
  Constant adapter;             ///< the same, of adapters beside frozen matmuls
  Constant adapter_fused;       ///< the same, where their kernels are fused or compiled
  Constant restoring;           ///< share of the bandwidth at which matrices are dequantised
  Constant restoring_fused;     ///< the same of compiled kernels
  /// Copies in 16 bits of the inputs of quantised matrices that unfused software keeps.
  Constant quantised_inputs;
  Constant naive_attention;  ///< rate of matmuls of attention without fused kernels over others'
  Constant score_bytes;      ///< that attention without fused kernels moves for each score [B]
  Constant score_forward;    ///< share of these that the forward pass moves
  /// Share of the memory's bandwidth at which kernels that keep a state move the numbers of their
  /// tokens, twice each: chunks of Gated DeltaNet on H100.
  Constant state_memory;
  Constant misaligned;        ///< time of a matmul whose widths are no multiples of 64
  Constant rowwise;           ///< time of an fp8 matmul with a scale for each row
  Constant power_limit;       ///< most that power above the kernels' raises rates
  Constant exposed_tensor;    ///< share of tensor transfers that overlap leaves exposed
  Constant exposed_context;   ///< the same of context ways' transfers
  Constant exposed_pipeline;  ///< the same of hops between stages
  Constant exchange_near;     ///< share of a domain's links that tokens reach to experts
  Constant exchange_far;      ///< the same of a rank's way out of it
  Constant exchange_torus;    ///< the same of a torus's links
  Constant exposed_expert;    ///< of tokens' to experts, while another micro-batch computes
  Constant interference;      ///< share of hidden data transfers that slows the passes
  Constant ring_step;         ///< time of a ring of data ways for each chip on it [s]
  Constant share_start;   ///< time to send a chip's share of updated weights without overlap [s]
  Constant growth;        ///< increase of a step with each doubling of chips above 8
  Constant window;        ///< share of the passes that hides data transfers
  Constant host_dense;    ///< host time of each dense layer of a micro-batch, if fused [s]
  Constant host_eager;    ///< the same of kernels launched one by one [s]
  Constant host_early;    ///< the same of software of 2022, or where none is fused [s]
  Constant host_tensor;   ///< added by collectives of tensor ways in software of 2022 [s]
  Constant host_full;     ///< added where eight tensor ranks share a host [s]
  Constant host_sparse;   ///< the same of each layer with experts [s]
  Constant host_expert;   ///< added for each expert that the chip holds [s]
  Constant host_partial;  ///< share of a layer's host time that partial CUDA graphs leave
  Constant overhead;      ///< time of each step for logging, data, synchronisation [s]
  Constant iteration;     ///< the same where the iteration alone is timed, or one graph [s]
  Constant slowest;       ///< share of the rates in the upper bound
  /// 5 % of steps take longer than expected by more than this, in shares of the kernels in 16 bits
  /// and of the rest; times as far off in fewer bits, or where adapters train; and the share of
  /// that by which 5 % take less, where the host's launches are not waited for.
  Constant spread_kernels, spread_rest, spread_eight{1}, spread_four{1}, spread_tuning{1},
      spread_low;
  /// Times as wide in logarithms is all this for software that is not in the fit, of dense models
  /// and of models with experts.
  Constant spread_other{1}, spread_other_experts{1};
  /// 5 % of chips hold less memory than predicted by more than the one, and 5 % more by more than
  /// the other, in shares of it.
  Constant memory_less, memory_more;
};

/// The constants of shared/efficiency.json.
extern const StepConstants kStepConstants;

}  // namespace scaling
