// SPDX-License-Identifier: MIT
#include "scaling/serving/forward.hpp"

#include <array>

#include "scaling/hardware/attention_time.hpp"
#include "scaling/hardware/collective_time.hpp"
#include "scaling/hardware/kernel_time.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling {
namespace {

template <class R>
Count<R> at_least_one(Count<R> x) {
  return max(x, scalar<R>(1));
}

/// Heads that tensor ways divide the cache by: a latent vector is one.
template <class R>
Count<R> cache_heads(const Model<R>& model) {
  return model.attention == Attention::kLatent ? scalar<R>(1) : model.kv_heads;
}

/// How a matmul with weights of a format computes, and what it reads.
struct Computing {
  KernelFormat kernel;
  Format weight;      ///< in memory
  Format activation;  ///< of its operands
  Quantising quantising;
};

template <class R>
Computing computing_of(const ServingInput<R>& in, WeightFormat format) {
  const bool eight =
      in.chip.peak(Format::kFp8).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const bool integers =
      in.chip.peak(Format::kInt8).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const bool four =
      in.chip.peak(Format::kFp4).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const Computing widened8{KernelFormat::kBf16, Format::kFp8, Format::kBf16, Quantising::kFused};
  const Computing widened4{KernelFormat::kBf16, Format::kInt4, Format::kBf16, Quantising::kFused};
  switch (format) {
    case WeightFormat::kBf16:
      return {KernelFormat::kBf16, Format::kBf16, Format::kBf16, Quantising::kFused};
    case WeightFormat::kFp8:
      if (!eight) return widened8;
      return {KernelFormat::kFp8, Format::kFp8, Format::kFp8, Quantising::kFused};
    case WeightFormat::kFp8Block:
      if (!eight) return widened8;
      return {KernelFormat::kFp8Block, Format::kFp8, Format::kFp8, Quantising::kDynamic};
    case WeightFormat::kInt8:
      if (!integers) return widened8;
      return {KernelFormat::kFp8, Format::kInt8, Format::kInt8, Quantising::kFused};
    case WeightFormat::kInt4:
      return widened4;
    case WeightFormat::kMxfp4:
    case WeightFormat::kNvfp4:
      break;
  }
  if (!four) return widened4;
  return {KernelFormat::kFp4, Format::kFp4, Format::kFp4, Quantising::kDynamic};
}

/// The peak at which a format computes.
template <class R>
Quantity<kFlop / kSecond, R> peak_of(const KernelChip<R>& chip, const Computing& computing) {
  return chip.peak_in(computing.kernel);
}

CacheFormat cache_format(KvFormat format) {
  return format == KvFormat::kBf16 ? CacheFormat::kBf16 : CacheFormat::kFp8;
}

/// Layers with and without experts, and with and without a window.
template <class R>
struct LayerCounts {
  Count<R> all, moe, dense, windowed, whole;

  explicit LayerCounts(const Model<R>& model) : all(model.layers), moe(moe_layers(model)) {
    dense = all - moe;
    windowed = model.sliding_window.value() > 0 ? model.windowed_layers : Count<R>{};
    whole = all - windowed;
  }
};

/// The links over which chips of a server send each other data, and their rate one way [B/s].
template <class R>
Quantity<kByte / kSecond, R> chip_link(const ServingInput<R>& in) {
  const auto& chip = in.chip;
  switch (chip.network) {
    case Network::kSwitched:
      return of_one_chip(chip.scale_up_bandwidth);
    case Network::kTorus:
      // Two links of each of up to two axes.
      return constant<kOne, R>(2.0 * (chip.torus_axes() > 1 ? 2 : 1) * in.constants.torus) *
             of_one_chip(chip.link_bandwidth);
    case Network::kNone:
      break;
  }
  if (!chip.host_bandwidth.present()) return {};
  return of_one_chip(chip.host_bandwidth.value) * scalar<R>(in.constants.pcie);
}

/// The kernels of one rank in one step.
template <class R>
class ServingKernels {
 public:
  ServingKernels(const ServingInput<R>& in, const ServerWays<R>& ways)
      : in_(in),
        ways_(ways),
        chip_(kernel_chip(in.chip, in.chip.multiprocessors, in.kernels)),
        memory_(of_one_chip(in.chip.memory_bandwidth) * scalar<R>(in.constants.memory)) {}

