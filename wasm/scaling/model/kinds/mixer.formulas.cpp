// SPDX-License-Identifier: MIT
#include "scaling/model/kinds/mixer.hpp"

namespace scaling {

template <class R>
[[gnu::noinline]] MixerCache<R> mixer_cache(const Model<R>& model, const MixerGroup<R>& group) {
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
    case Mixer::kSparse:
      return attention_cache(model, group);
    case Mixer::kCompressed:
      return compressed_cache(model, group.size);
    case Mixer::kLinear:
      return linear_cache(model);
    case Mixer::kMamba:
      return mamba_cache(model);
    case Mixer::kConvolution:
      return convolution_cache(model);
    case Mixer::kNone:
      break;
  }
  return {};
}

template <class R>
[[gnu::noinline]] Count<R> seen_tokens(const Model<R>& model, const MixerGroup<R>& group,
                                       Count<R> length, bool causal) {
  const auto whole = causal ? length / 2.0 : length;
  const auto& window = model.sliding_window;
  const bool narrow = window.value() > 0 && window < length;
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed: {
      if (!narrow || group.windowed.value() <= 0) return whole;
      const auto windowed = seen_at_most(window, length, causal);
      return (group.windowed * windowed + (group.layers - group.windowed) * whole) / group.layers;
    }
    case Mixer::kSparse: {
      const auto most = index_tokens(model);
      return most < length ? seen_at_most(most, length, causal) : whole;
    }
    case Mixer::kCompressed: {
      const auto near = narrow ? seen_at_most(window, length, causal) : whole;
      const auto keys = length / group.size;
      const auto& most = model.index_top_k;
      const bool few = overlapping_keys(group.size) && most.value() > 0 && most < keys;
      return near + (few ? seen_at_most(most, keys, causal) : whole / group.size);
    }
    case Mixer::kLinear:
    case Mixer::kMamba:
    case Mixer::kConvolution:
    case Mixer::kNone:
      break;
  }
  return {};
}

template MixerCache<SCALING_REP> mixer_cache(const Model<SCALING_REP>&,
                                             const MixerGroup<SCALING_REP>&);
template Count<SCALING_REP> seen_tokens(const Model<SCALING_REP>&, const MixerGroup<SCALING_REP>&,
                                        Count<SCALING_REP>, bool);

}  // namespace scaling
