// SPDX-License-Identifier: MIT
//
// Attention over keys of tokens. The functions are those that mixer.hpp has for any group.
#pragma once

#include "scaling/model/kinds/mixer_costs.hpp"

namespace scaling {

/// Tokens of which an indexer shows a query at most.
template <class R>
Count<R> index_tokens(const Model<R>& model) {
  const auto& block = model.index_block;
  return block.value() > 0 ? model.index_top_k * block : model.index_top_k;
}

template <class R>
AttentionDims<R> attention_dims(const Model<R>& model, const MixerGroup<R>& group);

/// Whether a group has attention that is all: grouped, with queries, keys and values of one width
/// that are projected each for itself, or latent; no indexer, no gate.
template <class R>
bool is_standard(const Model<R>& model, const MixerGroup<R>& group);

template <class R>
MixerWidths<R> attention_layer_widths(const Model<R>& model, const MixerGroup<R>& group);

/// Numbers of a token that one layer of attention looks at, without those of an indexer: what the
/// token leaves there, or in the layer whose keys are shared.
template <class R>
Count<R> cached_numbers(const Model<R>& model, const MixerGroup<R>& group);

template <class R>
MixerCache<R> attention_cache(const Model<R>& model, const MixerGroup<R>& group);

}  // namespace scaling
