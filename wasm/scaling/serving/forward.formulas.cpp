// SPDX-License-Identifier: MIT
#include "scaling/serving/forward.hpp"

#include <array>
#include <type_traits>

#include "scaling/hardware/attention_time.hpp"
#include "scaling/hardware/kernel_time.hpp"
#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/matrices.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/step_memo.hpp"
#include "scaling/serving/transfers.hpp"

namespace scaling {
namespace {

template <class R>
Count<R> at_least_one(Count<R> x) {
  return max(x, scalar<R>(1));
}

/// The peak at which a format computes.
template <class R>
Quantity<kFlop / kSecond, R> peak_of(const KernelChip<R>& chip, const Computing& computing) {
  return chip.peak_in(computing.kernel);
}

/// Time of experts in a model over that of their kernels alone.
template <class R>
const Constant& expert_share(const ServingInput<R>& in, KernelFormat format) {
  const auto& of = in.constants;
  const Constant* const shares[] = {&of.expert_sixteen, &of.expert_low, &of.expert_block,
                                    &of.expert_four};
  return *shares[static_cast<std::size_t>(format)];
}

/// Experts that tokens reach, and the tokens that are routed to them.
template <class R>
struct ExpertWork {
  Count<R> active, routed;
};

/// ln of so many expert ways, which a search computes once.
template <class R>
Count<R> kept_logarithm(const ServingInput<R>& in, Count<R> expert) {
  if constexpr (std::is_same_v<R, double>) {
    if (in.memo != nullptr) return Count<R>(in.memo->logarithm_of(expert.value()));
  }
  return logarithm(expert);
}

/// The work of the slowest of `expert` ranks that share it.
template <class R>
ExpertWork<R> slowest_rank(const ServingInput<R>& in, Count<R> expert, const ExpertWork<R>& all) {
  auto active = at_least_one(all.active / expert);
  auto routed = all.routed / expert;
  if (expert.value() > 1) {
    // The largest of n counts lies some sqrt(2 ln n) deviations above the mean.
    const auto above = 2.0 * scalar<R>(in.constants.imbalance) * kept_logarithm(in, expert);
    const auto most = at_least_one(held_experts(in) / expert);
    active = min(active + sqrt(above * active), most);
    routed = routed + sqrt(above * routed);
  }
  return {active, routed};
}

CacheFormat cache_format(KvFormat format) {
  return format == KvFormat::kBf16 ? CacheFormat::kBf16 : CacheFormat::kFp8;
}

/// The tokens of each sequence that attention reads the cache of. A program that is compiled for
/// one shape reads all that is reserved, whatever of it is filled.
template <class R>
Count<R> context_read(const ServingInput<R>& in, const StepTokens<R>& tokens) {
  if (in.server.host != HostWork::kCompiled) return tokens.context;
  const auto reserved = in.server.allocation == CacheAllocation::kLongest
                            ? as<kOne>(in.server.longest)
                            : as<kOne>(in.serving.prompt) + as<kOne>(in.serving.answer);
  return max(tokens.context, reserved);
}

/// Layers that have both parts, those with one as halves.
template <class R>
Count<R> whole_layers(const LayerMix<R>& mix) {
  return mix.one_part.value() > 0 ? mix.both + mix.one_part / 2.0 : mix.both;
}

/// The kernels of one rank in one step.
template <class R>
class ServingKernels {
 public:
  ServingKernels(const ServingInput<R>& in, const ServerWays<R>& ways, Count<R> sustained)
      : in_(in),
        ways_(ways),
        sustained_(sustained),
        chip_(in.kernels_chip),
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
                                 Quantising::kFused,
                                 sustained_};
    const auto time = kernel_time(chip_, kernel).expected;
    return how.blocks ? max(time, in_blocks(copies * rows, contraction * output)) : time;
  }

  Quantity<kSecond, R> move(Count<R> numbers, double bytes) const {
    return numbers * constant<kByte, R>(bytes) / memory_;
  }

  Quantity<kSecond, R> move(Count<R> numbers, const Constant& bytes) const {
    return numbers * constant<kByte, R>(bytes) / memory_;
  }

