// SPDX-License-Identifier: MIT
#include "scaling/serving/kv_cache.hpp"

#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/kernels/share.hpp"
#include "scaling/serving/host.hpp"

namespace scaling {
namespace {

/// Bytes of a number, without scales.
double number_bytes(KvFormat format) {
  switch (format) {
    case KvFormat::kBf16:
      return 2;
    case KvFormat::kFp8:
    case KvFormat::kInt8:
    case KvFormat::kScaled8:
      return 1;
    case KvFormat::kInt4:
      return 0.5;
    case KvFormat::kNvfp4:
      break;
  }
  return kNvfp4Width;
}

/// The cache of a sequence with that of the model's drafts: of its own modules so many more layers,
/// of another model its share of a step, most of which reads weights and cache.
template <class R>
Quantity<kByte, R> with_drafts(const ServingInput<R>& in, Quantity<kByte, R> cache) {
  const auto& model = in.model;
  if (!(in.serving.draft_tokens.value() > 0)) return cache;
  const auto share =
      model.mtp_modules.value() > 0 ? model.mtp_modules / model.layers : in.serving.draft_cost;
  return cache + share * cache;
}

/// How the chips of a server divide its cache.
template <class R>
struct CacheDivision {
  Count<R> tensor = one<R>(), stages = one<R>();
  bool by_sequences = false;  ///< tensor ways divide sequences, and so all that these keep

  /// A chip's share of what a kernel keeps: heads, of which it has one at least, or all.
  Count<R> share(const Kernel<R>& kernel, const Count<R>& numbers) const {
    if (by_sequences) return numbers / tensor;
    const auto& grain = kernel.cache.grain;
    return given(grain) ? share_of(numbers, grain, tensor) : numbers;
  }
};

/// Bytes of `numbers` that a token leaves in the cache of a kernel, with their scales: vectors of
/// heads, of which each has one, or latent ones.
template <class R>
Quantity<kByte / kToken, R> token_bytes(const Kernel<R>& kernel, KvFormat format,
                                        const Count<R>& numbers) {
  const auto number = constant<kByte / kToken, R>(number_bytes(format));
  if (format != KvFormat::kScaled8) return numbers * number;
  const auto scale = constant<kByte / kToken, R>(4);
  const auto& heads = kernel.heads;
  if (given(heads.rank)) {
    return numbers / (heads.rank + heads.rope) *
           (heads.rank * number + ceil(heads.rank / scalar<R>(128)) * scale +
            heads.rope * constant<kByte / kToken, R>(2));
  }
  const bool alone = heads.one_vector || !given(heads.value);
  const auto vectors = alone ? numbers / heads.key : 2.0 * (numbers / (heads.key + heads.value));
  return numbers * number + vectors * scale;
}

/// Adds what kernels of so many layers keep on a chip.
template <class R>
class CacheSum {
 public:
  CacheSum(const ServingInput<R>& in, const CacheDivision<R>& by)
      : format_(in.server.cache), by_(by) {
    bytes.window = in.model.sliding_window;
  }

  void add(const Kernel<R>& kernel, const Count<R>& layers) {
    const auto& cache = kernel.cache;
    const auto add_to = [&](Quantity<kByte / kToken, R>& sum, const Count<R>& numbers) {
      if (!given(numbers)) return;
      const auto own = token_bytes(kernel, format_, by_.share(kernel, numbers));
      sum = sum + layers * (own / by_.stages);
    };
    add_to(bytes.per_token, cache.kept);
    add_to(bytes.per_token, cache.chosen);
    add_to(bytes.windowed, cache.windowed);
    add_to(bytes.reread, cache.reread);
    add_to(bytes.reread_windowed, cache.reread_windowed);
    if (given(cache.chosen)) add_to(bytes.chosen_up_to(cache.limit), cache.chosen);
    if (!given(cache.state) && !given(cache.inputs)) return;
    const auto state = by_.share(kernel, cache.state) * constant<kByte, R>(4) +
                       by_.share(kernel, cache.inputs) * constant<kByte, R>(2);
    bytes.state = bytes.state + layers * (state / by_.stages);
  }

  KvBytes<R> bytes{};

 private:
  KvFormat format_;
  const CacheDivision<R>& by_;
};

/// The cache of all layers, or of those with the mixer `only`.
template <class R>
KvBytes<R> sum_of_caches(const ServingInput<R>& in, const CacheDivision<R>& by,
                         const Mixer* only = nullptr) {
  CacheSum<R> sum(in, by);
  each_part(in.model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (!part.mixes || (only != nullptr && part.mixer != *only)) return;
    for (const Kernel<R>& kernel : kernels) {
      if (!kernel.multiplies()) sum.add(kernel, part.layers);
    }
  });
  return sum.bytes;
}

}  // namespace

