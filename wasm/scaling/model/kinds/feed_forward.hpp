// SPDX-License-Identifier: MIT
//
// The costs of a layer's feed-forward part: dense, or experts with all that stands beside them.
#pragma once

#include "scaling/model/kinds/layer_mix.hpp"

namespace scaling {

/// Weights of a feed-forward part from `inputs` numbers to `width` and back, without biases.
template <class R>
Count<R> feed_forward_weights(const Model<R>& model, Count<R> inputs, Count<R> width);

/// The same with its biases, if it has them.
template <class R>
Count<R> feed_forward_block(const Model<R>& model, Count<R> inputs, Count<R> width, bool biases);

/// Parameters of a layer's experts and of what goes with them, in elements.
template <class R>
struct ExpertParameters {
  Count<R> expert, expert_weights;  ///< of one
  Count<R> shared;                  ///< of all shared ones
  Count<R> beside{};                ///< a dense part, and the way into the experts' width and back
  Count<R> others_weights{};        ///< weights of shared experts and of what is beside
  Count<R> router, router_weights;
  Count<R> score{};  ///< router parameters that layers with hashed routing lack
};

template <class R>
ExpertParameters<R> expert_parameters(const Model<R>& model);

/// The choices of a router: experts, and those that compute nothing.
template <class R>
Count<R> router_outputs(const Model<R>& model) {
  const auto& zero = model.zero_experts;
  return zero.value() > 0 ? model.experts + zero : model.experts;
}

/// Width of a shared expert.
template <class R>
Count<R> shared_expert_width(const Model<R>& model) {
  const auto& own = model.shared_expert_feed_forward;
  return own.value() > 0 ? own : model.expert_feed_forward;
}

/// Width of the dense part that every token of a layer with experts passes: shared experts, and
/// what is beside them.
template <class R>
Count<R> shared_width(const Model<R>& model) {
  const auto width = model.shared_experts * shared_expert_width(model);
  const auto& beside = model.dense_beside_experts;
  return beside.value() > 0 ? width + beside : width;
}

/// Width of what experts take and give.
template <class R>
Count<R> expert_inputs(const Model<R>& model) {
  return model.expert_latent.value() > 0 ? model.expert_latent : model.hidden;
}

/// Width of the dense part of layers without experts, on average over these: 0 of those that have
/// no feed-forward part.
template <class R>
Count<R> dense_width(const Model<R>& model);

}  // namespace scaling