  /// Projections of one layer of a group.
  Quantity<kSecond, R> projections(const StepTokens<R>& tokens, const MixerGroup<R>& group) const {
    const auto& model = in_.model;
    const auto format = format_of_part(in_.server.attention_weights, in_.server.weights);
    const auto rows = tokens.all();
    if (!is_standard(model, group)) return matrices(tokens, group, format);
    const auto dims = attention_dims(model, group);
    const auto heads = at_least_one(ceil(dims.heads / ways_.tensor));
    if (!dims.latent) {
      const auto kv_heads = at_least_one(ceil(dims.kv_heads / ways_.tensor));
      return matmul(rows, model.hidden, (heads + 2.0 * kv_heads) * dims.key, format) +
             matmul(rows, heads * dims.key, model.hidden, format);
    }
    const auto head = model.nope_dim + model.rope_dim;
    const auto first = model.kv_rank + model.rope_dim;
    auto time = matmul(rows, heads * dims.value, model.hidden, format);
    if (model.query_rank.value() > 0) {
      time = time + matmul(rows, model.hidden, model.query_rank + first, format) +
             matmul(rows, model.query_rank, heads * head, format);
    } else {
      time = time + matmul(rows, model.hidden, heads * head + first, format);
    }
    return with_unfolding(time, tokens, heads, dims.value, format);
  }

  /// The keys that tokens of one layer of a group look at: attention of the sequences that decode
  /// and of the prompts, of `window` tokens or of all; or a state.
  Quantity<kSecond, R> mixing(const StepTokens<R>& tokens, const MixerGroup<R>& group,
                              Count<R> window) const {
    const auto& model = in_.model;
    switch (group.mixer) {
      case Mixer::kAttention:
      case Mixer::kWindowed:
        return attention(tokens, group, window);
      case Mixer::kSparse:
        return sparse_attention(tokens, group);
      case Mixer::kCompressed:
        return compressed_attention(tokens, group);
      case Mixer::kLinear: {
        const bool kimi = model.linear_attention == LinearAttention::kKimiDelta;
        const auto width = linear_widths(model);
        const auto state = linear_cache(model).state;
        const auto all = width.query + width.key + width.value;
        const auto channels = model.linear_convolution.value() > 0 ? all : Count<R>{};
        const auto numbers =
            model.linear_value_heads * 2.0 * (model.linear_key_dim + model.linear_value_dim);
        return state_time(tokens, state, numbers, channels,
                          kimi ? StreamKernel::kKimiRecurrent : StreamKernel::kDeltaRecurrent,
                          kimi ? StreamKernel::kKimiChunked : StreamKernel::kDeltaChunked,
                          StreamKernel::kDeltaConvolutionUpdate,
                          kimi ? StreamKernel::kKimiConvolution : StreamKernel::kDeltaConvolution);
      }
      case Mixer::kMamba: {
        const auto width = mamba_widths(model);
        // The scan was not measured: it is taken for a gated delta rule that moves its numbers.
        const bool first = model.mamba_rank.value() > 0;
        const auto moved = 2.0 * width.value + width.query + width.key;
        const auto all = width.query + width.key + width.value;
        // Mamba-1 reads a step for each channel, and convolves x alone.
        return state_time(tokens, mamba_cache(model).state, first ? moved + width.value : moved,
                          first ? width.value : all, StreamKernel::kDeltaRecurrent,
                          StreamKernel::kDeltaChunked, StreamKernel::kMambaConvolutionUpdate,
                          StreamKernel::kMambaConvolution);
      }
      case Mixer::kConvolution: {
        // Gates and taps read three projections and write one.
        const auto channels = 2.0 * convolution_widths(model).value;
        return state_time(tokens, Count<R>{}, Count<R>{}, channels, StreamKernel::kDeltaRecurrent,
                          StreamKernel::kDeltaChunked, StreamKernel::kMambaConvolutionUpdate,
                          StreamKernel::kMambaConvolution);
      }
      case Mixer::kNone:
        break;
    }
    return {};
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
    const auto [active, routed] =
        slowest_rank(in_, ways_.expert, {reached, tokens * model.experts_per_token});
    const std::array<ExpertLoad<R>, 1> loads{{{active, at_least_one(routed / active)}}};
    const MoeLayerKernel<R> kernel{
        .loads = loads,
        .experts =
            scalar<R>(in_.constants.expert_each) * at_least_one(held_experts(in_) / ways_.expert),
        .tokens = tokens,
        .top_k = model.experts_per_token,
        .hidden = expert_inputs(model),
        .inner = at_least_one(model.expert_feed_forward / ways_.expert_tensor()),
        .gated = model.gated_feed_forward,
        .format = how.kernel,
        .weight_format = how.weight,
        .sustained = sustained_};
    const auto time =
        kernel_time(chip_, kernel).expected * scalar<R>(expert_share(in_, how.kernel));
    if (!how.blocks) return time;
    // The rows of each expert fill their last tile by half.
    const auto tile = min(scalar<R>(in_.constants.block_tile), tokens);
    const auto inputs = scalar<R>(model.gated_feed_forward ? 3 : 2);
    return max(time,
               in_blocks(routed + active * tile / 2.0, inputs * kernel.hidden * kernel.inner));
  }

