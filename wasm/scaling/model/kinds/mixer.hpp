// SPDX-License-Identifier: MIT
//
// What a layer's mixer costs. Each kind has a file of its own in this room; the functions here ask
// the one that a group of layers has.
#pragma once

#include "scaling/input/run.hpp"
#include "scaling/model/layer_mix.hpp"

namespace scaling {

namespace term {

inline constexpr Term kVisibleContext{"visibleContext", "T_seen", kOne, "maxtext"};

}  // namespace term

/// Parameters of one layer's mixer, in elements.
template <class R>
struct MixerParameters {
  Count<R> weights{};  ///< of matmuls
  Count<R> extras{};   ///< biases, convolutions, decays, sinks
  Count<R> norms{};    ///< inside the mixer
};

/// Numbers that one token has in one layer.
template <class R>
struct MixerWidths {
  Count<R> query{}, key{}, value{}, output{};
  Count<R> others{};  ///< of other results that the backward pass needs: gates, convolutions
};

/// What sequences leave behind in one layer for tokens to come, in numbers.
template <class R>
struct MixerCache {
  Count<R> kept{};      ///< for each token, whatever is read of it
  Count<R> windowed{};  ///< for each token of the window
  Count<R> chosen{};    ///< for each token kept, of which an indexer chooses those that are read
  Count<R> limit{};     ///< tokens that are read of `chosen` at most
  Count<R> state{};     ///< for each sequence, in fp32
  Count<R> inputs{};    ///< for each sequence, in the format of activations: of convolutions
};

/// The sizes of attention in a group of layers.
template <class R>
struct AttentionDims {
  bool latent;
  Count<R> heads, kv_heads;
  Count<R> key, value;   ///< of one head
  bool own_value;        ///< values have a width of their own
  bool projects_values;  ///< keys are not values
  bool sinks;
};

// --- one for each kind; see their files ---

template <class R>
AttentionDims<R> attention_dims(const Model<R>& model, const MixerGroup<R>& group);

/// Whether a group has attention that is all: grouped, with queries, keys and values of one width
/// that are projected each for itself, or latent; no indexer, no gate.
template <class R>
bool is_standard(const Model<R>& model, const MixerGroup<R>& group);

template <class R>
MixerWidths<R> attention_layer_widths(const Model<R>& model, const MixerGroup<R>& group);
template <class R>
MixerParameters<R> attention_parameters(const Model<R>& model, const MixerGroup<R>& group);
/// Numbers that a token leaves in one layer of attention, without those of an indexer.
template <class R>
Count<R> cached_numbers(const Model<R>& model, const MixerGroup<R>& group);
template <class R>
MixerCache<R> attention_cache(const Model<R>& model, const MixerGroup<R>& group);

template <class R>
MixerParameters<R> indexer_parameters(const Model<R>& model);
template <class R>
MixerParameters<R> compressor_parameters(const Model<R>& model, Count<R> ratio);
template <class R>
MixerCache<R> compressed_cache(const Model<R>& model, Count<R> ratio);
/// Whether keys that stand for `ratio` tokens overlap, and an indexer chooses among them.
template <class R>
bool fine_keys(Count<R> ratio);

template <class R>
MixerWidths<R> linear_widths(const Model<R>& model);
template <class R>
MixerParameters<R> linear_parameters(const Model<R>& model);
template <class R>
MixerCache<R> linear_cache(const Model<R>& model);
template <class R>
Count<R> linear_products(const Model<R>& model);

template <class R>
MixerWidths<R> mamba_widths(const Model<R>& model);
template <class R>
MixerParameters<R> mamba_parameters(const Model<R>& model);
template <class R>
MixerCache<R> mamba_cache(const Model<R>& model);
template <class R>
Count<R> mamba_products(const Model<R>& model);

// --- of any group ---

template <class R>
MixerParameters<R> mixer_parameters(const Model<R>& model, const MixerGroup<R>& group);

template <class R>
MixerWidths<R> mixer_widths(const Model<R>& model, const MixerGroup<R>& group);

template <class R>
MixerCache<R> mixer_cache(const Model<R>& model, const MixerGroup<R>& group);

/// Tokens that a token of a sequence of `length` sees in a group of layers with attention, on
/// average: half of those before it with a causal mask, no more than a window or an indexer shows.
template <class R>
Count<R> seen_tokens(const Model<R>& model, const MixerGroup<R>& group, Count<R> length,
                     bool causal);

/// Multiplications of a token in all layers of a group that no weights take part in: scores and
/// weighted values, the indexer's scores, products with a state. The same whatever the context
/// where a layer has a state.
template <class R>
Count<R> mixer_products(const Model<R>& model, const MixerGroup<R>& group, Count<R> length,
                        bool causal);

/// Tokens of which an indexer shows a query at most.
template <class R>
Count<R> index_tokens(const Model<R>& model) {
  const auto& block = model.index_block;
  return block.value() > 0 ? model.index_top_k * block : model.index_top_k;
}

/// Tokens, of `most` at most, that each of `length` sees with a causal mask on average, or without.
template <class R>
Count<R> seen_of(Count<R> most, Count<R> length, bool causal) {
  return causal ? most - most * most / (2.0 * length) : most;
}

}  // namespace scaling
