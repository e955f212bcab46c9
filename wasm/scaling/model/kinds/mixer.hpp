// SPDX-License-Identifier: MIT
//
// The costs of a layer's mixer. Each kind has a file of its own in this room; the functions here
// ask the one that a group of layers has.
#pragma once

#include "scaling/input/run.hpp"
#include "scaling/model/kinds/attention_layer.hpp"
#include "scaling/model/kinds/linear_attention.hpp"
#include "scaling/model/kinds/mamba.hpp"
#include "scaling/model/kinds/short_convolution.hpp"
#include "scaling/model/kinds/sparse_attention.hpp"

namespace scaling {

namespace term {

inline constexpr Term kVisibleContext{"visibleContext", "T_seen", kOne, "maxtext"};

}  // namespace term

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

/// Tokens, of `most` at most, that each of `length` sees with a causal mask on average, or without.
template <class R>
Count<R> seen_of(Count<R> most, Count<R> length, bool causal) {
  return causal ? most - most * most / (2.0 * length) : most;
}

}  // namespace scaling