 private:
  /// Time to multiply so many rows by so many weights, where each block of the sums has a scale.
  Quantity<kSecond, R> in_blocks(Count<R> rows, Count<R> weights) const {
    const auto rate = chip_.peak_in(KernelFormat::kFp8) * scalar<R>(in_.constants.block_rate);
    return constant<kFlop, R>(2) * rows * weights / rate;
  }

  /// Matrices of a layer that is more than standard attention. Matrices that read the same rows one
  /// after another are one kernel.
  Quantity<kSecond, R> matrices(const StepTokens<R>& tokens, const MixerGroup<R>& group,
                                WeightFormat format) const {
    const auto& model = in_.model;
    const MixerMatrices<R> all(model, group);
    const auto list = all.items();
    const auto rows = tokens.all();
    const bool latent = model.attention == Attention::kLatent && group.mixer <= Mixer::kSparse;
    Quantity<kSecond, R> time{};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& first = list[i];
      // Latent vectors are unfolded or absorbed.
      if (latent && i > 0 && !(first.rows < model.kv_rank) && !(model.kv_rank < first.rows) &&
          first.divided == DividedBy::kOutputs) {
        continue;
      }
      auto columns = first.columns;
      while (i + 1 < list.size() && first.divided == list[i + 1].divided &&
             first.divided != DividedBy::kInputs && first.copies.value() <= 1 &&
             list[i + 1].copies.value() <= 1 && !(list[i + 1].rows < first.rows) &&
             !(first.rows < list[i + 1].rows)) {
        columns = columns + list[++i].columns;
      }
      switch (first.divided) {
        case DividedBy::kCopies:
        case DividedBy::kNothing: {
          // Groups of heads are divided as heads are.
          const auto copies = at_least_one(ceil(first.copies / ways_.tensor));
          time = time + matmul(rows, first.rows, columns, format, copies);
          break;
        }
        case DividedBy::kOutputs:
          time = time + matmul(rows, first.rows, ceil(columns / ways_.tensor), format);
          break;
        case DividedBy::kInputs:
          time = time + matmul(rows, ceil(first.rows / ways_.tensor), columns, format);
          break;
      }
    }
    if (!latent) return time;
    const auto dims = attention_dims(model, group);
    return with_unfolding(time, tokens, at_least_one(ceil(dims.heads / ways_.tensor)), dims.value,
                          format);
  }

  /// Adds what latent vectors take on their way to heads: unfolded for prompts; for a token,
  /// queries are taken into their space instead.
  Quantity<kSecond, R> with_unfolding(Quantity<kSecond, R> time, const StepTokens<R>& tokens,
                                      Count<R> heads, Count<R> value, WeightFormat format) const {
    const auto& model = in_.model;
    const auto unfolded = heads * (model.nope_dim + value);
    if (tokens.decoding.value() > 0) {
      time = time + 2.0 * seconds_of<R>(in_.constants.absorbed) + move(unfolded * model.kv_rank, 2);
    }
    if (tokens.prompts.value() > 0) {
      time = time + matmul(tokens.prompts * tokens.queries, model.kv_rank, unfolded, format);
    }
    return time;
  }

  /// Attention of the sequences that decode in one layer, and of the prompts.
  Quantity<kSecond, R> attention(const StepTokens<R>& tokens, const MixerGroup<R>& group,
                                 Count<R> window) const {
    const auto& model = in_.model;
    const auto cache = cache_format(in_.server.cache);
    const auto dims = attention_dims(model, group);
    auto heads = at_least_one(ceil(dims.heads / ways_.tensor));
    auto kv_heads = at_least_one(ceil(dims.kv_heads / ways_.tensor));
    auto sequences = tokens.decoding;
    const bool latent = model.attention == Attention::kLatent;
    const auto held = latent ? scalar<R>(1) : dims.kv_heads;
    if (in_.server.divide_by_batch && ways_.tensor > held) {
      // Ranks that share a key head divide its sequences, each with all of its query heads.
      heads = dims.heads / held;
      sequences = at_least_one(sequences * held / ways_.tensor);
    }
    Quantity<kSecond, R> time{};
    // Heads whose values have another width are priced at the mean of both widths.
    const auto head_dim = dims.own_value && !latent ? (dims.key + dims.value) / 2.0 : dims.key;
    if (sequences.value() > 0) {
      const auto keys = at_least_one(context_read(in_, tokens));
      if (latent) {
        const auto seen = window.value() > 0 ? min(keys, window) : keys;
        time = latent_decode(sequences, seen, heads * tokens.each);
      } else if (model.shared_key_value) {
        const auto seen = window.value() > 0 ? min(keys, window) : keys;
        time = shared_decode(sequences, seen, heads * tokens.each);
      } else {
        time =
            grouped_decode(sequences, keys, heads * tokens.each, kv_heads, head_dim, window, cache);
      }
    }
    if (tokens.prompts.value() > 0) {
      const auto queries = at_least_one(tokens.queries);
      time =
          time +
          (latent ? kernel_time(chip_, LatentPrefillKernel<R>{tokens.prompts, queries, tokens.past,
                                                              heads, model.kv_rank, model.nope_dim,
                                                              model.rope_dim, dims.value, cache})
                  : kernel_time(chip_, PrefillKernel<R>{tokens.prompts, queries, tokens.past, heads,
                                                        kv_heads, head_dim, window, cache}))
              .expected;
    }
    return time;
  }

  Quantity<kSecond, R> latent_decode(Count<R> sequences, Count<R> keys, Count<R> heads) const {
    const auto& model = in_.model;
    return kernel_time(chip_, LatentDecodeKernel<R>{sequences, keys, heads, model.kv_rank,
                                                    model.rope_dim, cache_format(in_.server.cache)})
        .expected;
  }

  /// Heads that look at one vector, which is key and value.
  Quantity<kSecond, R> shared_decode(Count<R> sequences, Count<R> keys, Count<R> heads) const {
    return kernel_time(chip_, LatentDecodeKernel<R>{sequences, keys, heads, in_.model.head_dim,
                                                    Count<R>{}, cache_format(in_.server.cache)})
        .expected;
  }

  /// Scores of an indexer over `context` keys and the choice of the largest: half of what heads of
  /// this width would read and compute, as there are no values. It is not divided.
  Quantity<kSecond, R> indexing(const StepTokens<R>& tokens, Count<R> ratio) const {
    const auto& model = in_.model;
    const auto cache = cache_format(in_.server.cache);
    const auto half = model.index_head_dim / 2.0;
    const auto one = scalar<R>(1);
    Quantity<kSecond, R> time{};
    if (tokens.decoding.value() > 0) {
      const auto keys = at_least_one(tokens.context / ratio);
      time =
          kernel_time(chip_, DecodeKernel<R>{tokens.decoding, keys, model.index_heads * tokens.each,
                                             one, half, Count<R>{}, cache})
              .expected +
          move(tokens.decoded() * keys, 8);
    }
    if (tokens.prompts.value() > 0) {
      const auto queries = at_least_one(tokens.queries);
      const auto seen = (tokens.past + queries / 2.0) / ratio;
      // Scores of prompts are a matmul in 8 bits, without exponentials.
      const auto flops = constant<kFlop, R>(2) * tokens.prompts * queries * seen *
                         model.index_heads * model.index_head_dim;
      const auto rate =
          chip_.peak_in(KernelFormat::kFp8) * scalar<R>(in_.kernels.matmul[1].efficiency);
      time = time + flops / rate + move(tokens.prompts * queries * seen, 8);
    }
    return time;
  }

  Quantity<kSecond, R> sparse_attention(const StepTokens<R>& tokens,
                                        const MixerGroup<R>& group) const {
    const auto& model = in_.model;
    const auto most = index_tokens(model);
    const auto dims = attention_dims(model, group);
    const auto heads = at_least_one(ceil(dims.heads / ways_.tensor));
    auto shown = tokens;
    shown.context = min(tokens.context, most);
    shown.prompts = Count<R>{};
    auto time = attention(shown, group, Count<R>{});
    if (tokens.prompts.value() > 0) {
      shown = tokens;
      shown.decoding = Count<R>{};
      auto prompts = attention(shown, group, Count<R>{});
      const auto queries = at_least_one(tokens.queries);
      const auto seen = tokens.past + queries / 2.0;
      if (seen > most) {
        // Each query has keys of its own: latent ones as in decoding, others as of a window.
        const auto few = dims.latent ? latent_decode(tokens.prompts * queries, most, heads)
                                     : attention(shown, group, most);
        prompts = min(prompts, few);
      }
      time = time + prompts;
    }
    return group.indexes ? time + indexing(tokens, scalar<R>(1)) : time;
  }

  Quantity<kSecond, R> compressed_attention(const StepTokens<R>& tokens,
                                            const MixerGroup<R>& group) const {
    const auto& model = in_.model;
    const auto& ratio = group.size;
    const bool chooses = overlapping_keys(ratio) && model.index_top_k.value() > 0;
    const auto heads = at_least_one(ceil(model.heads / ways_.tensor));
    const auto seen = [&](Count<R> context) {
      const auto keys = context / ratio;
      return at_least_one(min(context, model.sliding_window) +
                          (chooses ? min(keys, model.index_top_k) : keys));
    };
    Quantity<kSecond, R> time{};
    if (tokens.decoding.value() > 0) {
      time = shared_decode(tokens.decoding, seen(tokens.context), heads * tokens.each);
    }
    if (tokens.prompts.value() > 0) {
      const auto queries = at_least_one(tokens.queries);
      const auto context = tokens.past + queries / 2.0;
      time = time + shared_decode(tokens.prompts * queries, seen(context), heads);
    }
    return chooses ? time + indexing(tokens, ratio) : time;
  }

  /// Layers with a state of `numbers` that each token moves `moved` numbers through: those that
  /// decode read and write it, prompts work in chunks of 64 tokens. Heads are divided.
  Quantity<kSecond, R> state_time(const StepTokens<R>& tokens, Count<R> state, Count<R> moved,
                                  Count<R> channels, StreamKernel recurrent, StreamKernel chunked,
                                  StreamKernel update, StreamKernel convolution) const {
    const auto two = constant<kByte, R>(2);
    const auto chunk = scalar<R>(64);
    Quantity<kSecond, R> time{};
    const auto price = [&](const StreamingKernel<R>& kernel) {
      time = time + kernel_time(chip_, kernel).expected;
    };
    if (tokens.decoding.value() > 0) {
      const auto rows = tokens.decoded() / ways_.tensor;
      if (state.value() > 0) price({.kind = recurrent, .bytes = 2.0 * two * rows * state});
      if (channels.value() > 0) price({.kind = update, .bytes = 2.0 * two * rows * channels});
    }
    if (tokens.prompts.value() > 0) {
      const auto queries = at_least_one(tokens.queries);
      const auto chunks = ceil(queries / chunk);
      const auto sequences = tokens.prompts / ways_.tensor;
      const auto bytes = two * sequences * queries * moved;
      const auto worked = 2.0 * two * sequences * chunks * chunk * moved;
      if (moved.value() > 0) {
        price({.kind = chunked, .bytes = bytes, .padding = worked - bytes, .chunks = chunks});
      }
      if (channels.value() > 0) {
        price({.kind = convolution,
               .bytes = 2.0 * two * sequences * queries * channels,
               .rows = sequences * channels});
      }
    }
    return time;
  }

  Quantity<kSecond, R> grouped_decode(Count<R> sequences, Count<R> keys, Count<R> heads,
                                      Count<R> kv_heads, Count<R> head_dim, Count<R> window,
                                      CacheFormat cache) const {
    DecodeKernel<R> kernel{sequences, keys, heads, kv_heads, head_dim, window, cache};
    kernel.residents = in_.constants.residents;
    if (!reads_together(heads.value() / kv_heads.value())) {
      kernel.one_by_one = in_.constants.shared_reads;
    }
    return kernel_time(chip_, kernel).expected;
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
  Count<R> sustained_;
  const KernelChip<R>& chip_;
  Quantity<kByte / kSecond, R> memory_;
};

