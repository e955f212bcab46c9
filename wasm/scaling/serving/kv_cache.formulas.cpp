// SPDX-License-Identifier: MIT
#include "scaling/serving/kv_cache.hpp"

#include "scaling/model/kinds/mixer.hpp"

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
  return 0.5 + 1.0 / 16;
}

template <class R>
KvBytes<R> in_layers(const Model<R>& model, Quantity<kByte, R> of_layer, Count<R> stages) {
  const auto each = of_layer / constant<kToken, R>(1) / stages;
  const bool windows = model.sliding_window.value() > 0 && model.windowed_layers.value() > 0;
  const auto limited = windows ? model.windowed_layers : Count<R>{};
  return {(model.layers - limited) * each, limited * each, model.sliding_window};
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

/// Whether every layer keeps keys and values of one width, or latent vectors.
template <class R>
bool is_plain(const Model<R>& model) {
  if (!has_one_mixer(model)) return false;
  if (model.attention == Attention::kLatent) return true;
  return !(model.shared_key_value || attention_dims(model, one_mixer(model)).own_value);
}

/// Whether layers of a kind are asked for: of one kind alone, or of all.
bool is_asked(Mixer mixer, const Mixer* only) { return only == nullptr || *only == mixer; }

/// The cache of layers that differ, or of those with the mixer `only`. Key heads are divided by
/// `tensor` ways as far as there are any, states and their convolutions' inputs always; index keys
/// and compressed ones are on each.
template <class R>
KvBytes<R> in_groups(const ServingInput<R>& in, Count<R> tensor, Count<R> stages, bool by_sequences,
                     const Mixer* only = nullptr) {
  const auto& model = in.model;
  const KvFormat format = in.server.cache;
  // One scale for 128 numbers.
  const double scale = format == KvFormat::kScaled8 ? 4.0 / 128 : 0;
  const auto number = constant<kByte, R>(number_bytes(format) + scale) / constant<kToken, R>(1);
  const auto one = scalar<R>(1);
  KvBytes<R> result{};
  result.window = model.sliding_window;
  for (const MixerGroup<R>& group : in.mix.mixers()) {
    if (!is_asked(group.mixer, only)) continue;
    auto own = group;
    own.shares = false;
    const auto cache = mixer_cache(model, own);
    const auto layers = group.layers / stages;
    auto heads = one;
    if (by_sequences) {
      heads = one / tensor;
    } else if (group.mixer <= Mixer::kSparse && model.attention == Attention::kGrouped) {
      heads = max(ceil(group.size / tensor), one) / group.size;
    }
    if (group.shares) {
      result.reread = result.reread + layers * number * heads * cache.kept;
      result.reread_windowed = result.reread_windowed + layers * number * heads * cache.windowed;
      continue;
    }
    const bool sparse = group.mixer == Mixer::kSparse;
    const auto others = by_sequences ? heads : one;
    const auto kept = (sparse ? others : heads) * cache.kept;
    result.per_token = result.per_token + layers * number * (kept + heads * cache.chosen);
    result.windowed = result.windowed + layers * number * heads * cache.windowed;
    if (sparse) {
      result.chosen = result.chosen + layers * number * heads * cache.chosen;
      result.chosen_limit = cache.limit;
    } else if (cache.chosen.value() > 0) {
      result.picked = result.picked + layers * number * heads * cache.chosen;
      result.picked_limit = cache.limit;
    }
    const auto whole = group.mixer == Mixer::kCompressed && !by_sequences;
    const auto state = cache.state * constant<kByte, R>(4) + cache.inputs * constant<kByte, R>(2);
    result.state = result.state + layers * (whole ? state : state / tensor);
  }
  return result;
}

}  // namespace

template <class R>
Quantity<kByte, R> kv_of_layer(const Model<R>& model, KvFormat format, Count<R> kv_heads) {
  const auto number = constant<kByte, R>(number_bytes(format));
  if (model.attention == Attention::kLatent) {
    if (format == KvFormat::kScaled8) {
      return model.kv_rank * number + ceil(model.kv_rank / scalar<R>(128)) * constant<kByte, R>(4) +
             model.rope_dim * constant<kByte, R>(2);
    }
    return (model.kv_rank + model.rope_dim) * number;
  }
  auto head = model.head_dim * number;
  if (format == KvFormat::kScaled8) head = head + constant<kByte, R>(4);
  return 2.0 * kv_heads * head;
}