template <class R>
Quantity<kByte / kToken, R> kv_of_layer(const ServingInput<R>& in) {
  Quantity<kByte / kToken, R> whole{}, windowed{};
  each_part(in.model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (!part.mixes) return;
    for (const Kernel<R>& kernel : kernels) {
      if (!kernel.attends()) continue;
      const auto& cache = kernel.cache;
      const auto of_all = cache.kept + cache.chosen;
      auto& most = given(of_all) ? whole : windowed;
      most = max(most, token_bytes(kernel, in.server.cache, of_all + cache.windowed));
    }
  });
  return whole.value() > 0 ? whole : windowed;
}

template <class R>
KvBytes<R> kv_bytes(const ServingInput<R>& in) {
  return sum_of_caches(in, CacheDivision<R>{});
}

template <class R>
Quantity<kByte, R> kv_of_mixer(const ServingInput<R>& in, Mixer mixer, Quantity<kToken, R> tokens) {
  return sum_of_caches(in, CacheDivision<R>{}, &mixer).of_sequence(tokens);
}

template <class R>
KvBytes<R> kv_of_chip(const ServingInput<R>& in, const ServerWays<R>& ways) {
  CacheDivision<R> by{ways.tensor, ways.pipeline, in.server.divide_by_batch};
  // Hosts keep the cache of the layers that they compute.
  if (in.serving.host_layers.value() > 0) {
    by.stages = by.stages / (one<R>() - host_share(in).layers);
  }
  return sum_of_caches(in, by);
}

template <class R>
CacheRoom<R> cache_room(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const Servers<R>& servers, const KvBytes<R>& kv) {
  const auto& server = in.server;
  const auto of_sequence = [&](Quantity<kToken, R> tokens) {
    return with_drafts(in, kv.of_sequence(tokens));
  };
  CacheRoom<R> result{};
  result.capacity = of_one_chip(in.chip.memory);
  result.weights = weights_of_chip(weights, servers.ways);
  const auto taken = result.weights + server.reserved;
  result.room = server.share_of == MemoryShareOf::kWhole
                    ? server.memory_share * result.capacity - taken
                    : server.memory_share * (result.capacity - taken);
  const auto block = as<kToken>(server.block);
  const auto in_blocks = [&](Quantity<kToken, R> tokens) { return block * ceil(tokens / block); };
  auto end = in.serving.prompt();
  auto middle = end;
  auto longest = end;
  if (servers.role == ServerRole::kAnswers) {
    const auto answer = running_answer(in.serving);
    end = end + answer;
    middle = middle + answer / 2.0;
    longest = in.serving.longest();
  }
  result.filled = of_sequence(middle);
  switch (server.allocation) {
    case CacheAllocation::kPaged:
      result.held = of_sequence(in_blocks(end));
      result.mean = of_sequence(middle + (block - constant<kToken, R>(1)) / 2.0);
      break;
    case CacheAllocation::kWhole:
      result.held = of_sequence(in_blocks(end));
      result.mean = result.held;
      break;
    case CacheAllocation::kLongest:
      result.held = of_sequence(max(server.longest, max(end, longest)));
      result.mean = result.held;
      break;
  }
  result.waste = scalar<R>(1) - result.filled / result.mean;
  result.sequences = max(result.room, Quantity<kByte, R>{}) /
                     (server.allocation == CacheAllocation::kPaged ? result.mean : result.held);
  if (server.cache_tokens.present()) {
    result.sequences = server.cache_tokens.value / (servers.ways.data * middle);
    result.room = result.sequences * result.mean;
  }
  return result;
}

template Quantity<kByte / kToken, SCALING_REP> kv_of_layer(const ServingInput<SCALING_REP>&);
template KvBytes<SCALING_REP> kv_bytes(const ServingInput<SCALING_REP>&);
template Quantity<kByte, SCALING_REP> kv_of_mixer(const ServingInput<SCALING_REP>&, Mixer,
                                                  Quantity<kToken, SCALING_REP>);
template KvBytes<SCALING_REP> kv_of_chip(const ServingInput<SCALING_REP>&,
                                         const ServerWays<SCALING_REP>&);
template CacheRoom<SCALING_REP> cache_room(const ServingInput<SCALING_REP>&,
                                           const WeightBytes<SCALING_REP>&,
                                           const Servers<SCALING_REP>&,
                                           const KvBytes<SCALING_REP>&);

}  // namespace scaling