/// Attention of all layers of a step.
template <class R>
Quantity<kSecond, R> attention_of(const ServingInput<R>& in, const ServingKernels<R>& kernels,
                                  const StepTokens<R>& tokens) {
  Quantity<kSecond, R> time{};
  for (const MixerGroup<R>& group : in.mix.mixers()) {
    const auto whole = group.layers - group.windowed;
    if (whole.value() > 0) time = time + whole * kernels.mixing(tokens, group, Count<R>{});
    if (group.windowed.value() > 0) {
      time = time + group.windowed * kernels.mixing(tokens, group, in.model.sliding_window);
    }
  }
  return time;
}

/// Bytes of the cache that a step reads on a chip [B].
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
Computing computing_of(const ServingInput<R>& in, WeightFormat format) {
  const bool eight =
      in.chip.peak(Format::kFp8).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const bool integers =
      in.chip.peak(Format::kInt8).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const bool four =
      in.chip.peak(Format::kFp4).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const Computing widened8{KernelFormat::kBf16, Format::kFp8, Format::kBf16};
  const Computing widened4{KernelFormat::kBf16, Format::kInt4, Format::kBf16};
  if (computes_in_blocks(in.chip, in.server) && format != WeightFormat::kBf16) {
    const bool wide = format <= WeightFormat::kInt8;
    return {KernelFormat::kFp8, wide ? Format::kInt8 : Format::kInt4, Format::kInt8, true};
  }
  switch (format) {
    case WeightFormat::kBf16:
      return {KernelFormat::kBf16, Format::kBf16, Format::kBf16};
    case WeightFormat::kFp8:
      if (!eight) return widened8;
      return {KernelFormat::kFp8, Format::kFp8, Format::kFp8};
    case WeightFormat::kFp8Block:
      if (!eight) return widened8;
      return {KernelFormat::kFp8Block, Format::kFp8, Format::kFp8};
    case WeightFormat::kInt8:
      if (!integers) return widened8;
      return {KernelFormat::kFp8, Format::kInt8, Format::kInt8};
    case WeightFormat::kInt4:
      return widened4;
    case WeightFormat::kMxfp4:
    case WeightFormat::kNvfp4:
      break;
  }
  if (!four) return widened4;
  return {KernelFormat::kFp4, Format::kFp4, Format::kFp4};
}

