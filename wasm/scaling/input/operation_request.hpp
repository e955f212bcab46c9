// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/format.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"

namespace scaling {

enum class OperationKind : std::uint8_t {
  // The request tells the sizes.
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
  // The model tells the sizes: of one of its layers, or of its ends.
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

/// The fields and groups that a kind of operation asks for, and its other properties.
enum OperationTraits : std::uint32_t {
  kHasBackward = 1u << 0,      ///< has a backward pass
  kAsksLength = 1u << 1,       ///< the length of arrays
  kAsksChain = 1u << 2,        ///< the length of a chain of elementwise operations
  kAsksRows = 1u << 3,         ///< X[B,D]
  kAsksColumns = 1u << 4,      ///< Y[D,F]
  kAsksTile = 1u << 5,         ///< blocks
  kAsksMesh = 1u << 6,         ///< the mesh group, and what is divided among its chips
  kAsksModel = 1u << 7,        ///< the model group
  kAsksExperts = 1u << 8,      ///< a model with experts
  kAsksSequences = 1u << 9,    ///< sequences of tokens
  kAsksQueries = 1u << 10,     ///< tokens of each sequence
  kAsksKeys = 1u << 11,        ///< keys and values, and their format
  kAsksHeads = 1u << 12,       ///< an attention of its own
  kAsksLatentForm = 1u << 13,  ///< the form of latent attention
  kAsksKernel = 1u << 14,      ///< the kernel of attention, and its mask
  kAsksWeights = 1u << 15,     ///< the format of weights
  kAsksOutput = 1u << 16,      ///< a format of the result's own
  kOnMatrixUnits = 1u << 17,   ///< all or part of it; asks in which format
  kOnVectorUnits = 1u << 18,   ///< all or part of it
  kVectorBackward = 1u << 19,  ///< runs on vector units in the backward pass
  kVectorNaive = 1u << 20,     ///< runs on vector units with the naive attention kernel
  kHasCriticalBatch = 1u << 21,
  kHasBlockRows = 1u << 22,  ///< rows of the flash attention kernel
  kAsksMixer = 1u << 23,     ///< which of the model's layers
};

struct OperationKindRow {
  const char* name;
  OperationKind kind;
  std::uint32_t traits;

