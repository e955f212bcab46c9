// SPDX-License-Identifier: MIT
#include "scaling/training/layout_choice.hpp"

namespace scaling {

template <class R>
Step<R> cost_step(const StepInput<R>& in, const LayoutChoice& choice) {
  const auto work = layer_work(in);
  const auto ends = ends_work(in);
  const auto transfers = step_transfers(in, choice.placement);
  const auto base = make_step_base(in, work, ends, transfers, choice.placement);
  return finish_step(in, base, keep_layers(in, base, choice.dropped));
}

template <class R>
LayerActivations<R> kept_of_layer(const StepInput<R>& in, const DroppedShares& dropped) {
  const auto activations =
      layer_activations(in.model, in.run, in.layout, has_experts(in.model),
                        expert_imbalance(in.layout, in.assumptions), TensorCopies(in));
  return kept_tensors(activations, in.model, in.run, in.layout, dropped);
}

template Step<SCALING_REP> cost_step(const StepInput<SCALING_REP>&, const LayoutChoice&);
template LayerActivations<SCALING_REP> kept_of_layer(const StepInput<SCALING_REP>&,
                                                     const DroppedShares&);

}  // namespace scaling
