// SPDX-License-Identifier: MIT
//
// The widths of a layer's feed-forward part: dense, or experts with all that stands beside them.
#pragma once

#include "scaling/model/kinds/layer_mix.hpp"

namespace scaling {

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

}  // namespace scaling