  [[gnu::noinline]] Quantity<kSecond, R> matmul(Count<R> rows, Count<R> contraction,
                                                Count<R> output, WeightFormat format,
                                                Count<R> copies = scalar<R>(1)) const {
    const Computing how = computing_of(in_, format);
    const MatmulKernel<R> kernel{{at_least_one(rows), at_least_one(contraction),
                                  at_least_one(output), how.activation, how.weight, Format::kBf16},
                                 how.kernel,
                                 copies,
                                 false,
                                 how.quantising,
                                 Clock::kBurst};
    return kernel_time(chip_, kernel).expected;
  }

  Quantity<kSecond, R> move(Count<R> numbers, double bytes) const {
    return numbers * constant<kByte, R>(bytes) / memory_;
  }

  /// Projections of one layer.
  Quantity<kSecond, R> projections(const StepTokens<R>& tokens) const {
    const auto& model = in_.model;
    const auto format = format_of_part(in_.server.attention_weights, in_.server.weights);
    const auto rows = tokens.all();
    const auto heads = at_least_one(ceil(model.heads / ways_.tensor));
    if (model.attention != Attention::kLatent) {
      const auto kv_heads = at_least_one(ceil(model.kv_heads / ways_.tensor));
      return matmul(rows, model.hidden, (heads + 2.0 * kv_heads) * model.head_dim, format) +
             matmul(rows, heads * model.head_dim, model.hidden, format);
    }
    const auto head = model.nope_dim + model.rope_dim;
    const auto first = model.kv_rank + model.rope_dim;
    auto time = matmul(rows, heads * model.value_dim, model.hidden, format);
    if (model.query_rank.value() > 0) {
      time = time + matmul(rows, model.hidden, model.query_rank + first, format) +
             matmul(rows, model.query_rank, heads * head, format);
    } else {
      time = time + matmul(rows, model.hidden, heads * head + first, format);
    }
    const auto unfolded = heads * (model.nope_dim + model.value_dim);
    if (tokens.decoding.value() > 0) {
      time = time + 2.0 * seconds_of<R>(in_.constants.absorbed) + move(unfolded * model.kv_rank, 2);
    }
    if (tokens.prompts.value() > 0) {
      time = time + matmul(tokens.prompts * tokens.queries, model.kv_rank, unfolded, format);
    }
    return time;
  }

  /// Attention of the sequences that decode in one layer, and of the prompts.
  Quantity<kSecond, R> attention(const StepTokens<R>& tokens, Count<R> window) const {
    const auto& model = in_.model;
    const auto cache = cache_format(in_.server.cache);
    auto heads = at_least_one(ceil(model.heads / ways_.tensor));
    auto kv_heads = at_least_one(ceil(model.kv_heads / ways_.tensor));
    auto sequences = tokens.decoding;
    const bool latent = model.attention == Attention::kLatent;
    const auto held = cache_heads(model);
    if (in_.server.divide_by_batch && ways_.tensor > held) {
      // Those that share a key head divide its sequences, each with all of its query heads.
      heads = model.heads / held;
      sequences = at_least_one(sequences * held / ways_.tensor);
    }
    Quantity<kSecond, R> time{};
    if (sequences.value() > 0) {
      const auto keys = at_least_one(tokens.context);
      if (latent) {
        time = kernel_time(chip_, LatentDecodeKernel<R>{sequences, keys, heads * tokens.each,
                                                        model.kv_rank, model.rope_dim, cache})
                   .expected;
      } else {
        time = grouped_decode(sequences, keys, heads * tokens.each, kv_heads, window, cache);
      }
    }
    if (tokens.prompts.value() > 0) {
      const auto queries = at_least_one(tokens.queries);
      time =
          time +
          (latent
               ? kernel_time(chip_, LatentPrefillKernel<R>{tokens.prompts, queries, tokens.past,
                                                           heads, model.kv_rank, model.nope_dim,
                                                           model.rope_dim, model.value_dim, cache})
               : kernel_time(chip_, PrefillKernel<R>{tokens.prompts, queries, tokens.past, heads,
                                                     kv_heads, model.head_dim, window, cache}))
              .expected;
    }
    return time;
  }

  /// The feed-forward part of one dense layer, or `width` wide.
  Quantity<kSecond, R> feed_forward(Count<R> rows, Count<R> width) const {
    const auto inputs = scalar<R>(in_.model.gated_feed_forward ? 2 : 1);
    const auto inner = at_least_one(width / ways_.tensor);
    return matmul(rows, in_.model.hidden, inputs * inner, in_.server.weights) +
           matmul(rows, inner, in_.model.hidden, in_.server.weights);
  }

