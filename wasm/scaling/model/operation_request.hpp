// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/format.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"
#include "scaling/model/operation_kinds.hpp"

namespace scaling {

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
  kConvolution,
};
inline constexpr const char* kAskedMixerNames[] = {
    "first", "attention", "windowed", "sparse", "compressed", "linear", "mamba", "convolution"};

/// An operation as a reader asks for it.
template <class R>
struct OperationRequest {
  static constexpr const char* kGroup = "operation";
  static constexpr const char* kPrefix = "op.";
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

  static constexpr auto fields() {  // NOLINT(readability-function-size): a table
    using Request = OperationRequest;
    constexpr Range kSize{1, 1e12};
    constexpr Range kSmall{1, 1e6};
    return Fields{
        choice(&Request::kind, "kind", kOperationKindNames)
            .asked()
            .fallback(kOperation<operations::Matmul>),
        choice(&Request::pass, "pass", kPassNames)
            .fallback(Pass::kForward)
            .when_in("kind", kinds_with(kHasBackward)),
        choice(&Request::operands_in, "operandsIn", kMemoryLevelNames)
            .asked()
            .fallback(MemoryLevel::kHbm),
        count(&Request::length, "length", "N", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(1e6)
            .when_in("kind", kinds_with(kAsksLength)),
        count(&Request::inputs, "inputs", "n_in", {1, 100})
            .asked()
            .fallback(2)
            .when_in("kind", kinds_with(kAsksChain)),
        count(&Request::chain, "chain", "n_ops", {1, 1e4})
            .asked()
            .fallback(1)
            .when_in("kind", kinds_with(kAsksChain)),
        count(&Request::fused, "fused", "n_fused", {1, 1e4})
            .asked()
            .for_targets()
            .fallback(1)
            .when_in("kind", kinds_with(kAsksChain)),
        count(&Request::batch, "batch", "B", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksRows)),
        count(&Request::contraction, "contraction", "D", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksRows)),
        count(&Request::output, "output", "F", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksColumns)),
        count(&Request::tile_rows, "tileRows", "b_B", kSmall)
            .asked()
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksTile)),
        count(&Request::tile_contraction, "tileContraction", "b_D", kSmall)
            .asked()
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksTile)),
        count(&Request::tile_output, "tileOutput", "b_F", kSmall)
            .asked()
            .doubling()
            .fallback(128)
            .when_in("kind", kinds_with(kAsksTile)),
        choice(&Request::activation_sharding, "activationSharding", kActivationShardingNames)
            .asked()
            .fallback(ActivationSharding::kContraction)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::weight_sharding, "weightSharding", kWeightShardingNames)
            .asked()
            .fallback(WeightSharding::kContraction)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::gathered, "gathered", kGatheredNames)
            .asked()
            .fallback(Gathered::kWeights)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::reduction, "reduction", kReductionNames)
            .asked()
            .fallback(Reduction::kAllReduce)
            .when_in("kind", kinds_with(kAsksMesh)),
        choice(&Request::mixer, "mixer", kAskedMixerNames)
            .rare()
            .fallback(AskedMixer::kFirst)
            .when_in("kind", kinds_with(kAsksMixer)),
        count(&Request::sequences, "sequences", "B", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(1)
            .when_in("kind", kinds_with(kAsksSequences)),
        count(&Request::queries, "queries", "T", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksQueries)),
        count(&Request::keys, "keys", "S", kSize)
            .asked()
            .for_targets()
            .doubling()
            .fallback(4096)
            .when_in("kind", kinds_with(kAsksKeys)),
        choice(&Request::attention, "attention", kAttentionNames)
            .asked()
            .fallback(Attention::kGrouped)
            .when_in("kind", kinds_with(kAsksHeads)),
        count(&Request::heads, "heads", "N", kSmall)
            .asked()
            .doubling()
            .fallback(32)
            .when_in("kind", kinds_with(kAsksHeads)),
        count(&Request::kv_heads, "kvHeads", "K", kSmall)
            .asked()
            .doubling()
            .fallback(8)
            .when("attention", Attention::kGrouped),
        count(&Request::head_dim, "headDim", "H", kSmall)
            .asked()
            .doubling()
            .fallback(128)
            .when("attention", Attention::kGrouped),
        count(&Request::latent_rank, "latentRank", "r_kv", kSmall)
            .asked()
            .doubling()
            .fallback(512)
            .when("attention", Attention::kLatent),
        count(&Request::rope_dim, "ropeDim", "H_rope", {0, 1e6})
            .rare()
            .doubling()
            .fallback(64)
            .when("attention", Attention::kLatent),
        count(&Request::nope_dim, "nopeDim", "H_nope", kSmall)
            .rare()
            .doubling()
            .fallback(128)
            .when("attention", Attention::kLatent),
        count(&Request::value_dim, "valueDim", "H_v", kSmall)
            .rare()
            .doubling()
            .fallback(128)
            .when("attention", Attention::kLatent),
        choice(&Request::latent_form, "latentForm", kLatentFormNames)
            .asked()
            .fallback(LatentForm::kExpanded)
            .when_in("kind", kinds_with(kAsksLatentForm)),
        choice(&Request::attention_kernel, "attentionKernel", kAttentionKernelNames)
            .asked()
            .for_targets()
            .fallback(AttentionKernel::kFlash)
            .when_in("kind", kinds_with(kAsksKernel)),
        choice(&Request::attention_mask, "attentionMask", kAttentionMaskNames)
            .fallback(AttentionMask::kFull)
            .when("attentionKernel", AttentionKernel::kFlash),
        choice(&Request::activation_format, "activationFormat", kStorageFormats)
            .asked()
            .for_targets()
            .fallback(Format::kBf16),
        choice(&Request::weight_format, "weightFormat", kStorageFormats)
            .asked()
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kAsksWeights)),
        choice(&Request::key_value_format, "keyValueFormat", kStorageFormats)
            .asked()
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kAsksKeys)),
        choice(&Request::output_format, "outputFormat", kStorageFormats)
            .asked()
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kAsksOutput)),
        choice(&Request::compute_format, "computeFormat", kComputeFormats)
            .asked()
            .for_targets()
            .fallback(Format::kBf16)
            .when_in("kind", kinds_with(kOnMatrixUnits)),
    };
  }
};

}  // namespace scaling
