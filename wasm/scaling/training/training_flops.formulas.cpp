// SPDX-License-Identifier: MIT
#include "scaling/training/training_flops.hpp"

#include "scaling/training/tuning.hpp"

namespace scaling {

template <class R>
UsedParameters<R> used_parameters(const Model<R>& model, const Parameters<R>& computed) {
  const auto& stated = model.stated_parameters;
  const auto& stated_active = model.stated_active_parameters;
  UsedParameters<R> used;
  used.total = named<term::kParameters>(stated.present() ? stated.value : computed.total);
  if (stated_active.present()) {
    used.active = named<term::kActiveParameters>(stated_active.value);
  } else {
    const bool fewer = model.sparse() || model.per_layer_input.value() > 0;
    used.active = fewer ? named<term::kActiveParameters>(computed.active) : used.total;
  }
  return used;
}

template <class R>
TrainingFlops<R> training_flops(const Model<R>& model, const TrainingJob<R>& run,
                                const Parameters<R>& computed, const UsedParameters<R>& used) {
  // Forward: a multiply and an add for each parameter and token; backward: twice that, once for
  // the gradient of the input and once for that of the weights.
  const auto forward_rule = constant<kFlop / kToken / kParam, R>(2);
  const auto training_rule = constant<kFlop / kToken / kParam, R>(6);
  const auto token = count_token_flops(model, computed, run);

  TrainingFlops<R> result;
  result.six_n = named<term::kSixNFlopsPerToken>(training_rule * used.active);
  if (run.adapts()) {
    // Frozen weights have no gradients; adapters and attention's own products have both.
    const auto frozen_rule = constant<kFlop / kToken / kParam, R>(4);
    const auto adapters = adapter_parameters(model, run, true);
    const auto set = [&](Quantity<kFlop / kToken, R> forward,
                         Quantity<kFlop / kToken, R> training) {
      result.forward = named<term::kForwardFlopsPerToken>(forward + forward_rule * adapters);
      result.training = named<term::kTrainingFlopsPerToken>(training + training_rule * adapters);
    };
    const auto exact = 2.0 * token.exact + token.attention;
    result.exact = named<term::kExactFlopsPerToken>(exact + training_rule * adapters);
    switch (run.flops_rule) {
      case FlopsRule::kSixN:
        set(forward_rule * used.active, frozen_rule * used.active);
        break;
      case FlopsRule::kSixNMatmul:
        set(forward_rule * computed.matmul, frozen_rule * computed.matmul);
        break;
      case FlopsRule::kExact:
        set(token.exact, exact);
        break;
    }
    result.remat = named<term::kRematFlopsPerToken>(result.training + result.forward);
    return result;
  }
  if (run.ends_early()) {
    // Frozen layers go forward alone. Those that are trained go back twice, and so does a head that
    // is; a frozen one passes gradients on.
    const auto back_rule = constant<kFlop / kToken / kParam, R>(4);
    const auto last = last_of_token(model, run);
    const auto of_layers = back_rule * last.multiplied;
    const auto back = of_layers + (run.freezes_head() ? forward_rule : back_rule) *
                                      as<kParam>(model.vocabulary * model.hidden);
    const auto counted = (run.count_lm_head ? back : of_layers) + 2.0 * last.attention;
    result.exact = named<term::kExactFlopsPerToken>(token.exact + counted);
    auto forward = token.exact;
    if (run.flops_rule == FlopsRule::kSixN) forward = forward_rule * used.active;
    if (run.flops_rule == FlopsRule::kSixNMatmul) forward = forward_rule * computed.matmul;
    result.forward = named<term::kForwardFlopsPerToken>(forward);
    result.training = run.flops_rule == FlopsRule::kExact
                          ? named<term::kTrainingFlopsPerToken>(result.exact)
                          : named<term::kTrainingFlopsPerToken>(result.forward + back);
    result.remat = named<term::kRematFlopsPerToken>(result.training + result.forward);
    return result;
  }
  result.exact = named<term::kExactFlopsPerToken>(3.0 * token.exact);
  switch (run.flops_rule) {
    case FlopsRule::kSixN:
      result.forward = named<term::kForwardFlopsPerToken>(forward_rule * used.active);
      result.training = named<term::kTrainingFlopsPerToken>(training_rule * used.active);
      break;
    case FlopsRule::kSixNMatmul:
      result.forward = named<term::kForwardFlopsPerToken>(forward_rule * computed.matmul);
      result.training = named<term::kTrainingFlopsPerToken>(training_rule * computed.matmul);
      break;
    case FlopsRule::kExact:
      result.forward = named<term::kForwardFlopsPerToken>(token.exact);
      result.training = named<term::kTrainingFlopsPerToken>(3.0 * result.forward);
      break;
  }
  result.remat = named<term::kRematFlopsPerToken>(result.training + result.forward);
  return result;
}

template UsedParameters<SCALING_REP> used_parameters(const Model<SCALING_REP>&,
                                                     const Parameters<SCALING_REP>&);
template TrainingFlops<SCALING_REP> training_flops(const Model<SCALING_REP>&,
                                                   const TrainingJob<SCALING_REP>&,
                                                   const Parameters<SCALING_REP>&,
                                                   const UsedParameters<SCALING_REP>&);

}  // namespace scaling