  constexpr bool has(OperationTraits trait) const { return (traits & trait) != 0; }
};

namespace detail {

inline constexpr std::uint32_t kAnyMatmul =
    kHasBackward | kAsksRows | kAsksColumns | kAsksWeights | kAsksOutput | kOnMatrixUnits;
inline constexpr std::uint32_t kTokensOfModel =
    kHasBackward | kAsksModel | kAsksSequences | kAsksQueries;
inline constexpr std::uint32_t kWeightsOfModel = kTokensOfModel | kAsksWeights | kOnMatrixUnits;
inline constexpr std::uint32_t kAttentionOfModel =
    kTokensOfModel | kAsksKeys | kAsksLatentForm | kOnMatrixUnits;

}  // namespace detail

/// A row for each kind; its kernels are in operation.formulas.cpp and layer.formulas.cpp.
inline constexpr OperationKindRow kOperationKinds[] = {
    {"dotProduct", OperationKind::kDotProduct,
     kHasBackward | kAsksLength | kAsksOutput | kOnMatrixUnits},
    {"elementwise", OperationKind::kElementwise,
     kHasBackward | kAsksLength | kAsksChain | kAsksOutput | kOnVectorUnits},
    {"reduction", OperationKind::kReduction,
     kHasBackward | kAsksRows | kAsksOutput | kOnVectorUnits},
    {"softmax", OperationKind::kSoftmax, kHasBackward | kAsksRows | kAsksOutput | kOnVectorUnits},
    {"rmsNorm", OperationKind::kRmsNorm,
     kHasBackward | kAsksRows | kAsksWeights | kAsksOutput | kOnVectorUnits},
    {"matmul", OperationKind::kMatmul, detail::kAnyMatmul | kHasCriticalBatch},
    {"perBatchWeights", OperationKind::kPerBatchWeights, detail::kAnyMatmul},
    {"tiledMatmul", OperationKind::kTiledMatmul, detail::kAnyMatmul | kAsksTile},
    {"shardedMatmul", OperationKind::kShardedMatmul,
     detail::kAnyMatmul | kAsksMesh | kHasCriticalBatch},
    {"attention", OperationKind::kAttention,
     kHasBackward | kAsksSequences | kAsksQueries | kAsksKeys | kAsksHeads | kAsksLatentForm |
         kAsksKernel | kOnMatrixUnits | kVectorNaive | kHasBlockRows},
    {"norm", OperationKind::kNorm, detail::kTokensOfModel | kAsksWeights | kOnVectorUnits},
    {"qkvProjection", OperationKind::kQkvProjection,
     detail::kWeightsOfModel | kAsksLatentForm | kAsksMixer},
    {"attentionScores", OperationKind::kAttentionScores, detail::kAttentionOfModel | kAsksMixer},
    {"attentionValues", OperationKind::kAttentionValues, detail::kAttentionOfModel | kAsksMixer},
    {"attentionCore", OperationKind::kAttentionCore,
     detail::kAttentionOfModel | kAsksKernel | kVectorNaive | kHasBlockRows | kAsksMixer},
    {"outputProjection", OperationKind::kOutputProjection,
     detail::kWeightsOfModel | kAsksLatentForm | kAsksMixer},
    {"feedForward", OperationKind::kFeedForward, detail::kWeightsOfModel},
    {"router", OperationKind::kRouter, detail::kWeightsOfModel | kAsksExperts},
    {"experts", OperationKind::kExperts, detail::kWeightsOfModel | kAsksExperts},
    {"lmHead", OperationKind::kLmHead, detail::kWeightsOfModel},
    {"embedding", OperationKind::kEmbedding,
     detail::kTokensOfModel | kAsksWeights | kVectorBackward},
    {"kvRead", OperationKind::kKvRead, kAsksModel | kAsksSequences | kAsksKeys | kAsksMixer},
    {"layer", OperationKind::kLayer,
     detail::kAttentionOfModel | detail::kWeightsOfModel | kAsksKernel | kOnVectorUnits |
         kAsksMixer},
};
static_assert(in_order(kOperationKinds));
inline constexpr auto kOperationKindNames = names_of(kOperationKinds);

constexpr const OperationKindRow& row_of(OperationKind kind) {
  return kOperationKinds[static_cast<std::size_t>(kind)];
}

/// A mask of the kinds that have a trait.
constexpr std::uint32_t kinds_with(OperationTraits trait) {
  return choices_where(kOperationKinds,
                       [=](const OperationKindRow& row) { return row.has(trait); });
}

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

/// The operand that is gathered if both are divided along dimensions of the result.
enum class Gathered : std::uint8_t { kWeights, kActivations };
inline constexpr const char* kGatheredNames[] = {"weights", "activations"};
enum class Reduction : std::uint8_t { kAllReduce, kReduceScatter };
inline constexpr const char* kReductionNames[] = {"allReduce", "reduceScatter"};

/// The computation of latent attention.
enum class LatentForm : std::uint8_t {
  kExpanded,  ///< keys and values of every head are made from the latent vector, as in training
  kAbsorbed,  ///< queries are taken into the latent space instead, as in decoding
};
inline constexpr const char* kLatentFormNames[] = {"expanded", "absorbed"};

/// The mixer of the layer that is asked for: the first kind that the model has, or one of these, in
/// the order of `Mixer`.
enum class AskedMixer : std::uint8_t {
  kFirst,
  kAttention,
  kWindowed,
  kSparse,
  kCompressed,
  kLinear,
  kMamba,
};
inline constexpr const char* kAskedMixerNames[] = {"first",      "attention", "windowed", "sparse",
                                                   "compressed", "linear",    "mamba"};

/// An operation as a reader asks for it.
template <class R>
struct OperationRequest {
  static constexpr const char* kGroup = "operation";
  template <class T>
  struct Slot {
    T operation;
    static constexpr T Slot::*kMember = &Slot::operation;
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
  AskedMixer mixer;
  Count<R> sequences, queries, keys;
  Attention attention;
  Count<R> heads, kv_heads, head_dim;
  Count<R> latent_rank, rope_dim, nope_dim, value_dim;
  LatentForm latent_form;
  AttentionKernel attention_kernel;
  AttentionMask attention_mask;
  Format activation_format, weight_format, key_value_format, output_format, compute_format;

