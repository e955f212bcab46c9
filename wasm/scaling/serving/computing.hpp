// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/serving_input.hpp"

namespace scaling {

/// The arithmetic and the operands of a matmul with weights of a format. The kernel before it
/// writes activations in its format.
struct Computing {
  KernelFormat kernel;
  Format weight;        ///< in memory
  Format activation;    ///< of its operands
  bool blocks = false;  ///< in integers, with a scale for each block of them
};

template <class R>
Computing computing_of(const ServingInput<R>& in, WeightFormat format);

/// The peak at which a tower computes, in 16 bits [FLOP/s].
template <class R>
Quantity<kFlop / kSecond, R> tower_peak(const ServingInput<R>& in) {
  return in.kernels_chip.peak_in(computing_of(in, WeightFormat::kBf16).kernel);
}

/// Time to multiply so many rows by so many weights, where each block of the sums has a scale [s].
template <class R>
Quantity<kSecond, R> time_in_blocks(const ServingInput<R>& in, Count<R> rows, Count<R> weights) {
  const auto rate =
      in.kernels_chip.peak_in(KernelFormat::kFp8) * scalar<R>(in.constants.block_rate);
  return constant<kFlop, R>(2) * rows * weights / rate;
}

}  // namespace scaling