  /// The routed experts of one layer, of the tokens of all ranks of attention.
  Quantity<kSecond, R> experts(Count<R> rows) const {
    const auto& model = in_.model;
    const auto how =
        computing_of(in_, format_of_part(in_.server.expert_weights, in_.server.weights));
    const auto tokens = at_least_one(rows * ways_.data);
    const auto reached = reached_experts(model.experts, model.experts_per_token, tokens);
    const auto active = at_least_one(reached / ways_.expert);
    const auto routed = tokens * model.experts_per_token / ways_.expert;
    const std::array<ExpertLoad<R>, 1> loads{{{active, at_least_one(routed / active)}}};
    const MoeLayerKernel<R> kernel{
        .loads = loads,
        .experts = at_least_one(model.experts / ways_.expert),
        .tokens = tokens,
        .top_k = model.experts_per_token,
        .hidden = model.hidden,
        .inner = at_least_one(model.expert_feed_forward / ways_.expert_tensor()),
        .gated = model.gated_feed_forward,
        .format = how.kernel,
        .weight_format = how.weight,
        .clock = Clock::kBurst};
    const double in_model[] = {in_.constants.expert_sixteen, in_.constants.expert_low,
                               in_.constants.expert_block, in_.constants.expert_four};
    auto time = kernel_time(chip_, kernel).expected *
                scalar<R>(in_model[static_cast<std::size_t>(how.kernel)]);
    if (ways_.expert.value() > 1) time = time * scalar<R>(in_.constants.imbalance);
    return time;
  }

 private:
  Quantity<kSecond, R> grouped_decode(Count<R> sequences, Count<R> keys, Count<R> heads,
                                      Count<R> kv_heads, Count<R> window, CacheFormat cache) const {
    const auto& head_dim = in_.model.head_dim;
    const bool together = reads_together(heads.value() / kv_heads.value());
    const DecodeKernel<R> kernel{sequences, keys, heads, kv_heads, head_dim, window, cache};
    const auto time = kernel_time(chip_, kernel).expected;
    if (together) return time;
    // Each head reads its keys by itself, the group's from L2.
    const auto shown = window.value() > 0 ? min(window, keys) : keys;
    const auto read = sequences * heads * shown * head_dim *
                      constant<kByte, R>(cache == CacheFormat::kFp8 ? 2 : 4);
    return max(time, read / constant<kByte / kSecond, R>(in_.constants.shared_reads));
  }

  bool reads_together(double group) const {
    switch (in_.server.grouped_read) {
      case GroupedRead::kAll:
        return true;
      case GroupedRead::kPowersOfTwo:
        return detail::power_of_two_below(group) == group;
      case GroupedRead::kEights:
        return group == 8 || group <= 1;
      case GroupedRead::kNone:
        break;
    }
    return group <= 1;
  }

  const ServingInput<R>& in_;
  const ServerWays<R>& ways_;
  KernelChip<R> chip_;
  Quantity<kByte / kSecond, R> memory_;
};

/// Transfers of one step [s], each as alone: sums of the results of both parts of each layer over
/// tensor ways; what tokens move among ranks of attention and experts; logits.
template <class R>
Quantity<kSecond, R> network_time(const ServingInput<R>& in, const ServerWays<R>& ways,
                                  const StepTokens<R>& tokens) {
  using enum CollectiveKind;
  const auto& model = in.model;
  const LayerCounts<R> layers(model);
  const auto state = tokens.all() * model.hidden * constant<kByte, R>(2);
  Quantity<kSecond, R> time{};
  const bool parallel = model.norms_per_layer.value() <= 1;
  if (ways.tensor.value() > 1) {
    const auto one = serving_collective(in, kAllReduce, state, ways.tensor);
    const auto sums = parallel ? layers.dense : 2.0 * layers.dense;
    const auto sparse = ways.data.value() > 1 ? layers.moe : 2.0 * layers.moe;
    time = time + (sums + sparse) * one;
    if (in.server.divide_by_batch && ways.tensor > cache_heads(model)) {
      const auto share = state / ways.tensor;
      time = time + layers.all * 2.0 * serving_collective(in, kAllToAll, share, ways.tensor);
    }
    const auto logits =
        (tokens.decoded() + tokens.prompts) * model.vocabulary * constant<kByte, R>(2);
    time = time + serving_collective(in, kAllGather, logits, ways.tensor);
  }
  if (ways.data.value() > 1) {
    if (layers.moe.value() > 0) {
      if (ways.data.value() <= 8) {
        const auto all = state * ways.data;
        time = time + layers.moe * (serving_collective(in, kAllGather, all, ways.data) +
                                    serving_collective(in, kReduceScatter, all, ways.data));
      } else {
        const auto sent = state * min(model.experts_per_token, ways.data);
        time = time + layers.moe * 2.0 * serving_collective(in, kAllToAll, sent, ways.data);
      }
    }
  }
  return time;
}

/// Bytes of the cache that a step reads on a chip [B].
template <class R>
Quantity<kByte, R> cache_read(const ServingInput<R>& in, const ServerWays<R>& ways,
                              const StepTokens<R>& tokens) {
  const auto kv = kv_of_chip(in, ways);
  auto bytes = tokens.decoding * kv.of_sequence(as<kToken>(tokens.context));
  if (tokens.prompts.value() > 0 && tokens.past.value() > 0) {
    bytes = bytes + tokens.prompts * kv.of_sequence(as<kToken>(tokens.past));
  }
  return ways.pipeline * bytes;
}

/// Weights that a step reads on the chips of one stage after another [B], with so many experts.
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

/// FLOPs of weights' matmuls of `tokens` on a chip, 2 for each active parameter.
template <class R>
Quantity<kFlop, R> weight_flops(const ServingInput<R>& in, const ServerWays<R>& ways,
                                Count<R> tokens) {
  return constant<kFlop, R>(2) * active_parameters(in.model) * tokens / ways.tensor;
}

}  // namespace

