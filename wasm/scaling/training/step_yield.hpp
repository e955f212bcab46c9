// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/training/step.hpp"
#include "scaling/training/training_flops.hpp"

namespace scaling {

/// FLOPs of a step for the model, and the peak of all chips: the two sides of MFU.
template <class R>
struct StepYield {
  Quantity<kFlop / kToken, R> flops_per_token;  ///< FLOPs by the rule that the run chooses
  Quantity<kFlop / kToken, R> exact_per_token;  ///< each matmul, with attention
  Quantity<kToken, R> tokens;
  Quantity<kFlop / kSecond, R> peak;

  Quantity<kFlop, R> flops() const { return flops_per_token * tokens; }
  /// MFU of a step of `time`. Source: Korthikanti et al., without what is computed again.
  Count<R> mfu(Quantity<kSecond, R> time) const { return flops() / (peak * time); }
  /// The same of what is computed, attention counted: never above 1. Source: Megatron-LM.
  Count<R> mfu_exact(Quantity<kSecond, R> time) const {
    return exact_per_token * tokens / (peak * time);
  }
  /// HFU: these FLOPs and `again`, those of what is computed again, whatever rule the run chooses,
  /// so that it is never below mfu_exact. Source: Korthikanti et al.
  Count<R> hfu(Quantity<kSecond, R> time, Quantity<kFlop, R> again) const {
    return (exact_per_token * tokens + again) / (peak * time);
  }
  Quantity<kToken / kSecond, R> speed(Quantity<kSecond, R> time) const { return tokens / time; }
};

template <class R>
StepYield<R> step_yield(const StepInput<R>& in);

}  // namespace scaling
