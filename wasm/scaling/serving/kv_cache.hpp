// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/serving/lengths.hpp"
#include "scaling/serving/weights.hpp"

namespace scaling {

/// Bytes that a token leaves in one layer with attention [B/token]: keys and values of all heads
/// with their scales, or the latent vector and the rotary key. Of layers that differ, the most of
/// those that keep every token, else of those with a window. Source: book ch. 7; DeepSeek-V2;
/// vllm/v1/kv_cache_interface.py.
template <class R>
Quantity<kByte / kToken, R> kv_of_layer(const ServingInput<R>& in);

/// Heads that tensor ways divide the cache by: a latent vector is one.
template <class R>
Count<R> heads_of_cache(const Model<R>& model) {
  return model.attention == Attention::kLatent ? scalar<R>(1) : model.kv_heads;
}

/// The bytes of sequences in the cache, of all layers of a server; windowed layers keep their
/// window, layers with a state that.
template <class R>
struct KvBytes {
  Quantity<kByte / kToken, R> per_token;  ///< of layers that keep every token
  Quantity<kByte / kToken, R> windowed;   ///< of layers that keep a window
  Count<R> window;
  /// Keys of each token that an indexer chooses from, and the tokens that it chooses at most.
  struct Chosen {
    Quantity<kByte / kToken, R> bytes{};
    Count<R> limit{};
  };
  /// Where keys are those of a token, and where they stand for several.
  std::array<Chosen, 2> chosen{};
  Quantity<kByte, R> state{};  ///< state of a sequence, however long it is
  /// Bytes that layers without keys of their own read of each token in an earlier layer: of all
  /// tokens, or of the window.
  Quantity<kByte / kToken, R> reread{}, reread_windowed{};

  /// The cache of a sequence of `tokens` tokens.
  Quantity<kByte, R> of_sequence(Quantity<kToken, R> tokens) const {
    auto all = per_token * tokens;
    if (windowed.value() > 0) all = all + windowed * min(tokens, as<kToken>(window));
    if (state.value() > 0) all = all + state;
    return all;
  }

  /// Bytes read for a further token: no more than an indexer chooses, and shared keys in each
  /// layer.
  Quantity<kByte, R> read_of(Quantity<kToken, R> tokens) const {
    auto all = of_sequence(tokens);
    for (const auto& [of, limit] : chosen) {
      if (of.value() > 0) all = all - of * (tokens - min(tokens, as<kToken>(limit)));
    }
    if (reread.value() > 0) all = all + reread * tokens;
    if (reread_windowed.value() > 0) {
      all = all + reread_windowed * min(tokens, as<kToken>(window));
    }
    return all;
  }

  /// The bytes of which so many tokens are chosen.
  Quantity<kByte / kToken, R>& chosen_up_to(const Count<R>& limit) {
    const bool first = !given(chosen[0].limit) || chosen[0].limit.value() == limit.value();
    Chosen& place = chosen[first ? 0 : 1];
    place.limit = limit;
    return place.bytes;
  }
};

/// The bytes of the whole model's cache, each key head once.
template <class R>
KvBytes<R> kv_bytes(const ServingInput<R>& in);

/// The part of it that a sequence of `tokens` tokens keeps in all layers of one kind, each key head
/// once: keys and values, index keys, states. 0 where the model has no such layers.
template <class R>
Quantity<kByte, R> kv_of_mixer(const ServingInput<R>& in, Mixer mixer, Quantity<kToken, R> tokens);

/// The bytes on one chip of `ways`: key heads are divided by tensor ways, and held by several where
/// these are more; a latent vector is held by each tensor way. Where the cache is divided by
/// sequences besides, no two hold the same: book ch. 7.
template <class R>
KvBytes<R> kv_of_chip(const ServingInput<R>& in, const ServerWays<R>& ways);

/// The use of a chip's memory.
template <class R>
struct CacheRoom {
  Quantity<kByte, R> capacity;  ///< of the chip
  Quantity<kByte, R> weights;   ///< on the chip
  Quantity<kByte, R> room;      ///< that the cache may take; below 0 where weights do not fit
  Quantity<kByte, R> held;      ///< of one sequence at its end, as it is allocated
  Quantity<kByte, R> mean;      ///< of one sequence on average, as it is allocated
  Quantity<kByte, R> filled;    ///< the part of that which holds tokens
  Count<R> waste;               ///< share of what is allocated that holds none, on average
  Count<R> sequences;           ///< that fit on a chip's share of a server, whole; not rounded

  /// Whether servers of these ways hold the weights and, in each stage, a sequence.
  bool holds_one(const ServerWays<R>& ways) const {
    return sequences.value() >= ways.pipeline.value();
  }
};

/// A sequence begins with its prompt and ends with prompt and answer. In blocks of b tokens, b - 1
/// of 2 b are empty on average in the last one. Paged, sequences share the room by their mean
/// length; else each has its place from the start. Answers of unlike lengths are those that run at
/// a time. Source: PagedAttention, section 3. Servers that prefill apart hold prompts alone. `kv`
/// are the bytes on one of their chips.
template <class R>
CacheRoom<R> cache_room(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const Servers<R>& servers, const KvBytes<R>& kv);

template <class R>
CacheRoom<R> cache_room(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const Servers<R>& servers) {
  return cache_room(in, weights, servers, kv_of_chip(in, servers.ways));
}

}  // namespace scaling
