// SPDX-License-Identifier: MIT
#include "scaling/serving/forward.hpp"

#include "scaling/model/tower.hpp"
#include "scaling/serving/computing.hpp"
#include "scaling/serving/host.hpp"
#include "scaling/serving/step_prices.hpp"
#include "scaling/serving/transfers.hpp"

namespace scaling {
namespace {

/// Times of the kernels of a list.
template <class R>
struct ListTimes {
  Quantity<kSecond, R> matmuls{}, mixing{}, moves{}, head{};

  /// Adds those of so many layers.
  void add(const Count<R>& layers, const ListTimes& each) {
    matmuls = matmuls + layers * each.matmuls;
    mixing = mixing + layers * each.mixing;
    moves = moves + layers * each.moves;
  }
};

template <class R>
ListTimes<R> times_of(const StepPrices<R>& prices, std::span<const Kernel<R>> kernels,
                      StepNeeds needs) {
  ListTimes<R> times;
  const auto add = [](Quantity<kSecond, R>& sum, const Quantity<kSecond, R>& more) {
    sum = sum + more;
  };
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Kernel<R>& kernel = kernels[i];
    switch (kernel.type) {
      case KernelType::kMatmul:
        if (!needs.rank) break;
        if (kernel.rows == RowsOf::kLogits) {
          add(times.head, prices.matmuls(kernels, i) + prices.sampling(kernel));
        } else {
          add(times.matmuls, prices.matmuls(kernels, i));
        }
        break;
      case KernelType::kMove:
        if (needs.rank) add(times.moves, prices.move(kernel));
        break;
      case KernelType::kAttention:
      case KernelType::kScan:
        if (needs.attention) add(times.mixing, prices.mixing(kernel));
        break;
      case KernelType::kExperts:
        break;  // one kernel runs all of them; see experts_time
    }
  }
  return times;
}

/// Adds the times of all kernels of the model but routed experts. Those of mixers and of
/// feed-forward parts are summed apart, so that it doesn't matter which kind of layer comes first.
template <class R>
void add_kernels(const ServingInput<R>& in, const ServerWays<R>& ways, const StepTokens<R>& tokens,
                 StepNeeds needs, StepParts<R>& parts) {
  const StepPrices<R> prices(in, ways, tokens);
  ListTimes<R> mixers, others;
  each_part(in.model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (!needs.rank && !part.mixes) return;
    (part.mixes ? mixers : others).add(part.layers, times_of(prices, kernels, needs));
  });
  parts.attention = mixers.mixing;
  if (!needs.rank) return;
  const auto list = kernels_of_ends(in.model);
  const auto ends = times_of(prices, list.items(), needs);
  parts.matmuls = mixers.matmuls + others.matmuls + ends.matmuls;
  parts.elementwise = mixers.moves + others.moves + ends.moves;
  parts.head = ends.head;
}

/// Takes the work of hosts off that of chips: matmuls of layers, their passes over memory, and the
/// mixing of their tokens; routed experts.
template <class R>
void leave_to_host(const ServingInput<R>& in, StepParts<R>& parts) {
  const auto host = host_share(in);
  const auto left = one<R>() - host.layers;
  parts.matmuls = left * parts.matmuls;
  parts.attention = left * parts.attention;
  parts.elementwise = left * parts.elementwise;
  if (given(host.experts)) parts.experts = (one<R>() - host.experts) * parts.experts;
}

/// Small kernels; a compiler joins them with their neighbours.
template <class R>
Quantity<kSecond, R> small_kernels_of(const ServingInput<R>& in) {
  if (in.server.host == HostWork::kCompiled) return {};
  auto kernels = in.layers.whole * scalar<R>(in.constants.small_kernels);
  if (given(in.layers.normless)) kernels = kernels - in.layers.normless;
  return kernels * seconds_of<R>(in.constants.small_kernel);
}

/// Small kernels, and the host.
template <class R>
Quantity<kSecond, R> launches_of(const ServingInput<R>& in) {
  const auto& constants = in.constants;
  switch (in.server.host) {
    case HostWork::kBetween:
      return small_kernels_of(in) + seconds_of<R>(constants.host_between);
    case HostWork::kBeside:
    case HostWork::kScripted:
      return small_kernels_of(in) + seconds_of<R>(constants.host_beside);
    case HostWork::kCompiled:
      break;
  }
  return seconds_of<R>(constants.host_compiled);
}

/// The host's time for the kernels of these layers in a step with prompts, one by one.
template <class R>
Quantity<kSecond, R> eager_launches(const ServedLayers<R>& layers,
                                    const ServingConstants& constants) {
  const auto kernels = layers.mixing * scalar<R>(constants.kernels_layer) +
                       layers.experts.layers * scalar<R>(constants.kernels_experts) +
                       layers.eager_state * scalar<R>(constants.kernels_state) +
                       layers.eager_latent * scalar<R>(constants.kernels_latent) +
                       layers.eager_index * scalar<R>(constants.kernels_index);
  return kernels * seconds_of<R>(constants.eager_launch);
}

/// The input of a tower's steps, which runs in 16 bits on the tensor ways of its server.
template <class R>
struct TowerInput {
  const Chip<R>& chip;
  const Serving<R>& serving;
  Model<R> model;
  Server<R> server;

  explicit TowerInput(const ServingInput<R>& in)
      : chip(in.chip), serving(in.serving), model(tower_of(in.model)), server(in.server) {
    server.weights = WeightFormat::kBf16;
    server.attention_weights = PartFormat::kAsWeights;
    server.cache = KvFormat::kBf16;
  }
};

