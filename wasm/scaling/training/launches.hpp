// SPDX-License-Identifier: MIT
//
// The time in which a host launches the kernels of a step.
#pragma once

#include "scaling/training/stages.hpp"
#include "scaling/training/step_input.hpp"

namespace scaling {

/// Launches of a dense layer's own kernels, forward and back, as PyTorch has them one by one.
inline constexpr double kLayerLaunches = 75;

/// Time of the host to launch the kernels of one micro-batch on a stage, without recomputation: of
/// a layer a third forward [s]. None where it does not count.
template <class R>
struct Launches {
  Quantity<kSecond, R> forward{}, back{};
};
template <class R>
Launches<R> launch_times(const StepInput<R>& in, const Stage<R>& stage);

/// Time of the host to launch the update of a stage's adapters, whose matrices are many and small
/// [s]; none where it does not count, or software fuses it. Source: PyTorch, _multi_tensor_adamw.
template <class R>
Quantity<kSecond, R> update_launches(const StepInput<R>& in, const Stage<R>& stage);

}  // namespace scaling
