// SPDX-License-Identifier: MIT
//
// Mamba-2. The functions are those that mixer.hpp has for any group.
#pragma once

#include "scaling/model/kinds/mixer_costs.hpp"

namespace scaling {

template <class R>
MixerWidths<R> mamba_widths(const Model<R>& model);

template <class R>
MixerCache<R> mamba_cache(const Model<R>& model);

template <class R>
Count<R> mamba_products(const Model<R>& model);

}  // namespace scaling
