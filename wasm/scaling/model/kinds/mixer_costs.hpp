// SPDX-License-Identifier: MIT
//
// The costs that each kind of mixer tells.
#pragma once

#include "scaling/model/kinds/layer_mix.hpp"

namespace scaling {

/// Numbers that one token has in one layer.
template <class R>
struct MixerWidths {
  Count<R> query{}, key{}, value{}, output{};
  Count<R> others{};  ///< of other results that the backward pass needs: gates, convolutions
};

/// The numbers that sequences keep in one layer for tokens to come.
template <class R>
struct MixerCache {
  Count<R> kept{};      ///< for each token, whatever is read of it
  Count<R> windowed{};  ///< for each token of the window
  Count<R> chosen{};    ///< for each token kept, of which an indexer chooses those that are read
  Count<R> limit{};     ///< tokens that are read of `chosen` at most
  Count<R> state{};     ///< for each sequence, in fp32
  Count<R> inputs{};    ///< for each sequence, in the format of activations: of convolutions
};

/// The sizes of attention in a group of layers.
template <class R>
struct AttentionDims {
  bool latent;
  Count<R> heads, kv_heads;
  Count<R> key, value;   ///< of one head
  bool own_value;        ///< values have a width of their own
  bool projects_values;  ///< keys are not values
  bool shares;           ///< keys and values are those of an earlier layer
};

}  // namespace scaling
