// SPDX-License-Identifier: MIT
//
// Linear attention. The functions are those that mixer.hpp has for any group.
#pragma once

#include "scaling/model/kinds/mixer_costs.hpp"

namespace scaling {

template <class R>
MixerWidths<R> linear_widths(const Model<R>& model);

template <class R>
MixerCache<R> linear_cache(const Model<R>& model);

template <class R>
Count<R> linear_products(const Model<R>& model);

}  // namespace scaling
