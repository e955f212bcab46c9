// SPDX-License-Identifier: MIT
#include "scaling/serving/step_prices.hpp"

namespace scaling {
namespace {

/// Heads whose values have another width are priced at the mean of both widths.
template <class R>
Count<R> head_width(const KernelHeads<R>& heads) {
  const bool one_width = heads.key.value() == heads.value.value();
  return one_width ? heads.key : (heads.key + heads.value) / 2.0;
}

/// Keys of a window, and keys that stand for several tokens: each query has keys of its own.
template <class R>
bool compresses(const KernelReach<R>& reach) {
  return given(reach.window) && given(reach.ratio);
}

/// The kernels by which a state is priced: those of the kind that was measured next to it.
struct MeasuredStates {
  StreamKernel recurrent, chunked, update, convolution;
};

constexpr MeasuredStates state_kernels(ScanKind kind) {
  using enum StreamKernel;
  switch (kind) {
    case ScanKind::kKimi:
      return {kKimiRecurrent, kKimiChunked, kDeltaConvolutionUpdate, kKimiConvolution};
    case ScanKind::kDelta:
    case ScanKind::kLightning:
      return {kDeltaRecurrent, kDeltaChunked, kDeltaConvolutionUpdate, kDeltaConvolution};
    case ScanKind::kMamba1:
    case ScanKind::kMamba2:
    case ScanKind::kConvolution:
      break;
  }
  // The scan was not measured: it is taken for a gated delta rule that moves its numbers.
  return {kDeltaRecurrent, kDeltaChunked, kMambaConvolutionUpdate, kMambaConvolution};
}

}  // namespace

template <class R>
StepPrices<R>::StepPrices(const ServingInput<R>& in, const ServerWays<R>& ways,
                          const StepTokens<R>& tokens)
    : in_(in),
      tokens_(tokens),
      cache_(in.server.cache == KvFormat::kBf16 ? CacheFormat::kBf16 : CacheFormat::kFp8),
      memory_(of_one_chip(in.chip.memory_bandwidth) * scalar<R>(in.constants.memory)) {
  by_.tensor = ways.tensor;
  batch_ = {max(tokens.all(), one<R>()), max(tokens.decoded() + tokens.prompts, one<R>())};
  prompts_.tokens = tokens.prompts * tokens.queries;
}

template <class R>
[[gnu::noinline]] Quantity<kSecond, R> StepPrices<R>::matmuls(std::span<const Kernel<R>> kernels,
                                                              std::size_t& first) const {
  const Kernel<R>& kernel = kernels[first];
  if (kernel.form == KernelForm::kAbsorbed) return decodes() ? absorbed(kernel) : Seconds{};
  // For prompts, latent vectors are unfolded; for a token, queries are taken to them.
  const bool unfolded = kernel.form == KernelForm::kUnfolded;
  if (unfolded && !prefills()) return {};
  const auto launch = launch_of(kernels, first, unfolded ? prompts_ : batch_, by_);
  const Computing how = computing_of(in_, format_of(in_.server, kernel.format));
  const MatmulKernel<R> priced{.shape = {max(launch.rows, one<R>()), launch.contraction,
                                         launch.outputs, how.activation, how.weight, Format::kBf16},
                               .format = how.kernel,
                               .copies = launch.copies,
                               .sustained = tokens_.sustained,
                               .stored = stored_weight(in_.server, kernel.format)};
  const auto time = kernel_time(in_.kernels_chip, priced).expected;
  if (!how.blocks) return time;
  return max(time,
             time_in_blocks(in_, launch.copies * launch.rows, launch.contraction * launch.outputs));
}

template <class R>
Quantity<kSecond, R> StepPrices<R>::absorbed(const Kernel<R>& kernel) const {
  const auto share = local(kernel, batch_, by_);
  return seconds_of<R>(in_.constants.absorbed) +
         moved(share.copies * share.contraction * share.outputs, constant<kByte, R>(2));
}

template <class R>
Quantity<kSecond, R> StepPrices<R>::move(const Kernel<R>& kernel) const {
  if (kernel.part == ParameterPart::kMixer || kernel.rows == RowsOf::kRouted) return {};
  const auto numbers = kernel.read - kernel.handed + kernel.written;
  if (!given(numbers)) return {};
  return moved(moving_tokens(kernel, batch_, by_) * numbers, constant<kByte, R>(2));
}

template <class R>
Quantity<kSecond, R> StepPrices<R>::sampling(const Kernel<R>& head) const {
  const auto share = local(head, batch_, by_);
  return moved(share.rows * share.outputs, constant<kByte, R>(in_.constants.sampling));
}

template <class R>
Quantity<kSecond, R> StepPrices<R>::mixing(const Kernel<R>& kernel) const {
  if (kernel.type == KernelType::kScan) return state(kernel);
  return kernel.attends() ? attention(kernel) : index_scores(kernel);
}

// --- attention ---

/// The tokens of each sequence that attention reads the cache of. A program that is compiled for
/// one shape reads all that is reserved, whatever of it is filled.
template <class R>
Count<R> StepPrices<R>::context_read() const {
  if (in_.server.host != HostWork::kCompiled) return tokens_.context;
  const auto reserved = in_.server.allocation == CacheAllocation::kLongest
                            ? as<kOne>(max(in_.server.longest, in_.serving.longest()))
                            : as<kOne>(in_.serving.prompt()) + as<kOne>(in_.serving.answer);
  return max(tokens_.context, reserved);
}

template <class R>
typename StepPrices<R>::Heads StepPrices<R>::heads_of(const Kernel<R>& kernel) const {
  const auto& of = kernel.heads;
  const auto& tensor = by_.tensor;
  Heads heads{share_of(of.heads, of.heads, tensor), share_of(of.kv_heads, of.kv_heads, tensor),
              tokens_.decoding};
  const auto held = given(of.rank) ? one<R>() : of.kv_heads;
  if (in_.server.divide_by_batch && tensor > held) {
    // Ranks that share a key head divide its sequences, each with all of its query heads.
    heads.query = of.heads / held;
    heads.sequences = max(heads.sequences * held / tensor, one<R>());
  }
  return heads;
}

template <class R>
Quantity<kSecond, R> StepPrices<R>::attention(const Kernel<R>& kernel) const {
  const Heads heads = heads_of(kernel);
  Seconds time{};
  if (decodes()) {
    time = decode(kernel, heads.sequences, context_read(), heads.query * tokens_.each, heads.key);
  }
  if (prefills()) time = time + prefill(kernel, heads);
  return time;
}

/// Attention of the last tokens of sequences, of `heads` queries in all.
template <class R>
Quantity<kSecond, R> StepPrices<R>::decode(const Kernel<R>& kernel, Count<R> sequences,
                                           Count<R> context, Count<R> heads,
                                           Count<R> key_heads) const {
  const auto& of = kernel.heads;
  const auto& chip = in_.kernels_chip;
  if (given(of.rank) || of.one_vector) {
    // All heads look at one vector, which is key and value.
    const auto& rank = given(of.rank) ? of.rank : of.key;
    const auto keys = shown_keys(of.reach, context);
    return kernel_time(chip, LatentDecodeKernel<R>{sequences, keys, heads, rank, of.rope, cache_})
        .expected;
  }
  // These kernels know windows themselves.
  const bool windowed = given(of.reach.window) && !compresses(of.reach);
  const auto keys = windowed ? max(context, one<R>()) : shown_keys(of.reach, context);
  DecodeKernel<R> priced{sequences, keys,           heads,
                         key_heads, head_width(of), windowed ? of.reach.window : Count<R>{},
                         cache_};
  priced.residents = in_.constants.residents;
  if (!reads_together(heads.value() / key_heads.value())) {
    priced.one_by_one = in_.constants.shared_reads;
  }
  return kernel_time(chip, priced).expected;
}

template <class R>
Quantity<kSecond, R> StepPrices<R>::prefill(const Kernel<R>& kernel, const Heads& heads) const {
  const auto& of = kernel.heads;
  const auto queries = max(tokens_.queries, one<R>());
  const auto context = tokens_.past + queries / 2.0;
  const auto by_queries = [&] {
    const auto divided = share_of(of.heads, of.heads, by_.tensor);
    return decode(kernel, tokens_.prompts * queries, context, divided, heads.key);
  };
  if (compresses(of.reach)) return by_queries();
  const auto whole = whole_prefill(kernel, heads, of.reach.window);
  const auto& most = of.reach.most;
  if (!given(most) || !(most < context)) return whole;
  // Each query has keys of its own: latent ones as in decoding, others as of a window.
  return min(whole, given(of.rank) ? by_queries() : whole_prefill(kernel, heads, most));
}

/// Attention of prompts to all keys, or to those of a window.
template <class R>
Quantity<kSecond, R> StepPrices<R>::whole_prefill(const Kernel<R>& kernel, const Heads& heads,
                                                  Count<R> window) const {
  const auto& of = kernel.heads;
  const auto& chip = in_.kernels_chip;
  const auto queries = max(tokens_.queries, one<R>());
  if (given(of.rank)) {
    const LatentPrefillKernel<R> latent{tokens_.prompts, queries,  tokens_.past,
                                        heads.query,     of.rank,  of.nope,
                                        of.rope,         of.value, cache_};
    return kernel_time(chip, latent).expected;
  }
  return kernel_time(chip, PrefillKernel<R>{tokens_.prompts, queries, tokens_.past, heads.query,
                                            heads.key, head_width(of), window, cache_})
      .expected;
}

/// Scores of an indexer and the choice of the largest: half of what heads of this width would read
/// and compute, as there are no values. It is not divided.
template <class R>
Quantity<kSecond, R> StepPrices<R>::index_scores(const Kernel<R>& kernel) const {
  const auto& of = kernel.heads;
  const auto& ratio = of.reach.ratio;
  const auto choosing = constant<kByte, R>(8);
  Seconds time{};
  if (decodes()) {
    const auto keys = shown_keys(of.reach, tokens_.context);
    const DecodeKernel<R> half{
        tokens_.decoding, keys,  of.heads * tokens_.each, of.kv_heads, of.key / 2.0,
        Count<R>{},       cache_};
    time = kernel_time(in_.kernels_chip, half).expected + moved(tokens_.decoded() * keys, choosing);
  }
  if (prefills()) {
    const auto queries = max(tokens_.queries, one<R>());
    const auto seen = tokens_.past + queries / 2.0;
    const auto scores = tokens_.prompts * queries * (ratio.value() == 1 ? seen : seen / ratio);
    // Scores of prompts are a matmul in 8 bits, without exponentials.
    const auto flops = constant<kFlop, R>(2) * scores * of.heads * of.key;
    const auto rate =
        in_.kernels_chip.peak_in(KernelFormat::kFp8) * scalar<R>(in_.kernels.matmul[1].efficiency);
    time = time + flops / rate + moved(scores, choosing);
  }
  return time;
}

/// Tokens that are decoded read and write the state, prompts work in chunks of 64 tokens. Heads are
/// divided.
template <class R>
Quantity<kSecond, R> StepPrices<R>::state(const Kernel<R>& kernel) const {
  const auto two = constant<kByte, R>(2);
  const auto of_chip = [&](const Count<R>& numbers) {
    return share_of(numbers, kernel.cache.grain, by_.tensor);
  };
  const auto kernels = state_kernels(kernel.scan.kind);
  Seconds time{};
  const auto price = [&](const StreamingKernel<R>& priced) {
    time = time + kernel_time(in_.kernels_chip, priced).expected;
  };
  const auto& cells = kernel.cache.state;
  const auto& channels = kernel.scan.channels;
  if (decodes()) {
    const auto bytes = 2.0 * two * tokens_.decoded();
    if (given(cells)) price({.kind = kernels.recurrent, .bytes = bytes * of_chip(cells)});
    if (given(channels)) price({.kind = kernels.update, .bytes = bytes * of_chip(channels)});
  }
  if (prefills()) {
    const auto chunk = scalar<R>(64);
    const auto queries = max(tokens_.queries, one<R>());
    const auto chunks = ceil(queries / chunk);
    if (given(kernel.scan.moved)) {
      const auto each = two * tokens_.prompts * of_chip(kernel.scan.moved);
      const auto bytes = each * queries;
      price({.kind = kernels.chunked,
             .bytes = bytes,
             .padding = 2.0 * each * chunks * chunk - bytes,
             .chunks = chunks});
    }
    if (given(channels)) {
      const auto rows = tokens_.prompts * of_chip(channels);
      price({.kind = kernels.convolution, .bytes = 2.0 * two * rows * queries, .rows = rows});
    }
  }
  return time;
}

template <class R>
bool StepPrices<R>::reads_together(double group) const {
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

template class StepPrices<SCALING_REP>;

}  // namespace scaling
