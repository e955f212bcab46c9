// SPDX-License-Identifier: MIT
//
// Layers and routed experts in the memory of a chip's host. It computes few tokens itself, while
// the chip waits; of many, weights come to the chip for each step, or it computes these, too.
// Source: llama.cpp (--n-gpu-layers, --n-cpu-moe; ggml-cuda.cu: offload_op); KTransformers.
#pragma once

#include "scaling/serving/kv_cache.hpp"
#include "scaling/serving/step.hpp"

namespace scaling {

/// The shares of a model's layers, and of their routed experts, that lie in the host's memory:
/// experts of layers that do are among them.
template <class R>
struct HostShare {
  Count<R> layers{}, experts{};
};

template <class R>
HostShare<R> host_share(const ServingInput<R>& in) {
  HostShare<R> share;
  const auto& serving = in.serving;
  const auto& sparse = in.layers.experts.layers;
  if (given(serving.host_layers)) share.layers = serving.host_layers / in.model.layers;
  share.experts = share.layers;
  if (given(serving.host_experts) && given(sparse)) {
    share.experts = max(share.experts, serving.host_experts / sparse);
  }
  return share;
}

/// Whether the host computes its layers and experts in a step of so many tokens.
template <class R>
bool host_computes(const ServingInput<R>& in, const Count<R>& tokens) {
  return in.serving.on_host() && (in.server.host_prompts == HostPrompts::kComputed ||
                                  tokens.value() < in.constants.host_tokens);
}

/// The numbers, of the `each` that a token multiplies outside the head, which lie in its memory.
template <class R>
Count<R> host_numbers(const ServingInput<R>& in, const Count<R>& each);

/// The time of its part of a step [s]. Computed by it: all that it reads, or all FLOPs, and the
/// hops of tokens to it and back, in each layer whose experts alone are its. Else the time in which
/// its weights and cache come over its link. Experts are those that tokens reach.
template <class R>
Quantity<kSecond, R> host_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                               const StepTokens<R>& tokens);

/// The least that its part of a step can take [s]: with experts of one token, at full bandwidth of
/// its memory, or of its link where that is faster and weights may come over it.
template <class R>
Quantity<kSecond, R> host_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const StepTokens<R>& tokens);

}  // namespace scaling
