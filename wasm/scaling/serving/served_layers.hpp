// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/parts.hpp"

namespace scaling {

/// The routed experts of a model's layers, as transfers and the kernel that runs them see them.
template <class R>
struct RoutedExperts {
  Count<R> layers{};           ///< that have any
  Count<R> inputs{}, width{};  ///< numbers of a token that an expert takes and gives; inside it
  bool gated = false;          ///< three matrices, not two
};

/// The work that a server's steps ask of all layers, counted from their kernels.
template <class R>
struct ServedLayers {
  Count<R> whole{};                  ///< layers, those with one part as halves
  Count<R> mixing{};                 ///< layers with a mixer
  Count<R> normless{};               ///< parts that read the result of another part's norm
  Count<R> sums{};                   ///< over tensor ranks, behind mixers and dense parts
  Count<R> narrow_sums{}, narrow{};  ///< the same inside mixers, of so many numbers of a token
  Count<R> eager_state{}, eager_latent{}, eager_index{};  ///< layers that launch further kernels
  RoutedExperts<R> experts;
};

template <class R>
ServedLayers<R> served_layers(const Model<R>& model);

}  // namespace scaling
