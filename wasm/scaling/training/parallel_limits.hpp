// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/network.hpp"
#include "scaling/hardware/roofline.hpp"
#include "scaling/input/run.hpp"

namespace scaling {

namespace term {

inline constexpr Dimension kTokensPerChip = kToken / kChip;
inline constexpr Dimension kBandwidthUnit = kByte / kSecond / kChip;

inline constexpr Term kTokensEachChip{"tokensPerChip", "B/n", kTokensPerChip, "book-training"};
inline constexpr Term kTokensEachSlice{"tokensPerSlice", "B/n_slice", kToken, "book-training"};
inline constexpr Term kSequences{"sequences", "B/T", kOne, "book-applied-training"};
inline constexpr Term kNetworkBandwidth{"networkBandwidth", "W_ici", kBandwidthUnit,
                                        "book-training"};
inline constexpr Term kNodeBandwidth{"nodeBandwidth", "W_node", kBandwidthUnit, "book-gpus"};
inline constexpr Term kNetworkAlpha{"networkAlpha", "alpha", kIntensityUnit, "book-training"};
inline constexpr Term kNodeAlpha{"nodeAlpha", "alpha_node", kIntensityUnit, "book-gpus"};
inline constexpr Term kSliceAlpha{"sliceAlpha", "alpha_dcn", kIntensityUnit, "book-training"};
inline constexpr Term kFsdpThreshold{"fsdpThreshold", "B/n_fsdp", kTokensPerChip, "book-training"};
inline constexpr Term kFsdpMaximumChips{"fsdpMaximumChips", "n_fsdp", kChip, "book-training"};
inline constexpr Term kTensorLimit{"tensorLimit", "Y_max", kOne, "book-training"};
inline constexpr Term kMixedThreshold{"mixedThreshold", "B/n_mixed", kTokensPerChip,
                                      "book-training"};
inline constexpr Term kMixedMaximumChips{"mixedMaximumChips", "n_mixed", kChip, "book-training"};
inline constexpr Term kOptimalData{"optimalDataWays", "X_opt", kOne, "book-training"};
inline constexpr Term kOptimalTensor{"optimalTensorWays", "Y_opt", kOne, "book-training"};
inline constexpr Term kMeshData{"meshDataWays", "X", kOne, "book-applied-training"};
inline constexpr Term kMeshTensor{"meshTensorWays", "Y", kOne, "book-applied-training"};
inline constexpr Term kSliceThreshold{"sliceThreshold", "B_slice", kToken, "book-training"};

}  // namespace term

/// A layer as chapter 5 sees it: a matmul in, a matmul out, both of D x F; of a model with experts,
/// the mean of its layers. All experts must be moved, but only some work on a token.
template <class R>
struct LayerShape {
  Count<R> active_width;  ///< F that a token passes through
  Count<R>
      weights_ratio;  ///< F that is stored over it; E / k where all layers have only routed experts
  bool sparse;
};

/// The limits at which splitting stops paying, by the closed forms of chapters 5 and 12: two-matrix
/// MLP, perfect overlap, no latency. Thresholds are in tokens of the batch a chip; below,
/// communication binds.
template <class R>
struct ParallelLimits {
  using TokensPerChip = Quantity<term::kTokensPerChip, R>;
  Maybe<TokensPerChip> fsdp_threshold;           ///< FSDP (or DP) alone
  Maybe<Count<R>> tensor_limit;                  ///< most ways of tensor parallelism
  Maybe<TokensPerChip> mixed_threshold;          ///< FSDP and tensor parallelism
  Maybe<Count<R>> optimal_data, optimal_tensor;  ///< X_opt and n / X_opt
  Maybe<Count<R>> mesh_data, mesh_tensor;        ///< nearest powers of two that fit
};

/// The limits for `slice_chips` chips of one slice that share a batch of `slice_tokens`.
template <class R>
ParallelLimits<R> parallel_limits(const Chip<R>& chip, const LayerShape<R>& layer, PeakRate<R> peak,
                                  Format weight_format, Format activation_format,
                                  Quantity<kChip, R> slice_chips, Quantity<kToken, R> slice_tokens);

/// Tokens a slice needs so that data parallelism between slices hides behind the computation:
/// C / W_out, as gradients cross in bf16. Source: book ch. 5.
template <class R>
Maybe<Quantity<kToken, R>> slice_threshold(const Chip<R>& chip, const LayerShape<R>& layer,
                                           PeakRate<R> peak);

}  // namespace scaling
