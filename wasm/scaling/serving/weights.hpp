// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/serving_input.hpp"

namespace scaling {

namespace term {

inline constexpr Term kBytesAttention{"bytesAttention", "P_attn", kByte, "book-inference"};
inline constexpr Term kBytesFeedForward{"bytesFeedForward", "P_ffn", kByte, "book-inference"};
inline constexpr Term kBytesExperts{"bytesExperts", "P_moe", kByte, "book-inference"};
inline constexpr Term kBytesEnds{"bytesEnds", "P_vocab", kByte, "book-inference"};
inline constexpr Term kBytesRest{"bytesRest", "P_rest", kByte, "book-inference"};
inline constexpr Term kHostLayerBytes{"hostLayerBytes", "P_cpu", kByte, "definition"};
inline constexpr Term kHostExpertBytes{"hostExpertBytes", "P_cpu,moe", kByte, "definition"};
inline constexpr Term kTowerBytes{"towerBytes", "P_vit,bytes", kByte, "vit"};

}  // namespace term

/// Bytes of a matrix of `rows` (the contraction) by `columns`, with its scales and zeros [B]: of
/// int4 a 16-bit scale for each group of `group` rows, and zeros as `zeros` says. AWQ pads the
/// number of groups to a multiple of 8, of 16 below 128 rows, of 32 below 64.
/// Source: AWQ's WQLinear (qmodule.py); OCP MX; NVFP4.
template <class R>
Quantity<kByte, R> matrix_bytes(WeightFormat format, Count<R> rows, Count<R> columns,
                                Count<R> group, ZeroPoints zeros);

/// The weights of a model as they lie in the memory of its chips [B], all of them.
template <class R>
struct WeightBytes {
  Quantity<kByte, R> attention;     ///< projections of all layers
  Quantity<kByte, R> feed_forward;  ///< of dense layers, and shared experts
  Quantity<kByte, R> experts;       ///< routed ones
  Quantity<kByte, R> ends;          ///< embedding and head
  Quantity<kByte, R> rest;          ///< norms, routers, biases, positions
  Quantity<kByte, R> lookups{};     ///< the table of layers' own inputs, of which steps read rows
  Quantity<kByte, R> redundant{};   ///< copies of experts
  Quantity<kByte, R> drafts{};      ///< of another model that makes drafts
  Quantity<kByte, R> tower{};       ///< that makes tokens of images, and its projector
  /// The part of these that lies in the memory of chips' hosts: of layers, and of routed experts.
  Quantity<kByte, R> host_layers{}, host_experts{};

  /// The bytes of the language model.
  Quantity<kByte, R> total() const {
    const auto all = attention + feed_forward + experts + ends + rest;
    return lookups.value() > 0 ? all + lookups : all;
  }
  /// The bytes of all that the chips of a server hold.
  Quantity<kByte, R> held() const {
    auto all = total();
    if (redundant.value() > 0) all = all + redundant;
    if (tower.value() > 0) all = all + tower;
    if (drafts.value() > 0) all = all + drafts;
    return on_host().value() > 0 ? all - on_host() : all;
  }
  /// The bytes of all that their hosts hold.
  Quantity<kByte, R> on_host() const {
    return host_experts.value() > 0 ? host_layers + host_experts : host_layers;
  }
};

/// Counts them: a tower in 16 bits, whatever the format of the others, as published checkpoints
/// leave it out of what they quantise. Where the model states its parameters, all are in
/// the format of the weights. Tied embeddings lie there once. Where drafts are made,
/// multi-token-prediction modules count; without any, a model of its own makes drafts in a share of
/// a step, and has that share of the bytes that a token passes through.
template <class R>
WeightBytes<R> weight_bytes(const ServingInput<R>& in);

/// The weights on one chip of the fullest stage [B]: experts are divided by all chips of a
/// stage, everything else by its tensor ways.
template <class R>
Quantity<kByte, R> weights_of_chip(const WeightBytes<R>& weights, const ServerWays<R>& ways);

/// Bytes that a step reads of those on chips at least, and at most [B]: all but tables of rows; of
/// experts those of one token, or all.
template <class R>
struct ReadWeights {
  Quantity<kByte, R> shared;   ///< whatever the batch
  Quantity<kByte, R> experts;  ///< all of the routed ones
};

template <class R>
ReadWeights<R> read_weights(const ServingInput<R>& in, const WeightBytes<R>& weights);

/// Parameters that a token passes through: those stated, where the model states any.
template <class R>
Count<R> active_parameters(const Model<R>& model);

/// Experts of `experts` that `tokens` tokens reach, each choosing `chosen` at random:
/// E (1 - (1 - k/E)^T) = E - E / e^(T ln(E / (E - k))). Source: linearity of expectation.
template <class R>
Count<R> reached_experts(Count<R> experts, Count<R> chosen, Count<R> tokens);

}  // namespace scaling