  static constexpr auto fields() {
    using Request = OperationRequest;
    constexpr Range kSize{1, 1e12};
    constexpr Range kSmall{1, 1e6};
    return Fields{
        choice(&Request::kind, "kind", kOperationKindNames).fallback(OperationKind::kMatmul),
        choice(&Request::pass, "pass", kPassNames)
            .fallback(Pass::kForward)
            .when_in("kind", kinds_with(kHasBackward)),
        choice(&Request::operands_in, "operandsIn", kMemoryLevelNames).fallback(MemoryLevel::kHbm),
        count(&Request::length, "length", "N", kSize)
            .for_targets()
            .doubling()
            .fallback(1e6)
            .when_in("kind", kinds_with(kAsksLength)),
        count(&Request::inputs, "inputs", "n_in", {1, 100})
            .fallback(2)
            .when_in("kind", kinds_with(kAsksChain)),
        count(&Request::chain, "chain", "n_ops", {1, 1e4})
            .fallback(1)
            .when_in("kind", kinds_with(kAsksChain)),
        count(&Request::fused, "fused", "n_fused", {1, 1e4})
            .for_targets()
            .fallback(1)
            .when_in("kind", kinds_with(kAsksChain)),
        count(&Request::batch, "batch", "B", kSize)
            .for_targets()
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksRows)),
        count(&Request::contraction, "contraction", "D", kSize)
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksRows)),
        count(&Request::output, "output", "F", kSize)
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksColumns)),
        count(&Request::tile_rows, "tileRows", "b_B", kSmall)
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksTile)),
        count(&Request::tile_contraction, "tileContraction", "b_D", kSmall)
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksTile)),
        count(&Request::tile_output, "tileOutput", "b_F", kSmall)
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksTile)),
        choice(&Request::activation_sharding, "activationSharding", kActivationShardingNames)
            .fallback(ActivationSharding::kContraction)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::weight_sharding, "weightSharding", kWeightShardingNames)
            .fallback(WeightSharding::kContraction)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::gathered, "gathered", kGatheredNames)
            .fallback(Gathered::kWeights)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::reduction, "reduction", kReductionNames)
            .fallback(Reduction::kAllReduce)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::mixer, "mixer", kAskedMixerNames)
            .fallback(AskedMixer::kFirst)
            .when_in("kind", kinds_with(kAsksMixer)),
        count(&Request::sequences, "sequences", "B", kSize)
            .for_targets()
            .doubling()
            .fallback(1)
            .when_in("kind", kinds_with(kAsksSequences)),
        count(&Request::queries, "queries", "T", kSize)
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksQueries)),
        count(&Request::keys, "keys", "S", kSize)
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksKeys)),
        choice(&Request::attention, "attention", kAttentionNames)
            .fallback(Attention::kGrouped)
            .when_in("kind", kinds_with(kAsksHeads)),
        count(&Request::heads, "heads", "N", kSmall)
            .doubling()
            .fallback(32)
            .when_in("kind", kinds_with(kAsksHeads)),
        count(&Request::kv_heads, "kvHeads", "K", kSmall)
            .doubling()
            .fallback(8)
            .when("attention", Attention::kGrouped),
        count(&Request::head_dim, "headDim", "H", kSmall)
            .doubling()
            .fallback(128)
            .when("attention", Attention::kGrouped),
        count(&Request::latent_rank, "latentRank", "r_kv", kSmall)
            .doubling()
            .fallback(512)
            .when("attention", Attention::kLatent),
        count(&Request::rope_dim, "ropeDim", "H_rope", {0, 1e6})
            .doubling()
            .fallback(64)
            .when("attention", Attention::kLatent),
        count(&Request::nope_dim, "nopeDim", "H_nope", kSmall)
            .doubling()
            .fallback(128)
            .when("attention", Attention::kLatent),
        count(&Request::value_dim, "valueDim", "H_v", kSmall)
            .doubling()
            .fallback(128)
            .when("attention", Attention::kLatent),
        choice(&Request::latent_form, "latentForm", kLatentFormNames)
            .fallback(LatentForm::kExpanded)
            .when_in("kind", kinds_with(kAsksLatentForm)),
        choice(&Request::attention_kernel, "attentionKernel", kAttentionKernelNames)
            .for_targets()
            .fallback(AttentionKernel::kFlash)
            .when_in("kind", kinds_with(kAsksKernel)),
        choice(&Request::attention_mask, "attentionMask", kAttentionMaskNames)
            .fallback(AttentionMask::kFull)
            .when("attentionKernel", AttentionKernel::kFlash),
        choice(&Request::activation_format, "activationFormat", kStorageFormats)
            .for_targets()
            .fallback(Format::kBf16),
        choice(&Request::weight_format, "weightFormat", kStorageFormats)
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kAsksWeights)),
        choice(&Request::key_value_format, "keyValueFormat", kStorageFormats)
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kAsksKeys)),
        choice(&Request::output_format, "outputFormat", kStorageFormats)
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kAsksOutput)),
        choice(&Request::compute_format, "computeFormat", kComputeFormats)
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kOnMatrixUnits)),
    };
  }
};

}  // namespace scaling
