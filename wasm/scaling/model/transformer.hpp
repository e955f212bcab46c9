// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"
#include "scaling/model/operation.hpp"

namespace scaling {

namespace term {

inline constexpr Dimension kFlopsPerToken = kFlop / kToken;

inline constexpr Term kParametersFeedForward{"parametersFeedForward", "P_ffn", kParam,
                                             "book-transformers"};
inline constexpr Term kParametersAttention{"parametersAttention", "P_attn", kParam,
                                           "book-transformers"};
inline constexpr Term kParametersVocabulary{"parametersVocabulary", "P_vocab", kParam,
                                            "book-transformers"};
inline constexpr Term kParametersNorms{"parametersNorms", "P_norm", kParam, "book-transformers"};
inline constexpr Term kParametersRouter{"parametersRouter", "P_router", kParam,
                                        "book-transformers"};
inline constexpr Term kParametersPositions{"parametersPositions", "P_pos", kParam, "definition"};
inline constexpr Term kComputedParameters{"computedParameters", "P_computed", kParam,
                                          "book-transformers"};
inline constexpr Term kComputedActiveParameters{"computedActiveParameters", "P_computed,active",
                                                kParam, "book-transformers"};
inline constexpr Term kParameters{"parameters", "P", kParam, "book-transformers"};
inline constexpr Term kActiveParameters{"activeParameters", "P_active", kParam,
                                        "book-transformers"};
inline constexpr Term kMatmulParameters{"matmulParameters", "P_matmul", kParam, "maxtext"};
inline constexpr Term kMtpParameters{"mtpParameters", "P_mtp", kParam, "deepseek-v3"};

inline constexpr Term kAttentionFlopsPerToken{"attentionFlopsPerToken", "f_scores", kFlopsPerToken,
                                              "book-transformers"};
inline constexpr Term kForwardFlopsExact{"forwardFlopsExact", "f_fwd,exact", kFlopsPerToken,
                                         "megatron"};

inline constexpr Term kKvCachePerToken{"kvCachePerToken", "b_kv", kByte / kToken, "book-inference"};
inline constexpr Term kCheckpointBytesPerToken{"checkpointBytesPerToken", "b_ckpt", kByte / kToken,
                                               "book-transformers"};

}  // namespace term

/// The parameters of a model by part [params]. Learned positions and the relative-position
/// projection count as `positions`; multi-token-prediction modules stand apart, as published
/// totals leave them out.
template <class R>
struct Parameters {
  Quantity<kParam, R> feed_forward, attention, vocabulary, norms, router, positions;
  /// Active: those a token passes through, without the table of layers' own inputs.
  Quantity<kParam, R> total, active;
  Quantity<kParam, R> matmul;  ///< active ones that enter a matmul: no embedding lookup
  Quantity<kParam, R> mtp;
};

/// Counts the parameters of `model` exactly: dense and MoE layers (shared experts, dense first
/// layers), MHA to MLA, tied embeddings, biases, learned positions.
/// Source: book ch. 4; Megatron-LM theoretical_memory_usage for MLA.
template <class R>
Parameters<R> count_parameters(const Model<R>& model);

/// The parameters of one layer [params]; with `moe_layers` and the rest of the layers, and with
/// those of the ends, they add up to the total of `count_parameters`.
template <class R>
struct LayerParameters {
  Quantity<kParam, R> attention;                ///< projections, with biases and positions
  Quantity<kParam, R> norms;                    ///< all of a layer
  Quantity<kParam, R> feed_forward;             ///< of a dense layer
  Quantity<kParam, R> router, shared, experts;  ///< of a sparse layer; of all experts together
};

template <class R>
LayerParameters<R> layer_parameters(const Model<R>& model);

/// The parameters of the ends of a model [params], and those of a module for multi-token prediction
/// before its layer.
template <class R>
struct EndParameters {
  Quantity<kParam, R> embedding, head;             ///< both of V x D; tied, the head is a copy
  Quantity<kParam, R> norms, positions;            ///< final and embedding norms; learned positions
  Quantity<kParam, R> own_inputs, own_projection;  ///< of layers: the table, and the projection
  Quantity<kParam, R> module, module_norms;
};

template <class R>
EndParameters<R> end_parameters(const Model<R>& model);

/// FLOPs of the forward pass of one token [FLOPs/token].
template <class R>
struct TokenFlops {
  Quantity<term::kFlopsPerToken, R> attention;  ///< scores and weighted values alone
  Quantity<term::kFlopsPerToken, R> exact;      ///< 2 for each matmul parameter, and attention
};

/// Exact forward FLOPs of a token in a sequence of `run.sequence_length`: each matmul with active
/// experts, attention causal or full (windowed layers see their window), the LM head if counted.
/// Source: Megatron-LM num_floating_point_operations; MaxText counts alike.
template <class R>
TokenFlops<R> count_token_flops(const Model<R>& model, const Parameters<R>& parameters,
                                const TrainingJob<R>& run);

/// Numbers of a token in the mixer of one layer, on average, as context parallelism moves them.
template <class R>
struct ContextWidths {
  Count<R> keys{};          ///< keys and values, as attention reads them
  Count<R> sent_divided{};  ///< the same, as they are passed on: what tensor ranks divide,
  Count<R> sent_whole{};    ///< and what each of them has whole
  Count<R> all{};           ///< queries, keys, values and results
};

template <class R>
ContextWidths<R> context_widths(const Model<R>& model);

/// Query heads of a layer that have scores, on average over all layers.
template <class R>
Count<R> attention_heads(const Model<R>& model);

/// Bytes that one token leaves in the KV cache of all layers; of latent attention, the compressed
/// vector and the rotary key. Source: book ch. 7; DeepSeek-V2.
template <class R>
Quantity<kByte / kToken, R> kv_cache_per_token(const Model<R>& model, Format format);

/// Bytes that layers with a state keep of a sequence, however long it is [B]: the state in fp32,
/// what its convolutions wait for in `format`. Source: transformers, modeling_qwen3_next.py,
/// modeling_nemotron_h.py, modeling_deepseek_v4.py.
template <class R>
Quantity<kByte, R> state_of_sequence(const Model<R>& model, Format format);

/// Bytes of the KV cache of a sequence of `tokens` [B], without states: layers with a window keep
/// that, layers of compressed keys one key of several tokens.
template <class R>
Quantity<kByte, R> cache_of_sequence(const Model<R>& model, Format format, Count<R> tokens);

/// Bytes that one token of the batch keeps for the backward pass in all layers, by `run`'s rule.
/// Source: book ch. 4 to 6; Korthikanti et al. 2022, section 4.1.
template <class R>
Quantity<kByte / kToken, R> checkpoint_bytes_per_token(const Model<R>& model, const Run<R>& run);

/// Layers that have experts.
template <class R>
Count<R> moe_layers(const Model<R>& model);

/// Whether any layer has experts.
template <class R>
bool has_experts(const Model<R>& model);

/// Width of the feed-forward layers, summed over all layers: of all experts, and of those that one
/// token passes through.
template <class R>
struct FeedForwardWidths {
  Count<R> stored, active;
};

template <class R>
FeedForwardWidths<R> feed_forward_widths(const Model<R>& model);

/// The widest matmul of a layer, X[B,D] W[D,F] of the MLP, for `rows` tokens at one weight matrix.
template <class R>
Operation<R> feed_forward_matmul(const Model<R>& model, const TrainingJob<R>& run, Count<R> rows);

}  // namespace scaling
