// SPDX-License-Identifier: MIT
//
// The parts of sparse attention besides attention. The functions are those that mixer.hpp has for
// any group.
#pragma once

#include "scaling/model/kinds/mixer_costs.hpp"

namespace scaling {

template <class R>
MixerCache<R> compressed_cache(const Model<R>& model, Count<R> ratio);

/// Whether keys that stand for `ratio` tokens overlap, and an indexer chooses among them.
template <class R>
bool fine_keys(Count<R> ratio);

}  // namespace scaling
