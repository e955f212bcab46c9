// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/model/kernels/parts.hpp"

namespace scaling {

/// Layers that mix tokens alike.
template <class R>
struct MixerGroup {
  /// kAttention for windowed layers that have the sizes of the others: they are one group.
  Mixer mixer;
  Count<R> size;  ///< key/value heads, or tokens of a compressed key
  Count<R> layers;
  Count<R> windowed;    ///< layers among them that see a window
  bool indexes;         ///< whether each sparse layer has its own indexer
  bool shares = false;  ///< whether keys and values are those of an earlier layer
};

/// Layers whose dense feed-forward part is `width` wide.
template <class R>
struct DenseGroup {
  Count<R> width, layers;
};

/// The layers of a model by what they are made of, as its pattern or its counts tell. Where both
/// tell the same, so do the groups.
template <class R>
struct LayerMix {
  std::span<const MixerGroup<R>> mixers() const { return std::span(mixers_).first(mixer_count_); }
  std::span<const DenseGroup<R>> dense() const { return std::span(dense_).first(dense_count_); }

  Count<R> layers;           ///< all
  Count<R> without_experts;  ///< dense, or without a feed-forward part
  Count<R> with_experts;
  Count<R> mixing;    ///< layers with a mixer
  Count<R> both;      ///< layers with a mixer and a feed-forward part
  Count<R> one_part;  ///< layers with one of them

  void add(const MixerGroup<R>& group) { mixers_[mixer_count_++] = group; }
  void add(const DenseGroup<R>& group) { dense_[dense_count_++] = group; }

 private:
  std::array<MixerGroup<R>, LayerPattern::kMostKinds + 1> mixers_;  // sparse ones are two
  std::array<DenseGroup<R>, LayerPattern::kMostKinds> dense_;
  std::size_t mixer_count_ = 0, dense_count_ = 0;
};

template <class R>
LayerMix<R> layer_mix(const Model<R>& model);

/// The model with so many layers of each kind of its pattern alone: what its layers cost on average
/// is the average of these. Indexers and routers by hash are shared among layers evenly.
template <class R>
Model<R> with_layers(const Model<R>& model, const LayerPattern::Counts& counts);

/// The sum of what `of` says of each group; of a single one, that itself.
template <class Groups, class Of>
auto sum_over(Groups groups, Of of) {
  decltype(of(groups[0])) sum{};
  bool first = true;
  for (const auto& group : groups) {
    sum = first ? of(group) : sum + of(group);
    first = false;
  }
  return sum;
}

}  // namespace scaling
