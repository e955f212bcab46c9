// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/kernel_time.hpp"

namespace scaling {

/// Causal attention of prompts: each of `queries` new tokens of a sequence looks at the `past`
/// tokens before them, at the new ones before it, and at itself.
template <class R>
struct PrefillKernel {
  Count<R> sequences, queries, past;
  Count<R> heads, kv_heads, head_dim;
  Count<R> window{};  ///< tokens that each looks back at; 0: all
  CacheFormat cache = CacheFormat::kBf16;
  Heat heat = Heat::kCold;
};

/// Prices FlashAttention in 16 bits, forward [s]: blocks of queries over the cores, each with the
/// keys that its mask shows; matmuls, and exponentials after or beside them; the longest block as a
/// tail; reading and writing beside it; then the update of the cache. One query is a decode.
/// Source: form and constants fitted to measured kernels, shared/efficiency.json.
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const PrefillKernel<R>& kernel);

/// Attention of one new token in each sequence to `keys` keys, its own among them.
template <class R>
struct DecodeKernel {
  Count<R> sequences, keys;
  Count<R> heads, kv_heads, head_dim;
  Count<R> window{};
  CacheFormat cache = CacheFormat::kBf16;
  Heat heat = Heat::kCold;
  /// Blocks that share a core. If there are several, each starts while others read, and together
  /// they read as fast as the memory gives.
  Constant residents{1};
  /// Heads of a group read their keys one by one, after the first from L2 at this rate [B/s];
  /// 0: once for the group.
  Constant one_by_one{};
};

/// Prices it with the update of the cache [s]: a block for each sequence and key head, which groups
/// of up to 64 heads share, in up to 128 parts; the bytes of the cache beside it.
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const DecodeKernel<R>& kernel);

/// Latent attention of prompts, keys and values unfolded: as attention of as many key heads.
template <class R>
struct LatentPrefillKernel {
  Count<R> sequences, queries, past;
  Count<R> heads;
  Count<R> rank, nope, rope, value;  ///< r_kv and the widths of a head
  CacheFormat cache = CacheFormat::kBf16;
  Heat heat = Heat::kCold;
};

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const LatentPrefillKernel<R>& kernel);

/// Latent attention of one new token in each sequence, projections absorbed.
template <class R>
struct LatentDecodeKernel {
  Count<R> sequences, keys;
  Count<R> heads;
  Count<R> rank, rope;
  CacheFormat cache = CacheFormat::kBf16;
  Heat heat = Heat::kCold;
};

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const LatentDecodeKernel<R>& kernel);

}  // namespace scaling