template <class R>
Quantity<kSecond, R> prompt_launches(const ServingInput<R>& in) {
  if (!in.measured() || in.server.prompt_launch != PromptLaunch::kEager) return {};
  const auto& constants = in.constants;
  auto kernels = in.mix.with_experts * scalar<R>(constants.kernels_experts);
  for (const MixerGroup<R>& group : in.mix.mixers()) {
    auto each = scalar<R>(constants.kernels_layer);
    if (group.mixer == Mixer::kLinear || group.mixer == Mixer::kMamba) {
      each = each + scalar<R>(constants.kernels_state);
    } else if (in.model.attention == Attention::kLatent) {
      each = each + scalar<R>(constants.kernels_latent);
    }
    if (group.indexes) each = each + scalar<R>(constants.kernels_index);
    kernels = kernels + group.layers * each;
  }
  return kernels * seconds_of<R>(constants.eager_launch);
}

template <class R>
FloorNumbers<R> floor_numbers(const Model<R>& model) {
  if (model.stated_parameters.present()) return {active_parameters(model), {}};
  // Embeddings are looked up, and only the last token of a prompt has logits.
  Count<R> head{};
  const auto ends = kernels_of_ends(model);
  for (const Kernel<R>& kernel : ends.items()) {
    if (kernel.rows == RowsOf::kLogits) head = head + kernel.contraction * kernel.outputs;
  }
  return {as<kOne>(count_parameters(model).matmul) - head, head};
}