/// The tower's time for so many images, kernel by kernel, and that of the projector behind it. Each
/// patch sees all of its image: as many keys as it would see before it, were there half as many
/// patches of another image before these. Not inlined: its kernels take room of the stack only
/// where there is a tower.
template <class R>
[[gnu::noinline]] Quantity<kSecond, R> tower_time(const ServingInput<R>& in,
                                                  const ServerWays<R>& ways, const Count<R>& images,
                                                  const Count<R>& sustained) {
  const TowerInput<R> asked(in);
  const ServingInput<R> tower(asked, in.constants);
  const auto& patches = in.model.image_patches;
  const StepTokens<R> work{{}, {}, one<R>(), images, patches, patches / 2.0, sustained};
  const StepPrices<R> prices(tower, ways, work);
  ListTimes<R> layers;
  each_part(asked.model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    layers.add(part.layers, times_of(prices, kernels, StepNeeds{}));
  });
  const StepTokens<R> merged{{}, {}, one<R>(), images, as<kOne>(in.model.image_tokens), {}};
  const auto projector = projector_of(in.model);
  std::size_t first = 0;
  auto time = layers.matmuls + layers.mixing + layers.moves + small_kernels_of(tower);
  if (given(projector.contraction)) {
    time = time + StepPrices<R>(tower, ways, merged).matmuls(std::span(&projector, 1), first);
  }
  if (ways.tensor.value() <= 1) return time;
  return time + scalar<R>(in.constants.collective) * tensor_transfers(tower, ways, work);
}

/// A step at the rates that are stated.
template <class R>
StepParts<R> stated_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                          const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  const auto& server = in.server;
  const auto& chip = in.kernels_chip;
  const auto sent = tensor_transfers(in, ways, tokens) + gather_transfers(in, ways, tokens) +
                    exchange_transfers(in, ways, tokens);
  const auto memory = chip.memory * server.memory_efficiency;
  const auto rate =
      chip.peak_in(computing_of(in, server.weights).kernel) * server.compute_efficiency;
  const auto experts = reached_of_step(in, weights, ways, tokens);
  StepParts<R> parts;
  parts.matmuls = max(weight_flops(in, ways, tokens.all()) / rate,
                      weights_read(in, weights, ways, experts) / memory);
  parts.attention = cache_read(in, ways, tokens) / memory;
  if (const auto images = images_of(in, tokens); given(images)) {
    const auto tower_rate = tower_peak(in) * server.compute_efficiency;
    parts.tower = max(images * image_flops(in.model) / (ways.tensor * tower_rate),
                      weights.tower / (ways.tensor * memory));
  }
  parts.network = max(sent - parts.matmuls - parts.attention, Quantity<kSecond, R>{});
  if (in.serving.on_host()) parts.host = host_time(in, weights, tokens);
  return parts;
}

}  // namespace

template <class R>
Quantity<kSecond, R> prompt_launches(const ServingInput<R>& in) {
  if (!in.measured() || in.server.prompt_launch != PromptLaunch::kEager) return {};
  const auto launches = eager_launches(in.layers, in.constants);
  if (!given(in.serving.images)) return launches;
  return launches + eager_launches(served_layers(tower_of(in.model)), in.constants);
}

template <class R>
StepParts<R> serial_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                          const ServerWays<R>& ways, const StepTokens<R>& tokens, StepNeeds needs) {
  if (!in.measured()) return stated_parts(in, weights, ways, tokens);
  StepParts<R> parts;
  const auto& experts = in.layers.experts.layers;
  if (needs.experts && given(experts)) parts.experts = experts * experts_time(in, ways, tokens);
  if (needs.network) {
    const auto collectives =
        tensor_transfers(in, ways, tokens) + gather_transfers(in, ways, tokens);
    parts.network = scalar<R>(in.constants.collective) * collectives + stage_hops(in, ways, tokens);
  }
  if (needs.exchange) parts.exchange = exchange_transfers(in, ways, tokens);
  if (needs.rank || needs.attention) add_kernels(in, ways, tokens, needs, parts);
  if (needs.rank) {
    parts.launches = launches_of(in);
    const auto images = images_of(in, tokens);
    if (given(images)) parts.tower = tower_time(in, ways, images, tokens.sustained);
  }
  if (!in.serving.on_host()) return parts;
  if (needs.rank) parts.host = host_time(in, weights, tokens);
  if (host_computes(in, tokens.all())) leave_to_host(in, parts);
  return parts;
}

template <class R>
StepParts<R> step_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  const auto parts = serial_parts(in, weights, ways, tokens);
  if (!takes_turns(in, parts)) return parts;
  return in_turns(parts, serial_parts(in, weights, ways, half_of(tokens)));
}

template StepParts<SCALING_REP> step_parts(const ServingInput<SCALING_REP>&,
                                           const WeightBytes<SCALING_REP>&,
                                           const ServerWays<SCALING_REP>&,
                                           const StepTokens<SCALING_REP>&);
template StepParts<SCALING_REP> serial_parts(const ServingInput<SCALING_REP>&,
                                             const WeightBytes<SCALING_REP>&,
                                             const ServerWays<SCALING_REP>&,
                                             const StepTokens<SCALING_REP>&, StepNeeds);
template Quantity<kSecond, SCALING_REP> prompt_launches(const ServingInput<SCALING_REP>&);

}  // namespace scaling
