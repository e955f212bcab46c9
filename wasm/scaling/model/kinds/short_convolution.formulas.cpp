// SPDX-License-Identifier: MIT
//
// A short convolution over the hidden state, with a gate before it and one behind. Source:
// transformers, modeling_lfm2.py (in_proj of B, C and x, conv of one filter a channel, out_proj).
#include "scaling/model/kinds/short_convolution.hpp"

namespace scaling {
namespace {

template <class R>
Count<R> channels_of(const Model<R>& model) {
  const auto& own = model.convolution_channels;
  return own.value() > 0 ? own : model.hidden;
}

}  // namespace

/// x as values, B as keys, C as queries; what the convolution takes and gives besides.
template <class R>
MixerWidths<R> convolution_widths(const Model<R>& model) {
  const auto channels = channels_of(model);
  return {channels, channels, channels, channels, 2.0 * channels};
}

template <class R>
MixerCache<R> convolution_cache(const Model<R>& model) {
  MixerCache<R> cache{};
  cache.inputs = max(model.short_convolution - one<R>(), Count<R>{}) * channels_of(model);
  return cache;
}

/// The taps, and two gates, which multiply without a sum.
template <class R>
Count<R> convolution_products(const Model<R>& model) {
  return (model.short_convolution + one<R>()) * channels_of(model);
}

template MixerWidths<SCALING_REP> convolution_widths(const Model<SCALING_REP>&);
template MixerCache<SCALING_REP> convolution_cache(const Model<SCALING_REP>&);
template Count<SCALING_REP> convolution_products(const Model<SCALING_REP>&);

}  // namespace scaling
