// SPDX-License-Identifier: MIT
#include "scaling/training/training_flops.hpp"

#include "scaling/model/tower.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {
namespace {

/// Adds what the images of a sequence take, as a share of each of its tokens: a frozen tower goes
/// forward alone, one that is trained also back, twice.
template <class R>
void add_tower(const Model<R>& model, const TrainingJob<R>& run, TrainingFlops<R>& flops) {
  if (!run.sees()) return;
  const auto forward =
      named<term::kTowerFlopsPerToken>(run.images * image_flops(model) / run.sequence_length);
  const auto all = run.trains_tower() ? 3.0 * forward : forward;
  flops.exact = named<term::kExactFlopsPerToken>(flops.exact + all);
  flops.forward = named<term::kForwardFlopsPerToken>(flops.forward + forward);
  flops.training = named<term::kTrainingFlopsPerToken>(flops.training + all);
}

}  // namespace

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
  const bool exactly = run.flops_rule == FlopsRule::kExact;
  const auto& counted = run.flops_rule == FlopsRule::kSixN ? used.active : computed.matmul;
  const auto forward = exactly ? token.exact : forward_rule * counted;
  if (run.adapts()) {
    // Frozen weights have no gradients; adapters and attention's own products have both.
    const auto frozen_rule = constant<kFlop / kToken / kParam, R>(4);
    const auto adapters = adapter_parameters(model, run, true);
    const auto frozen = 2.0 * token.exact + token.attention;
    result.exact = named<term::kExactFlopsPerToken>(frozen + training_rule * adapters);
    result.forward = named<term::kForwardFlopsPerToken>(forward + forward_rule * adapters);
    result.training = named<term::kTrainingFlopsPerToken>(
        (exactly ? frozen : frozen_rule * counted) + training_rule * adapters);
  } else if (run.ends_early()) {
    // Frozen layers go forward alone. Those that are trained go back twice, and so does a head that
    // is; a frozen one passes gradients on.
    const auto back_rule = constant<kFlop / kToken / kParam, R>(4);
    const auto last = last_of_token(model, run);
    const auto of_layers = back_rule * last.multiplied;
    const auto back = of_layers + (run.freezes_head() ? forward_rule : back_rule) *
                                      as<kParam>(model.vocabulary * model.hidden);
    const auto exact = (run.count_lm_head ? back : of_layers) + 2.0 * last.attention;
    result.exact = named<term::kExactFlopsPerToken>(token.exact + exact);
    result.forward = named<term::kForwardFlopsPerToken>(forward);
    result.training =
        named<term::kTrainingFlopsPerToken>(exactly ? result.exact : result.forward + back);
  } else {
    result.exact = named<term::kExactFlopsPerToken>(3.0 * token.exact);
    result.forward = named<term::kForwardFlopsPerToken>(forward);
    result.training = named<term::kTrainingFlopsPerToken>(exactly ? 3.0 * result.forward
                                                                  : training_rule * counted);
  }
  add_tower(model, run, result);
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