template <class R>
Quantity<kSecond, R> serving_collective(const ServingInput<R>& in, CollectiveKind kind,
                                        Quantity<kByte, R> bytes, Count<R> ranks) {
  const auto& chip = in.chip;
  const auto link = chip_link(in);
  if (ranks.value() <= 1 || !(link.value() > 0)) return {};
  const bool all_reduce = kind == CollectiveKind::kAllReduce;
  const auto one = scalar<R>(1);
  auto sent = bytes * ((ranks - one) / ranks);
  if (all_reduce) sent = 2.0 * sent;
  if (!in.measured()) return sent / (link * in.server.network_efficiency);
  if (chip.network != Network::kSwitched) {
    const auto steps = (all_reduce ? 2.0 : 1.0) * (ranks - one);
    const auto hop =
        chip.network == Network::kTorus ? chip.hop_latency : seconds_of<R>(in.constants.pcie_step);
    const auto start = chip.network == Network::kTorus ? Quantity<kSecond, R>{}
                                                       : seconds_of<R>(in.constants.pcie_start);
    return start + steps * hop + sent / link;
  }
  auto kernels = kernel_chip(chip, chip.multiprocessors, in.kernels);
  bool small = in.server.small_all_reduce;
  if (ranks.value() > chip.scale_up_chips.value()) {
    kernels.link = kernels.link * scalar<R>(in.constants.across);
    small = false;
  }
  return kernel_time(kernels, CollectiveKernel<R>{kind, bytes, ranks, true, small}).expected;
}

