// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/format.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"

namespace scaling {

enum class OperationKind : std::uint8_t {
  // Of sizes of their own.
  kDotProduct,       ///< x[N] . y[N]
  kElementwise,      ///< a chain of operations on arrays of N numbers
  kReduction,        ///< X[B,D] -> sums[B]
  kSoftmax,          ///< over the rows of X[B,D]
  kRmsNorm,          ///< over the rows of X[B,D]
  kMatmul,           ///< X[B,D] Y[D,F] -> Z[B,F]
  kPerBatchWeights,  ///< X[B,D] Y[B,D,F] -> Z[B,F]
  kTiledMatmul,      ///< a matmul in blocks that fit a core's memory
  kShardedMatmul,    ///< a matmul divided among the chips of a mesh
  kAttention,
  // Of one layer of the model, or of its ends.
  kNorm,
  kQkvProjection,
  kAttentionScores,  ///< Q K^T on its own
  kAttentionValues,  ///< scores times V on its own
  kAttentionCore,    ///< both, with the softmax between them
  kOutputProjection,
  kFeedForward,
  kRouter,
  kExperts,
  kLmHead,
  kEmbedding,
  kKvRead,
  kLayer,
};
inline constexpr const char* kOperationKindNames[] = {"dotProduct",
                                                      "elementwise",
                                                      "reduction",
                                                      "softmax",
                                                      "rmsNorm",
                                                      "matmul",
                                                      "perBatchWeights",
                                                      "tiledMatmul",
                                                      "shardedMatmul",
                                                      "attention",
                                                      "norm",
                                                      "qkvProjection",
                                                      "attentionScores",
                                                      "attentionValues",
                                                      "attentionCore",
                                                      "outputProjection",
                                                      "feedForward",
                                                      "router",
                                                      "experts",
                                                      "lmHead",
                                                      "embedding",
                                                      "kvRead",
                                                      "layer"};

enum class Pass : std::uint8_t { kForward, kBackward, kBoth };
inline constexpr const char* kPassNames[] = {"forward", "backward", "both"};

/// The memory that an operation reads from and writes to.
enum class MemoryLevel : std::uint8_t { kHbm, kOnChip, kHost };
inline constexpr const char* kMemoryLevelNames[] = {"hbm", "onChip", "host"};

/// The dimension of X[B,D] or of Y[D,F] that is divided among the chips.
enum class ActivationSharding : std::uint8_t { kNone, kBatch, kContraction };
inline constexpr const char* kActivationShardingNames[] = {"none", "batch", "contraction"};
enum class WeightSharding : std::uint8_t { kNone, kContraction, kOutput };
inline constexpr const char* kWeightShardingNames[] = {"none", "contraction", "output"};

/// Which operand is gathered where both are divided along dimensions that stay.
enum class Gathered : std::uint8_t { kWeights, kActivations };
inline constexpr const char* kGatheredNames[] = {"weights", "activations"};
enum class Reduction : std::uint8_t { kAllReduce, kReduceScatter };
inline constexpr const char* kReductionNames[] = {"allReduce", "reduceScatter"};

/// How latent attention computes.
enum class LatentForm : std::uint8_t {
  kExpanded,  ///< keys and values of every head are made from the latent vector, as in training
  kAbsorbed,  ///< queries are taken into the latent space instead, as in decoding
};
inline constexpr const char* kLatentFormNames[] = {"expanded", "absorbed"};

/// An operation as a reader asks for it.
template <class R>
struct OperationRequest {
  static constexpr const char* kGroup = "operation";
  template <class T>
  struct Slot {
    T operation;
  };

