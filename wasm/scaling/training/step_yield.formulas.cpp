// SPDX-License-Identifier: MIT
#include "scaling/training/step_yield.hpp"

namespace scaling {

template <class R>
StepYield<R> step_yield(const StepInput<R>& in) {
  const auto& run = in.run;
  const auto computed = count_parameters(in.model);
  const auto used = used_parameters(in.model, computed);
  const auto format = in.matmul_format();
  const auto flops = training_flops(in.model, run, computed, used);
  return {flops.training, flops.exact, run.batch_tokens, run.chips * in.chip.peak(format).value};
}

template StepYield<SCALING_REP> step_yield(const StepInput<SCALING_REP>&);

}  // namespace scaling
