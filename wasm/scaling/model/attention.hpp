// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/operation.hpp"

namespace scaling {

namespace term {

inline constexpr Term kAttentionBlockRows{"attentionBlockRows", "B_r", kOne, "flash-attention"};
inline constexpr Term kAttentionPasses{"attentionPasses", "n_passes", kOne, "flash-attention"};

}  // namespace term

/// Scores and weighted values of one attention layer: `queries` tokens in each of `sequences` look
/// at `keys` tokens.
template <class R>
struct AttentionShape {
  Count<R> sequences, queries, keys;
  Count<R> heads, kv_heads;  ///< K key/value heads serve N query heads, N/K each
  Count<R> key_width;        ///< of a query or key of one head
  Count<R> value_width;      ///< of a value of one head
  bool values_in_keys;       ///< values are part of the keys: latent attention, absorbed
  bool causal;
  Format format;  ///< of queries, scores and result
  Format key_value_format;
};

/// Rows of queries and keys that are worked on at a time, M / 4H numbers, at least one: blocks of
/// queries, keys, values and result share the memory. Where that is not known, all of them.
/// Source: FlashAttention, algorithm 1.
template <class R>
Count<R> attention_block_rows(const AttentionShape<R>& shape,
                              Maybe<Quantity<kByte, R>> block_memory);

/// Times that all keys and values are read: once for each block of the queries that share them, of
/// a causal mask those blocks that it shows. 1 where they fit in one block.
/// Source: FlashAttention-2, section 3.1.
template <class R>
Count<R> attention_passes(const AttentionShape<R>& shape, Count<R> block_rows);

/// Adds what `pass` takes with FlashAttention: 4 B T S N H FLOPs forward and 10 backward (scores
/// are computed again), half with a causal mask; scores never go to memory.
/// Source: book ch. 4, question 4; FlashAttention-2, section 3.1 and 4.1.
template <class R>
void add_flash_attention(Operations<R>& list, Pass pass, const AttentionShape<R>& shape,
                         Maybe<Quantity<kByte, R>> block_memory);

/// Q K^T alone, all of it: no kernel of its own saves the masked half.
template <class R>
void add_attention_scores(Operations<R>& list, Pass pass, const AttentionShape<R>& shape);

/// Scores times values alone.
template <class R>
void add_attention_values(Operations<R>& list, Pass pass, const AttentionShape<R>& shape);

/// Scores, softmax and values, one kernel each: scores go to memory and back twice. Source:
/// FlashAttention, algorithm 0.
template <class R>
void add_naive_attention(Operations<R>& list, Pass pass, const AttentionShape<R>& shape);

}  // namespace scaling
