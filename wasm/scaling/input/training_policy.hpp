// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/run.hpp"

namespace scaling {

/// The tensors that are computed again in the backward pass instead of being kept.
enum class Recompute : std::uint8_t {
  kNone,
  kSelective,  ///< attention scores, where the kernel writes them (Korthikanti et al.)
  kFull,       ///< everything but each layer's input
  kEveryN,     ///< everything but each n-th layer's input
  kCopies,     ///< n tensors of the size of the hidden state stay (book, ch. 4 and 6)
  kCheapest,   ///< the tensors whose recomputation costs least, as many as have to go
};
inline constexpr const char* kRecomputeNames[] = {"none",   "selective", "full",
                                                  "everyN", "copies",    "cheapest"};

enum class Optimizer : std::uint8_t {
  kAdam,
  kAdam8bit,  ///< both moments in 8 bits
  kAdamBf16,  ///< both moments in bf16 (DeepSeek-V3)
  kAdafactor,
  kLion,
  kSgd,
  kMuon,
};
inline constexpr const char* kOptimizerNames[] = {"adam", "adam8bit", "adamBf16", "adafactor",
                                                  "lion", "sgd",      "muon"};

/// A copy that may not be there.
enum class Copy : std::uint8_t { kNone, kBf16, kFp32 };
inline constexpr const char* kCopyNames[] = {"none", "bf16", "fp32"};

/// Bytes of a number of a copy; 0 of one that is not there.
constexpr double copy_width(Copy copy) {
  constexpr double kBytes[] = {0, 2, 4};
  return kBytes[static_cast<int>(copy)];
}

/// The copies of a gradient that are kept through a step.
enum class GradientCopies : std::uint8_t {
  kNone,
  kBf16,
  kFp32,
  kBoth,  ///< a sum in fp32 beside the gradient in the weights' format (DeepSpeed's BF16 optimizer)
  kShare,  ///< 16 bits, and the part that a chip updates in fp32 (DeepSpeed's ZeRO 1 and 2 in fp16)
};
inline constexpr const char* kGradientCopiesNames[] = {"none", "bf16", "fp32", "both", "share"};

/// Bytes of all copies of a gradient, but for that of `kShare` in fp32.
constexpr double gradient_width(GradientCopies copies) {
  constexpr double kBytes[] = {0, 2, 4, 6, 2};
  return kBytes[static_cast<int>(copies)];
}

/// Bytes of the sum of a gradient, which is what chips exchange.
constexpr double gradient_sum_width(GradientCopies copies) {
  return copies == GradientCopies::kBoth ? 4 : gradient_width(copies);
}

enum class Offload : std::uint8_t {
  kNone,
  kOptimizer,  ///< master weights and moments live on the host, which updates them
  kAll,        ///< weights and gradients too: layers come when they are needed
};
inline constexpr const char* kOffloadNames[] = {"none", "optimizer", "all"};

/// The tensors and states that a chip keeps for a training step, and their formats; all chips keep
/// the same.
template <class R>
struct TrainingPolicy {
  Count<R> recompute_layers, saved_copies;
  Recompute recompute;
  Optimizer optimizer;
  Copy master_format;
  GradientCopies gradient_format;
  Offload offload;
  /// The part of kept activations that waits in the host's memory for the backward pass.
  Count<R> host_activations;
  AttentionKernel attention_kernel;
  bool fp8_matmuls, dropout;
  /// Experts' outputs are kept until they are weighted; Megatron-Core from 0.12 on weights before
  /// their second matmul.
  bool expert_results;
  /// The inputs of activation functions are kept in fp8, whatever matmuls compute in:
  /// Megatron-Core's activation_func_fp8_input_store, DeepSeek-V3's report in section 3.3.3.
  bool fp8_hidden;
};

}  // namespace scaling
