// SPDX-License-Identifier: MIT
//
// The parts of sparse attention besides attention. The functions are those that mixer.hpp has for
// any group.
#pragma once

#include "scaling/model/kinds/mixer_costs.hpp"

namespace scaling {

template <class R>
MixerCache<R> compressed_cache(const Model<R>& model, Count<R> ratio);

}  // namespace scaling