template <class R>
StepParts<R> step_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const StepTokens<R>& tokens, StepNeeds needs) {
  StepParts<R> parts;
  const auto& model = in.model;
  const auto rows = tokens.all();
  if (!in.measured()) {
    const auto sent = network_time(in, ways, tokens);
    const auto& server = in.server;
    const auto kernels = kernel_chip(in.chip, in.chip.multiprocessors, in.kernels);
    const auto memory = kernels.memory * server.memory_efficiency;
    const auto rate =
        peak_of(kernels, computing_of(in, server.weights)) * server.compute_efficiency;
    const auto experts =
        weights.experts.value() > 0
            ? reached_experts(model.experts, model.experts_per_token, rows * ways.data)
            : scalar<R>(1);
    parts.matmuls =
        max(weight_flops(in, ways, rows) / rate, weights_read(in, weights, ways, experts) / memory);
    parts.attention = cache_read(in, ways, tokens) / memory;
    parts.network = max(sent - parts.matmuls - parts.attention, Quantity<kSecond, R>{});
    return parts;
  }
  const ServingKernels<R> kernels(in, ways);
  const LayerCounts<R> layers(model);
  const auto& constants = in.constants;
  if (needs.experts && layers.moe.value() > 0) {
    parts.experts = layers.moe * kernels.experts(rows);
  }
  if (needs.network) {
    parts.network = scalar<R>(constants.collective) * network_time(in, ways, tokens);
    if (ways.pipeline.value() > 1) {
      parts.network = parts.network + ways.pipeline * seconds_of<R>(constants.stage_hop);
    }
  }
  if (!needs.rank) return parts;
  parts.matmuls = layers.all * kernels.projections(tokens);
  if (layers.whole.value() > 0) {
    parts.attention = layers.whole * kernels.attention(tokens, Count<R>{});
  }
  if (layers.windowed.value() > 0) {
    parts.attention =
        parts.attention + layers.windowed * kernels.attention(tokens, model.sliding_window);
  }
  const auto gates = scalar<R>(model.gated_feed_forward ? 3 : 2);
  parts.elementwise = layers.all * kernels.move(rows * model.hidden, 16);
  if (layers.dense.value() > 0) {
    parts.matmuls = parts.matmuls + layers.dense * kernels.feed_forward(rows, model.feed_forward);
    parts.elementwise =
        parts.elementwise +
        layers.dense * kernels.move(gates * rows * model.feed_forward / ways.tensor, 2);
  }
  if (layers.moe.value() > 0) {
    parts.matmuls = parts.matmuls + layers.moe * kernels.matmul(rows, model.hidden, model.experts,
                                                                WeightFormat::kBf16);
    if (model.shared_experts.value() > 0) {
      parts.matmuls =
          parts.matmuls +
          layers.moe * kernels.feed_forward(rows, model.shared_experts * model.expert_feed_forward);
    }
  }
  const auto logits = at_least_one(tokens.decoded() + tokens.prompts);
  const auto width = model.vocabulary / ways.tensor;
  const auto head = format_of_part(in.server.head_weights, in.server.weights);
  parts.head = kernels.matmul(logits, model.hidden, width, head) +
               kernels.move(logits * width, constants.sampling);
  double host = constants.host_between;
  switch (in.server.host) {
    case HostWork::kBetween:
      break;
    case HostWork::kBeside:
      host = constants.host_beside;
      break;
    case HostWork::kCompiled:
      host = constants.host_compiled;
      break;
  }
  const double each =
      model.norms_per_layer.value() <= 1 ? constants.small_kernels - 1 : constants.small_kernels;
  parts.launches =
      layers.all * scalar<R>(each) * seconds_of<R>(constants.small_kernel) + seconds_of<R>(host);
  return parts;
}

template <class R>
Quantity<kSecond, R> step_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  const auto& model = in.model;
  const auto kernels = kernel_chip(in.chip, in.chip.multiprocessors, in.kernels);
  auto peak = peak_of(kernels, computing_of(in, in.server.weights));
  if (weights.experts.value() > 0) {
    peak = max(peak, peak_of(kernels, computing_of(in, format_of_part(in.server.expert_weights,
                                                                      in.server.weights))));
  }
  const auto bytes =
      weights_read(in, weights, ways, model.experts_per_token) + cache_read(in, ways, tokens);
  // Embeddings are looked up, and only the last token of a prompt has logits.
  const bool stated = model.stated_parameters.present();
  const auto head = stated ? Count<R>{} : as<kOne>(layer_parameters(model).head);
  const auto logits = tokens.decoded() + tokens.prompts;
  const auto all = stated ? active_parameters(model) : as<kOne>(count_parameters(model).matmul);
  const auto each = max(all - head, Count<R>{});
  const auto flops = constant<kFlop, R>(2) * (each * tokens.all() + head * logits) / ways.tensor;
  return max(flops / peak, bytes / kernels.memory);
}

template <class R>
Count<R> step_bound(const ServingInput<R>& in, const WeightBytes<R>& weights,
                    const ServerWays<R>& ways, const StepTokens<R>& tokens,
                    const StepParts<R>& parts) {
  const auto kernels = kernel_chip(in.chip, in.chip.multiprocessors, in.kernels);
  const auto rate = peak_of(kernels, computing_of(in, in.server.weights));
  const auto experts =
      weights.experts.value() > 0
          ? reached_experts(in.model.experts, in.model.experts_per_token, tokens.all() * ways.data)
          : scalar<R>(1);
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
  consider(parts.network, ServingBound::kNetwork);
  consider(parts.launches, ServingBound::kLaunches);
  return bound;
}

template Quantity<kSecond, SCALING_REP> serving_collective(const ServingInput<SCALING_REP>&,
                                                           CollectiveKind,
                                                           Quantity<kByte, SCALING_REP>,
                                                           Count<SCALING_REP>);
template StepParts<SCALING_REP> step_parts(const ServingInput<SCALING_REP>&,
                                           const WeightBytes<SCALING_REP>&,
                                           const ServerWays<SCALING_REP>&,
                                           const StepTokens<SCALING_REP>&, StepNeeds);
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
