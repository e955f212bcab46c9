// SPDX-License-Identifier: MIT
#include "scaling/model/kinds/mixer.hpp"

namespace scaling {
namespace {

template <class R>
MixerParameters<R> with_parts(const MixerParameters<R>& a, const MixerParameters<R>& b) {
  return {a.weights + b.weights, a.extras + b.extras, a.norms + b.norms};
}

}  // namespace

template <class R>
[[gnu::noinline]] MixerParameters<R> mixer_parameters(const Model<R>& model,
                                                      const MixerGroup<R>& group) {
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
      return attention_parameters(model, group);
    case Mixer::kSparse: {
      const auto own = attention_parameters(model, group);
      return group.indexes ? with_parts(own, indexer_parameters(model)) : own;
    }
    case Mixer::kCompressed:
      return with_parts(attention_parameters(model, group),
                        compressor_parameters(model, group.size));
    case Mixer::kLinear:
      return linear_parameters(model);
    case Mixer::kMamba:
      return mamba_parameters(model);
    case Mixer::kConvolution:
      return convolution_parameters(model);
    case Mixer::kNone:
      break;
  }
  return {};
}

template <class R>
[[gnu::noinline]] MixerWidths<R> mixer_widths(const Model<R>& model, const MixerGroup<R>& group) {
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
    case Mixer::kSparse:
    case Mixer::kCompressed:
      return attention_layer_widths(model, group);
    case Mixer::kLinear:
      return linear_widths(model);
    case Mixer::kMamba:
      return mamba_widths(model);
    case Mixer::kConvolution:
      return convolution_widths(model);
    case Mixer::kNone:
      break;
  }
  return {};
}

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
      const auto windowed = seen_of(window, length, causal);
      return (group.windowed * windowed + (group.layers - group.windowed) * whole) / group.layers;
    }
    case Mixer::kSparse: {
      const auto most = index_tokens(model);
      return most < length ? seen_of(most, length, causal) : whole;
    }
    case Mixer::kCompressed: {
      const auto near = narrow ? seen_of(window, length, causal) : whole;
      const auto keys = length / group.size;
      const auto& most = model.index_top_k;
      const bool few = fine_keys(group.size) && most.value() > 0 && most < keys;
      return near + (few ? seen_of(most, keys, causal) : whole / group.size);
    }
    case Mixer::kLinear:
    case Mixer::kMamba:
    case Mixer::kConvolution:
    case Mixer::kNone:
      break;
  }
  return {};
}

template <class R>
[[gnu::noinline]] Count<R> mixer_products(const Model<R>& model, const MixerGroup<R>& group,
                                          Count<R> length, bool causal) {
  const auto whole = causal ? length / 2.0 : length;
  const auto index = model.index_heads * model.index_head_dim;
  const auto attention = [&] {
    const auto width = mixer_widths(model, group);
    const auto seen = named<term::kVisibleContext>(seen_tokens(model, group, length, causal));
    return seen * (width.query + width.output) * group.layers;
  };
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
      return attention();
    case Mixer::kSparse:
      return group.indexes ? attention() + whole * index * group.layers : attention();
    case Mixer::kCompressed:
      if (!fine_keys(group.size) || model.index_top_k.value() <= 0) return attention();
      return attention() + whole / group.size * index * group.layers;
    case Mixer::kLinear:
      return linear_products(model) * group.layers;
    case Mixer::kMamba:
      return mamba_products(model) * group.layers;
    case Mixer::kConvolution:
      return convolution_products(model) * group.layers;
    case Mixer::kNone:
      break;
  }
  return {};
}

template MixerParameters<SCALING_REP> mixer_parameters(const Model<SCALING_REP>&,
                                                       const MixerGroup<SCALING_REP>&);
template MixerWidths<SCALING_REP> mixer_widths(const Model<SCALING_REP>&,
                                               const MixerGroup<SCALING_REP>&);
template MixerCache<SCALING_REP> mixer_cache(const Model<SCALING_REP>&,
                                             const MixerGroup<SCALING_REP>&);
template Count<SCALING_REP> seen_tokens(const Model<SCALING_REP>&, const MixerGroup<SCALING_REP>&,
                                        Count<SCALING_REP>, bool);
template Count<SCALING_REP> mixer_products(const Model<SCALING_REP>&,
                                           const MixerGroup<SCALING_REP>&, Count<SCALING_REP>,
                                           bool);

}  // namespace scaling