  OperationKind kind;
  Pass pass;
  MemoryLevel operands_in;
  Count<R> length, inputs, chain, fused;
  Count<R> batch, contraction, output;
  Count<R> tile_rows, tile_contraction, tile_output;
  ActivationSharding activation_sharding;
  WeightSharding weight_sharding;
  Gathered gathered;
  Reduction reduction;
  Count<R> sequences, queries, keys;
  Attention attention;
  Count<R> heads, kv_heads, head_dim;
  Count<R> latent_rank, rope_dim, nope_dim, value_dim;
  LatentForm latent_form;
  AttentionKernel attention_kernel;
  AttentionMask attention_mask;
  Format activation_format, weight_format, key_value_format, output_format, compute_format;

  static constexpr auto fields() {
    using enum OperationKind;
    using Request = OperationRequest;
    constexpr Range kSize{1, 1e12};
    constexpr Range kSmall{1, 1e6};
    return std::tuple{
        choice(&Request::kind, "kind", kOperationKindNames).fallback(kMatmul),
        choice(&Request::pass, "pass", kPassNames)
            .fallback(Pass::kForward)
            .when("kind", kDotProduct, kElementwise, kReduction, kSoftmax, kRmsNorm, kMatmul,
                  kPerBatchWeights, kTiledMatmul, kShardedMatmul, kAttention, kNorm, kQkvProjection,
                  kAttentionScores, kAttentionValues, kAttentionCore, kOutputProjection,
                  kFeedForward, kRouter, kExperts, kLmHead, kEmbedding, kLayer),
        choice(&Request::operands_in, "operandsIn", kMemoryLevelNames).fallback(MemoryLevel::kHbm),
        count(&Request::length, "length", "N", kSize)
            .fallback(1e6)
            .when("kind", kDotProduct, kElementwise),
        count(&Request::inputs, "inputs", "n_in", {1, 100}).fallback(2).when("kind", kElementwise),
        count(&Request::chain, "chain", "n_ops", {1, 1e4}).fallback(1).when("kind", kElementwise),
        count(&Request::fused, "fused", "n_fused", {1, 1e4}).fallback(1).when("kind", kElementwise),
        count(&Request::batch, "batch", "B", kSize)
            .fallback(128)
            .when("kind", kReduction, kSoftmax, kRmsNorm, kMatmul, kPerBatchWeights, kTiledMatmul,
                  kShardedMatmul),
        count(&Request::contraction, "contraction", "D", kSize)
            .fallback(4096)
            .when("kind", kReduction, kSoftmax, kRmsNorm, kMatmul, kPerBatchWeights, kTiledMatmul,
                  kShardedMatmul),
        count(&Request::output, "output", "F", kSize)
            .fallback(4096)
            .when("kind", kMatmul, kPerBatchWeights, kTiledMatmul, kShardedMatmul),
        count(&Request::tile_rows, "tileRows", "b_B", kSmall)
            .fallback(128)
            .when("kind", kTiledMatmul),
        count(&Request::tile_contraction, "tileContraction", "b_D", kSmall)
            .fallback(128)
            .when("kind", kTiledMatmul),
        count(&Request::tile_output, "tileOutput", "b_F", kSmall)
            .fallback(128)
            .when("kind", kTiledMatmul),
        choice(&Request::activation_sharding, "activationSharding", kActivationShardingNames)
            .fallback(ActivationSharding::kContraction)
            .when("kind", kShardedMatmul),
        choice(&Request::weight_sharding, "weightSharding", kWeightShardingNames)
            .fallback(WeightSharding::kContraction)
            .when("kind", kShardedMatmul),
        choice(&Request::gathered, "gathered", kGatheredNames)
            .fallback(Gathered::kWeights)
            .when("kind", kShardedMatmul),
        choice(&Request::reduction, "reduction", kReductionNames)
            .fallback(Reduction::kAllReduce)
            .when("kind", kShardedMatmul),
        count(&Request::sequences, "sequences", "B", kSize)
            .fallback(1)
            .when("kind", kAttention, kNorm, kQkvProjection, kAttentionScores, kAttentionValues,
                  kAttentionCore, kOutputProjection, kFeedForward, kRouter, kExperts, kLmHead,
                  kEmbedding, kKvRead, kLayer),
        count(&Request::queries, "queries", "T", kSize)
            .fallback(4096)
            .when("kind", kAttention, kNorm, kQkvProjection, kAttentionScores, kAttentionValues,
                  kAttentionCore, kOutputProjection, kFeedForward, kRouter, kExperts, kLmHead,
                  kEmbedding, kLayer),
        count(&Request::keys, "keys", "S", kSize)
            .fallback(4096)
            .when("kind", kAttention, kAttentionScores, kAttentionValues, kAttentionCore, kKvRead,
                  kLayer),
        choice(&Request::attention, "attention", kAttentionNames)
            .fallback(Attention::kGrouped)
            .when("kind", kAttention),
        count(&Request::heads, "heads", "N", kSmall).fallback(32).when("kind", kAttention),
        count(&Request::kv_heads, "kvHeads", "K", kSmall)
            .fallback(8)
            .when("attention", Attention::kGrouped),
        count(&Request::head_dim, "headDim", "H", kSmall)
            .fallback(128)
            .when("attention", Attention::kGrouped),
        count(&Request::latent_rank, "latentRank", "r_kv", kSmall)
            .fallback(512)
            .when("attention", Attention::kLatent),
        count(&Request::rope_dim, "ropeDim", "H_rope", {0, 1e6})
            .fallback(64)
            .when("attention", Attention::kLatent),
        count(&Request::nope_dim, "nopeDim", "H_nope", kSmall)
            .fallback(128)
            .when("attention", Attention::kLatent),
        count(&Request::value_dim, "valueDim", "H_v", kSmall)
            .fallback(128)
            .when("attention", Attention::kLatent),
        choice(&Request::latent_form, "latentForm", kLatentFormNames)
            .fallback(LatentForm::kExpanded)
            .when("kind", kAttention, kQkvProjection, kAttentionScores, kAttentionValues,
                  kAttentionCore, kOutputProjection, kLayer),
        choice(&Request::attention_kernel, "attentionKernel", kAttentionKernelNames)
            .fallback(AttentionKernel::kFlash)
            .when("kind", kAttention, kAttentionCore, kLayer),
        choice(&Request::attention_mask, "attentionMask", kAttentionMaskNames)
            .fallback(AttentionMask::kFull)
            .when("attentionKernel", AttentionKernel::kFlash),
        choice(&Request::activation_format, "activationFormat", kStorageFormats)
            .fallback(Format::kBf16),
        choice(&Request::weight_format, "weightFormat", kStorageFormats)
            .fallback(Format::kBf16)
            .when("kind", kRmsNorm, kMatmul, kPerBatchWeights, kTiledMatmul, kShardedMatmul, kNorm,
                  kQkvProjection, kOutputProjection, kFeedForward, kRouter, kExperts, kLmHead,
                  kEmbedding, kLayer),
        choice(&Request::key_value_format, "keyValueFormat", kStorageFormats)
            .fallback(Format::kBf16)
            .when("kind", kAttention, kAttentionScores, kAttentionValues, kAttentionCore, kKvRead,
                  kLayer),
        choice(&Request::output_format, "outputFormat", kStorageFormats)
            .fallback(Format::kBf16)
            .when("kind", kDotProduct, kElementwise, kReduction, kSoftmax, kRmsNorm, kMatmul,
                  kPerBatchWeights, kTiledMatmul, kShardedMatmul),
        choice(&Request::compute_format, "computeFormat", kComputeFormats)
            .fallback(Format::kBf16)
            .when("kind", kDotProduct, kMatmul, kPerBatchWeights, kTiledMatmul, kShardedMatmul,
                  kAttention, kQkvProjection, kAttentionScores, kAttentionValues, kAttentionCore,
                  kOutputProjection, kFeedForward, kRouter, kExperts, kLmHead, kLayer),
    };
  }
};

}  // namespace scaling