template <class R>
StepParts<R> serial_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                          const ServerWays<R>& ways, const StepTokens<R>& tokens, StepNeeds needs) {
  StepParts<R> parts;
  const auto& model = in.model;
  const auto rows = tokens.all();
  if (!in.measured()) {
    const auto sent = tensor_transfers(in, ways, tokens) + gather_transfers(in, ways, tokens) +
                      exchange_transfers(in, ways, tokens);
    const auto& server = in.server;
    const auto& kernels = in.kernels_chip;
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
  const ServingKernels<R> kernels(in, ways, tokens.sustained);
  const auto& mix = in.mix;
  const auto layers = whole_layers(mix);
  const auto& moe = mix.with_experts;
  const auto& constants = in.constants;
  if (needs.experts && moe.value() > 0) parts.experts = moe * kernels.experts(rows);
  if (needs.network) {
    const auto collectives =
        tensor_transfers(in, ways, tokens) + gather_transfers(in, ways, tokens);
    parts.network = scalar<R>(constants.collective) * collectives + stage_hops(in, ways, tokens);
  }
  if (needs.exchange) parts.exchange = exchange_transfers(in, ways, tokens);
  if (!needs.rank) {
    if (needs.attention) parts.attention = attention_of(in, kernels, tokens);
    return parts;
  }
  parts.matmuls = sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    return group.layers * kernels.projections(tokens, group);
  });
  if (needs.attention) parts.attention = attention_of(in, kernels, tokens);
  const auto gates = scalar<R>(model.gated_feed_forward ? 3 : 2);
  parts.elementwise = layers * kernels.move(rows * model.hidden, 16);
  if (model.residual_streams.value() > 0) {
    const auto& streams = model.residual_streams;
    const auto hidden = streams * model.hidden;
    parts.matmuls =
        parts.matmuls +
        2.0 * layers *
            kernels.matmul(rows, hidden, (streams + scalar<R>(2)) * streams, WeightFormat::kBf16);
    parts.elementwise = parts.elementwise + layers * kernels.move(rows * hidden, 16);
  }
  if (model.per_layer_input.value() > 0) {
    const auto& own = model.per_layer_input;
    const auto each = kernels.matmul(rows, model.hidden, own, WeightFormat::kBf16) +
                      kernels.matmul(rows, own, model.hidden, WeightFormat::kBf16);
    parts.matmuls =
        parts.matmuls + model.layers * each +
        kernels.matmul(rows, model.hidden, model.layers * own / ways.tensor, WeightFormat::kBf16);
    parts.elementwise =
        parts.elementwise + model.layers * kernels.move(rows * (3.0 * own + 3.0 * model.hidden), 2);
  }
  for (const DenseGroup<R>& group : mix.dense()) {
    if (!(group.layers.value() > 0)) continue;
    parts.matmuls = parts.matmuls + group.layers * kernels.feed_forward(rows, group.width);
    parts.elementwise = parts.elementwise +
                        group.layers * kernels.move(gates * rows * group.width / ways.tensor, 2);
  }
  if (moe.value() > 0) {
    parts.matmuls = parts.matmuls + moe * kernels.matmul(rows, model.hidden, router_outputs(model),
                                                         WeightFormat::kBf16);
    if (shared_width(model).value() > 0) {
      parts.matmuls = parts.matmuls + moe * kernels.feed_forward(rows, shared_width(model));
    }
    if (model.expert_latent.value() > 0) {
      const auto there = kernels.matmul(rows, model.hidden, model.expert_latent, in.server.weights);
      const auto back = kernels.matmul(rows, model.expert_latent, model.hidden, in.server.weights);
      parts.matmuls = parts.matmuls + moe * (there + back);
    }
  }
  const auto logits = at_least_one(tokens.decoded() + tokens.prompts);
  const auto width = model.vocabulary / ways.tensor;
  const auto head = format_of_part(in.server.head_weights, in.server.weights);
  parts.head = kernels.matmul(logits, model.hidden, width, head) +
               kernels.move(logits * width, constants.sampling);
  Constant host = constants.host_between;
  auto each = scalar<R>(constants.small_kernels);
  if (model.norms_per_layer.value() <= 1) each = each - scalar<R>(1);
  switch (in.server.host) {
    case HostWork::kBetween:
      break;
    case HostWork::kBeside:
    case HostWork::kScripted:
      host = constants.host_beside;
      break;
    case HostWork::kCompiled:
      // A compiler joins small kernels with their neighbours.
      each = {};
      host = constants.host_compiled;
      break;
  }
  parts.launches = layers * each * seconds_of<R>(constants.small_kernel) + seconds_of<R>(host);
  return parts;
}

