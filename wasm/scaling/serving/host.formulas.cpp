// SPDX-License-Identifier: MIT
#include "scaling/serving/host.hpp"

#include "scaling/serving/step_floor.hpp"
#include "scaling/serving/weights.hpp"

namespace scaling {
namespace {

/// The bytes that a step reads of the host's memory, with `experts` of each layer's.
template <class R>
Quantity<kByte, R> host_bytes(const ServingInput<R>& in, const WeightBytes<R>& weights,
                              const StepTokens<R>& tokens, const Count<R>& experts) {
  auto bytes = weights.host_layers;
  if (weights.host_experts.value() > 0) {
    bytes = bytes + weights.host_experts * (experts / in.model.experts);
  }
  if (!given(in.serving.host_layers)) return bytes;
  const auto kv = kv_bytes(in);
  const auto share = host_share(in).layers;
  if (given(tokens.decoding)) {
    bytes = bytes + share * tokens.decoding * kv.read_of(as<kToken>(tokens.context));
  }
  if (given(tokens.prompts) && given(tokens.past)) {
    bytes = bytes + share * tokens.prompts * kv.read_of(as<kToken>(tokens.past));
  }
  return bytes;
}

/// The bandwidth of a chip's link to its host, and what transfers reach of it.
template <class R>
Quantity<kByte / kSecond, R> host_link(const ServingInput<R>& in) {
  const auto link = of_one_chip(in.chip.host_bandwidth.value);
  return in.measured() ? link * scalar<R>(kKernelConstants.host_link)
                       : link * in.server.network_efficiency;
}

/// The hops of a step's tokens from chip to host, and back.
template <class R>
Quantity<kSecond, R> host_hops(const ServingInput<R>& in, const StepTokens<R>& tokens) {
  const auto share = host_share(in);
  auto times = given(in.serving.host_layers) ? one<R>() : Count<R>{};
  if (share.experts > share.layers) {
    times = times + (share.experts - share.layers) * in.layers.experts.layers;
  }
  const auto state = tokens.all() * in.model.hidden * constant<kByte, R>(2);
  const auto hop = state / host_link(in);
  return 2.0 * times * (in.measured() ? hop + seconds_of<R>(in.constants.stage_hop) : hop);
}

}  // namespace

template <class R>
Count<R> host_numbers(const ServingInput<R>& in, const Count<R>& each) {
  const auto share = host_share(in);
  const auto& moe = in.layers.experts;
  const auto matrices = scalar<R>(moe.gated ? 3 : 2);
  const auto experts =
      min(each, moe.layers * in.model.experts_per_token * matrices * moe.inputs * moe.width);
  return share.layers * (each - experts) + share.experts * experts;
}

template <class R>
Quantity<kSecond, R> host_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                               const StepTokens<R>& tokens) {
  const auto reached =
      given(in.layers.experts.layers)
          ? reached_experts(in.model.experts, in.model.experts_per_token, tokens.all())
          : one<R>();
  const auto bytes = host_bytes(in, weights, tokens, reached);
  if (!host_computes(in, tokens.all())) return bytes / host_link(in);
  const auto memory = in.measured()
                          ? in.serving.host_memory_bandwidth * scalar<R>(in.constants.host_memory)
                          : in.serving.host_memory_bandwidth * in.server.memory_efficiency;
  const auto numbers = host_numbers(in, floor_numbers(in.model).each);
  const auto computing = constant<kFlop, R>(2) * numbers * tokens.all() / in.serving.host_compute;
  return max(bytes / memory, computing) + host_hops(in, tokens);
}

template <class R>
Quantity<kSecond, R> host_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const StepTokens<R>& tokens) {
  auto rate = in.serving.host_memory_bandwidth;
  if (in.server.host_prompts == HostPrompts::kCopied) {
    rate = max(rate, of_one_chip(in.chip.host_bandwidth.value));
  }
  return host_bytes(in, weights, tokens, in.model.experts_per_token) / rate;
}

template Count<SCALING_REP> host_numbers(const ServingInput<SCALING_REP>&,
                                         const Count<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> host_time(const ServingInput<SCALING_REP>&,
                                                  const WeightBytes<SCALING_REP>&,
                                                  const StepTokens<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> host_floor(const ServingInput<SCALING_REP>&,
                                                   const WeightBytes<SCALING_REP>&,
                                                   const StepTokens<SCALING_REP>&);

}  // namespace scaling
