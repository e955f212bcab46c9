// SPDX-License-Identifier: MIT
//
// Short convolutions. The functions are those that mixer.hpp has for any group.
#pragma once

#include "scaling/model/kinds/mixer_costs.hpp"

namespace scaling {

template <class R>
MixerWidths<R> convolution_widths(const Model<R>& model);

template <class R>
MixerCache<R> convolution_cache(const Model<R>& model);

template <class R>
Count<R> convolution_products(const Model<R>& model);

}  // namespace scaling