template <class R>
StepParts<R> step_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  const auto parts = serial_parts(in, weights, ways, tokens);
  if (!takes_turns(in, parts)) return parts;
  return in_turns(parts, serial_parts(in, weights, ways, half_of(tokens)));
}

template <class R>
[[gnu::noinline]] KernelChip<R> serving_kernels(const Chip<R>& chip, const Server<R>& server,
                                                const KernelRates& rates) {
  auto kernels = kernel_chip(chip, chip.multiprocessors, rates);
  if (server.weights == WeightFormat::kInt8 || computes_in_blocks(chip, server)) {
    kernels = computing_in(Format::kInt8, chip, kernels);
  }
  return kernels;
}

template <class R>
Quantity<kSecond, R> step_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  const auto& model = in.model;
  const auto& kernels = in.kernels_chip;
  auto peak = peak_of(kernels, computing_of(in, in.server.weights));
  if (weights.experts.value() > 0) {
    peak = max(peak, peak_of(kernels, computing_of(in, format_of_part(in.server.expert_weights,
                                                                      in.server.weights))));
  }
  const auto bytes =
      weights_read(in, weights, ways, model.experts_per_token) + cache_read(in, ways, tokens);
  const auto [each, head] = kept_floor_numbers(in);
  const auto logits = tokens.decoded() + tokens.prompts;
  const auto flops = constant<kFlop, R>(2) * (each * tokens.all() + head * logits) / ways.tensor;
  return max(flops / peak, bytes / kernels.memory);
}

