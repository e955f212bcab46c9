// SPDX-License-Identifier: MIT
#include "scaling/serving/step_floor.hpp"

#include <type_traits>

#include "scaling/model/tower.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/serving/computing.hpp"
#include "scaling/serving/host.hpp"
#include "scaling/serving/step_memo.hpp"

namespace scaling {
namespace {

/// The floor's numbers of the model, which a search counts once.
template <class R>
FloorNumbers<R> kept_floor_numbers(const ServingInput<R>& in) {
  if constexpr (std::is_same_v<R, double>) {
    if (in.memo != nullptr) return in.memo->floor_numbers(in.model);
  }
  return floor_numbers(in.model);
}

}  // namespace

template <class R>
Quantity<kByte, R> cache_read(const ServingInput<R>& in, const ServerWays<R>& ways,
                              const StepTokens<R>& tokens) {
  const auto kv = kv_of_chip(in, ways);
  auto bytes = tokens.decoding * kv.read_of(as<kToken>(tokens.context));
  if (tokens.prompts.value() > 0 && tokens.past.value() > 0) {
    bytes = bytes + tokens.prompts * kv.read_of(as<kToken>(tokens.past));
  }
  return ways.pipeline * bytes;
}

template <class R>
Quantity<kByte, R> weights_read(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, Count<R> experts) {
  const auto read = read_weights(in, weights);
  auto bytes = read.shared / ways.tensor;
  if (read.experts.value() > 0) {
    bytes = bytes + read.experts * (experts / in.model.experts) / (ways.tensor * ways.data);
  }
  return bytes;
}

template <class R>
Count<R> reached_of_step(const ServingInput<R>& in, const WeightBytes<R>& weights,
                         const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  if (!(weights.experts.value() > 0)) return one<R>();
  return reached_experts(in.model.experts, in.model.experts_per_token, tokens.all() * ways.data);
}

template <class R>
Count<R> images_of(const ServingInput<R>& in, const StepTokens<R>& tokens) {
  if (!(in.serving.images.value() > 0) || !given(tokens.prompts)) return {};
  return in.serving.images * (tokens.prompts * tokens.queries / as<kOne>(in.serving.prompt()));
}

template <class R>
Quantity<kFlop, R> weight_flops(const ServingInput<R>& in, const ServerWays<R>& ways,
                                Count<R> tokens) {
  return constant<kFlop, R>(2) * active_parameters(in.model) * tokens / ways.tensor;
}

template <class R>
FloorNumbers<R> floor_numbers(const Model<R>& model) {
  const auto image = model.sees() ? image_flops(model) : Quantity<kFlop, R>{};
  if (model.stated_parameters.present()) return {active_parameters(model), {}, image};
  // Embeddings are looked up, and only the last token of a prompt has logits.
  Count<R> head{};
  const auto ends = kernels_of_ends(model);
  for (const Kernel<R>& kernel : ends.items()) {
    if (kernel.rows == RowsOf::kLogits) head = head + kernel.contraction * kernel.outputs;
  }
  return {as<kOne>(count_parameters(model).matmul) - head, head, image};
}

template <class R>
Quantity<kSecond, R> step_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  const auto& model = in.model;
  const auto& kernels = in.kernels_chip;
  auto peak = kernels.peak_in(computing_of(in, in.server.weights).kernel);
  if (weights.experts.value() > 0) {
    peak = max(
        peak, kernels.peak_in(computing_of(in, format_of(in.server, FormatClass::kExpert)).kernel));
  }
  auto bytes =
      weights_read(in, weights, ways, model.experts_per_token) + cache_read(in, ways, tokens);
  const auto [each, head, image] = kept_floor_numbers(in);
  const auto logits = tokens.decoded() + tokens.prompts;
  // The chip may leave a host's layers to it.
  const auto own = in.serving.on_host() ? each - host_numbers(in, each) : each;
  const auto flops = constant<kFlop, R>(2) * (own * tokens.all() + head * logits) / ways.tensor;
  auto computing = flops / peak;
  if (const auto images = images_of(in, tokens); given(images)) {
    computing = computing + images * image / (ways.tensor * tower_peak(in));
    bytes = bytes + weights.tower / ways.tensor;
  }
  const auto on_chip = max(computing, bytes / kernels.memory);
  return in.serving.on_host() ? on_chip + host_floor(in, weights, tokens) : on_chip;
}

template <class R>
Count<R> step_bound(const ServingInput<R>& in, const WeightBytes<R>& weights,
                    const ServerWays<R>& ways, const StepTokens<R>& tokens,
                    const StepParts<R>& parts) {
  const auto& kernels = in.kernels_chip;
  const auto rate = kernels.peak_in(computing_of(in, in.server.weights).kernel);
  const auto experts = reached_of_step(in, weights, ways, tokens);
  const auto computing = weight_flops(in, ways, tokens.all()) / rate;
  const auto reading = weights_read(in, weights, ways, experts) / kernels.memory;
  const auto weight_time = parts.matmuls + parts.experts + parts.head;
  auto largest = weight_time;
  auto bound = choose_if_below(reading, computing, ServingBound::kCompute);
  const auto consider = [&](Quantity<kSecond, R> time, ServingBound which) {
    if (!(time > largest)) return;
    bound = choose_if_below(largest, time, which);
    largest = time;
  };
  consider(parts.attention, tokens.decoding.value() > 0 && tokens.prompts.value() <= 0
                                ? ServingBound::kCache
                                : ServingBound::kCompute);
  consider(parts.network + parts.exchange, ServingBound::kNetwork);
  consider(parts.launches, ServingBound::kLaunches);
  consider(parts.host, ServingBound::kHost);
  return bound;
}

template Quantity<kByte, SCALING_REP> cache_read(const ServingInput<SCALING_REP>&,
                                                 const ServerWays<SCALING_REP>&,
                                                 const StepTokens<SCALING_REP>&);
template Quantity<kByte, SCALING_REP> weights_read(const ServingInput<SCALING_REP>&,
                                                   const WeightBytes<SCALING_REP>&,
                                                   const ServerWays<SCALING_REP>&,
                                                   Count<SCALING_REP>);
template Count<SCALING_REP> reached_of_step(const ServingInput<SCALING_REP>&,
                                            const WeightBytes<SCALING_REP>&,
                                            const ServerWays<SCALING_REP>&,
                                            const StepTokens<SCALING_REP>&);
template Count<SCALING_REP> images_of(const ServingInput<SCALING_REP>&,
                                      const StepTokens<SCALING_REP>&);
template Quantity<kFlop, SCALING_REP> weight_flops(const ServingInput<SCALING_REP>&,
                                                   const ServerWays<SCALING_REP>&,
                                                   Count<SCALING_REP>);
template FloorNumbers<SCALING_REP> floor_numbers(const Model<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> step_floor(const ServingInput<SCALING_REP>&,
                                                   const WeightBytes<SCALING_REP>&,
                                                   const ServerWays<SCALING_REP>&,
                                                   const StepTokens<SCALING_REP>&);
template Count<SCALING_REP> step_bound(const ServingInput<SCALING_REP>&,
                                       const WeightBytes<SCALING_REP>&,
                                       const ServerWays<SCALING_REP>&,
                                       const StepTokens<SCALING_REP>&,
                                       const StepParts<SCALING_REP>&);

}  // namespace scaling
