// SPDX-License-Identifier: MIT
//
// The costs of a layer's mixer. Each kind has a file of its own in this room; the functions here
// ask the one that a group of layers has.
#pragma once

#include "scaling/input/run.hpp"
#include "scaling/model/kernels/share.hpp"
#include "scaling/model/kinds/attention_layer.hpp"
#include "scaling/model/kinds/linear_attention.hpp"
#include "scaling/model/kinds/mamba.hpp"
#include "scaling/model/kinds/short_convolution.hpp"
#include "scaling/model/kinds/sparse_attention.hpp"

namespace scaling {

// --- of any group ---

template <class R>
MixerCache<R> mixer_cache(const Model<R>& model, const MixerGroup<R>& group);

/// Tokens that a token of a sequence of `length` sees in a group of layers with attention, on
/// average: half of those before it with a causal mask, no more than a window or an indexer shows.
template <class R>
Count<R> seen_tokens(const Model<R>& model, const MixerGroup<R>& group, Count<R> length,
                     bool causal);

}  // namespace scaling
