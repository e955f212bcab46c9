// SPDX-License-Identifier: MIT
//
// The parts of sparse attention besides attention: an indexer, and of compressed keys a compressor.
// Source: transformers, modeling_deepseek_v32.py and modeling_glm_moe_dsa.py (wq_b, wk, k_norm,
// weights_proj), modeling_deepseek_v4.py (compressors and their indexer); vLLM, minimax_m3.py
// (index queries and keys of the hidden state, both normed).
#include "scaling/model/kinds/sparse_attention.hpp"

namespace scaling {

/// A window of keys, one key of each `ratio` tokens, and the tokens that wait to become the next
/// one with their gates, in fp32.
template <class R>
MixerCache<R> compressed_cache(const Model<R>& model, Count<R> ratio) {
  const double series = overlapping_keys(ratio) ? 2 : 1;
  MixerCache<R> cache{};
  cache.windowed = model.head_dim;
  const auto keys = model.head_dim / ratio;
  const auto waiting = 2.0 * series * series * ratio;
  cache.state = waiting * model.head_dim;
  if (overlapping_keys(ratio) && model.index_top_k.value() > 0) {
    cache.chosen = keys;
    cache.limit = model.index_top_k * ratio;
    cache.kept = model.index_head_dim / ratio;
    cache.state = cache.state + waiting * model.index_head_dim;
  } else {
    cache.kept = keys;
  }
  return cache;
}

template MixerCache<SCALING_REP> compressed_cache(const Model<SCALING_REP>&, Count<SCALING_REP>);

}  // namespace scaling