template <class R>
KvBytes<R> kv_bytes(const ServingInput<R>& in) {
  const auto& model = in.model;
  const KvFormat format = in.server.cache;
  if (!is_plain(model)) return in_groups(in, scalar<R>(1), scalar<R>(1), false);
  return in_layers(model, kv_of_layer(model, format, model.kv_heads), scalar<R>(1));
}

template <class R>
Quantity<kByte, R> kv_of_mixer(const ServingInput<R>& in, Mixer mixer, Quantity<kToken, R> tokens) {
  const auto one = scalar<R>(1);
  if (!is_plain(in.model)) {
    auto all = in_groups(in, one, one, false, &mixer);
    // Windowed layers of the sizes of the others are in one group with them.
    if (mixer == Mixer::kAttention) all.windowed = {};
    if (mixer != Mixer::kWindowed) return all.of_sequence(tokens);
    const auto whole = Mixer::kAttention;
    auto others = in_groups(in, one, one, false, &whole);
    others.per_token = {};
    return others.of_sequence(tokens) + all.of_sequence(tokens);
  }
  auto all = kv_bytes(in);
  if (mixer != Mixer::kAttention) all.per_token = {};
  if (mixer != Mixer::kWindowed) all.windowed = {};
  return all.of_sequence(tokens);
}

template <class R>
KvBytes<R> kv_of_chip(const ServingInput<R>& in, const ServerWays<R>& ways) {
  const auto& model = in.model;
  const KvFormat format = in.server.cache;
  if (!is_plain(model)) {
    return in_groups(in, ways.tensor, ways.pipeline, in.server.divide_by_batch);
  }
  if (in.server.divide_by_batch) {
    return in_layers(model, kv_of_layer(model, format, model.kv_heads),
                     ways.tensor * ways.pipeline);
  }
  const auto heads = model.attention == Attention::kLatent
                         ? scalar<R>(1)
                         : max(ceil(model.kv_heads / ways.tensor), scalar<R>(1));
  return in_layers(model, kv_of_layer(model, format, heads), ways.pipeline);
}

template <class R>
CacheRoom<R> cache_room(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, ServerRole role) {
  return cache_room(in, weights, ways, kv_of_chip(in, ways), role);
}

template <class R>
CacheRoom<R> cache_room(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const KvBytes<R>& kv, ServerRole role) {
  const auto& server = in.server;
  const auto of_sequence = [&](Quantity<kToken, R> tokens) {
    return with_drafts(in, kv.of_sequence(tokens));
  };
  CacheRoom<R> result{};
  result.capacity = of_one_chip(in.chip.memory);
  result.weights = weights_of_chip(weights, ways);
  const auto taken = result.weights + server.reserved;
  result.room = server.share_of == MemoryShareOf::kWhole
                    ? server.memory_share * result.capacity - taken
                    : server.memory_share * (result.capacity - taken);
  const auto block = as<kToken>(server.block);
  const auto in_blocks = [&](Quantity<kToken, R> tokens) { return block * ceil(tokens / block); };
  auto end = in.serving.prompt;
  auto middle = in.serving.prompt;
  if (role == ServerRole::kAnswers) {
    end = end + in.serving.answer;
    middle = middle + in.serving.answer / 2.0;
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
      result.held = of_sequence(max(server.longest, end));
      result.mean = result.held;
      break;
  }
  result.waste = scalar<R>(1) - result.filled / result.mean;
  result.sequences = max(result.room, Quantity<kByte, R>{}) /
                     (server.allocation == CacheAllocation::kPaged ? result.mean : result.held);
  return result;
}

template Quantity<kByte, SCALING_REP> kv_of_layer(const Model<SCALING_REP>&, KvFormat,
                                                  Count<SCALING_REP>);
template KvBytes<SCALING_REP> kv_bytes(const ServingInput<SCALING_REP>&);
template Quantity<kByte, SCALING_REP> kv_of_mixer(const ServingInput<SCALING_REP>&, Mixer,
                                                  Quantity<kToken, SCALING_REP>);
template KvBytes<SCALING_REP> kv_of_chip(const ServingInput<SCALING_REP>&,
                                         const ServerWays<SCALING_REP>&);
template CacheRoom<SCALING_REP> cache_room(const ServingInput<SCALING_REP>&,
                                           const WeightBytes<SCALING_REP>&,
                                           const ServerWays<SCALING_REP>&, ServerRole);
template CacheRoom<SCALING_REP> cache_room(const ServingInput<SCALING_REP>&,
                                           const WeightBytes<SCALING_REP>&,
                                           const ServerWays<SCALING_REP>&,
                                           const KvBytes<SCALING_REP>&, ServerRole);

}  // namespace scaling