template <class R>
Quantity<kSecond, R> experts_floor(const ServingInput<R>& in, const ServerWays<R>& ways,
                                   Count<R> tokens, Count<R> reached) {
  const auto& model = in.model;
  const auto& moe = in.mix.with_experts;
  if (!in.measured() || !(moe.value() > 0)) return {};
  const auto how = computing_of(in, format_of_part(in.server.expert_weights, in.server.weights));
  const auto format = static_cast<std::size_t>(how.kernel);
  const ExpertsRates& rates = in.kernels.experts[format];
  const auto efficiency =
      scalar<R>(in.kernels.matmul[format].efficiency) * scalar<R>(rates.efficiency);
  const auto& chip = in.kernels_chip;
  const auto ranks = ways.tensor * ways.data;
  const bool any = !(ways.expert.value() > 0);
  const auto expert = any ? min(ranks, model.experts) : ways.expert;
  // The work of all ranks, as if each had that of the slowest one.
  ExpertWork<R> work{reached, tokens * model.experts_per_token};
  if (!any) {
    const auto slowest = slowest_rank(in, expert, work);
    work = {slowest.active * expert, slowest.routed * expert};
  }
  const auto inputs = scalar<R>(model.gated_feed_forward ? 3 : 2);
  const auto numbers = inputs * expert_inputs(model) * model.expert_feed_forward / ranks;
  const auto computing =
      constant<kFlop, R>(2) * work.routed * numbers / (peak_of(chip, how) * efficiency);
  const auto moving =
      work.active * numbers * stored_bytes<R>(how.weight) / (chip.memory * scalar<R>(rates.memory));
  const auto permuted = (2.0 * work.routed / expert + tokens) * expert_inputs(model) *
                        constant<kByte, R>(2) / (chip.memory * scalar<R>(rates.permute));
  const auto each = scalar<R>(in.constants.expert_each) * model.experts / expert;
  const auto time = seconds_of<R>(rates.start) + together(computing, moving) + permuted +
                    tokens * model.experts_per_token * seconds_of<R>(rates.per_token) +
                    each * seconds_of<R>(rates.per_expert);
  return moe * time * scalar<R>(expert_share(in, how.kernel));
}

template <class R>
Count<R> step_bound(const ServingInput<R>& in, const WeightBytes<R>& weights,
                    const ServerWays<R>& ways, const StepTokens<R>& tokens,
                    const StepParts<R>& parts) {
  const auto& kernels = in.kernels_chip;
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
  consider(parts.network + parts.exchange, ServingBound::kNetwork);
  consider(parts.launches, ServingBound::kLaunches);
  return bound;
}

template Computing computing_of(const ServingInput<SCALING_REP>&, WeightFormat);
template StepParts<SCALING_REP> step_parts(const ServingInput<SCALING_REP>&,
                                           const WeightBytes<SCALING_REP>&,
                                           const ServerWays<SCALING_REP>&,
                                           const StepTokens<SCALING_REP>&);
template StepParts<SCALING_REP> serial_parts(const ServingInput<SCALING_REP>&,
                                             const WeightBytes<SCALING_REP>&,
                                             const ServerWays<SCALING_REP>&,
                                             const StepTokens<SCALING_REP>&, StepNeeds);
template Quantity<kSecond, SCALING_REP> prompt_launches(const ServingInput<SCALING_REP>&);
template FloorNumbers<SCALING_REP> floor_numbers(const Model<SCALING_REP>&);
template KernelChip<SCALING_REP> serving_kernels(const Chip<SCALING_REP>&,
                                                 const Server<SCALING_REP>&, const KernelRates&);
template Quantity<kSecond, SCALING_REP> step_floor(const ServingInput<SCALING_REP>&,
                                                   const WeightBytes<SCALING_REP>&,
                                                   const ServerWays<SCALING_REP>&,
                                                   const StepTokens<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> experts_floor(const ServingInput<SCALING_REP>&,
                                                      const ServerWays<SCALING_REP>&,
                                                      Count<SCALING_REP>, Count<SCALING_REP>);
template Count<SCALING_REP> step_bound(const ServingInput<SCALING_REP>&,
                                       const WeightBytes<SCALING_REP>&,
                                       const ServerWays<SCALING_REP>&,
                                       const StepTokens<SCALING_REP>&,
                                       const StepParts<SCALING_REP>&);

}  // namespace scaling
