// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/expert_dispatch.hpp"
#include "scaling/input/field.hpp"

namespace scaling {

/// The FlashAttention that a program uses.
enum class FlashVersion : std::uint8_t {
  kBest,    ///< the fastest that the chip has
  kFlash1,  ///< version 1, or Triton's
  kFlash2,
};
inline constexpr const char* kFlashVersionNames[] = {"best", "flash1", "flash2"};

/// The tensors that selective recomputation computes again.
enum class Selective : std::uint8_t {
  kScores,           ///< attention scores, where the kernel writes them (Korthikanti et al.)
  kAttention,        ///< attention between its projections (Megatron-Core's core_attn)
  kActivations,      ///< norms and activation functions
  kMatmuls,          ///< these and attention: what no matmul with weights makes (MaxText's minimal)
  kOperators,        ///< norms, activation functions and the first matmul of the feed-forward part
                     ///< (torchtitan)
  kExperts,          ///< the feed-forward part with its experts
  kBehindAttention,  ///< the dense part behind attention: projection, norms, feed-forward part's
                     ///< first matmul (MaxText's lists that name the projections of attention)
  kLatent,           ///< norms, activation functions and the up-projections of latent attention
                     ///< (DeepSeek-V3, section 3.2.3; Megatron-Core's mla_up_proj)
  kProjections,      ///< all but the projections that attention takes (MaxText's save_qkv_proj)
};
inline constexpr const char* kSelectiveNames[] = {"scores",          "attention", "activations",
                                                  "matmuls",         "operators", "experts",
                                                  "behindAttention", "latent",    "projections"};

/// The launch of kernels by the host.
enum class CudaGraphs : std::uint8_t { kNone, kPartial, kFull };
inline constexpr const char* kCudaGraphsNames[] = {"none", "partial", "full"};

/// How many kernels the host launches for a layer, and how dear each is.
enum class KernelLaunch : std::uint8_t {
  kFused,  ///< fused layers (Transformer Engine), or layers that are compiled
  kEager,  ///< PyTorch, kernel by kernel
  kEager2022,
  kCompiled,  ///< one program (XLA), whose compiler plans memory, too
};
inline constexpr const char* kKernelLaunchNames[] = {"fused", "eager", "eager2022", "compiled"};

/// The part of a step over which its time is measured.
enum class StepTimer : std::uint8_t {
  kLoop,       ///< from step to step, with data, logging and synchronisation
  kIteration,  ///< the passes and the update alone
};
inline constexpr const char* kStepTimerNames[] = {"loop", "iteration"};

/// Whether constants of steps were fitted to trainings with this software.
enum class SoftwareFit : std::uint8_t {
  kKnown,
  kOther,  ///< not named, newer or another: its steps are less sure
};
inline constexpr const char* kSoftwareFitNames[] = {"known", "other"};

/// The format in which gradients are reduced.
enum class ReduceFormat : std::uint8_t { kGradients, kBf16 };
inline constexpr const char* kReduceFormatNames[] = {"gradients", "bf16"};

/// The software that trains: what it does that a layout does not say. Presets are in
/// shared/stacks.json.
template <class R>
struct Stack {
  static constexpr const char* kGroup = "stack";
  static constexpr const char* kPrefix = "stack.";
  template <class T>
  struct Slot {
    T stack;
    static constexpr T Slot::*kMember = &Slot::stack;
  };

  SoftwareFit software;
  FlashVersion flash;
  Selective selective;
  CudaGraphs graphs;
  KernelLaunch kernels;
  StepTimer timer;
  ReduceFormat reduce_format;
  bool tensor_overlap;  ///< tensor ways' transfers run beside the matmuls that need them
  bool data_overlap;    ///< data ways' transfers run beside both passes, not gradients alone
  bool fp8_gather;      ///< weights are gathered in fp8, where matmuls take it
  bool shards_master;   ///< of weights that are divided, chips keep the master copy alone
  ExpertDispatch expert_dispatch;
  bool fp8_dispatch;    ///< tokens go to experts in fp8, where matmuls take it
  bool expert_overlap;  ///< tokens go to experts while another micro-batch computes
  bool rowwise_scales;  ///< an fp8 scale for each row, where others have one for a matrix or block
  bool unfused;         ///< elementwise kernels one by one, each with its result in memory
  bool adapter_casts;   ///< each adapter takes a copy of its input in fp32 (PEFT)
  /// Weights that are divided are gathered for each module by its hooks (DeepSpeed), not for each
  /// layer.
  bool module_gathers;

  /// Whether the room of logits is there again for the layers' backward passes.
  bool reuses_logits() const { return kernels == KernelLaunch::kCompiled || unfused; }

  static constexpr auto fields() {
    return Fields{
        choice(&Stack::software, "software", kSoftwareFitNames)
            .rare()
            .fallback(SoftwareFit::kOther),
        choice(&Stack::flash, "flash", kFlashVersionNames).rare().fallback(FlashVersion::kBest),
        choice(&Stack::selective, "selective", kSelectiveNames).rare().fallback(Selective::kScores),
        choice(&Stack::graphs, "graphs", kCudaGraphsNames).rare().fallback(CudaGraphs::kNone),
        choice(&Stack::kernels, "kernels", kKernelLaunchNames)
            .rare()
            .fallback(KernelLaunch::kFused),
        choice(&Stack::timer, "timer", kStepTimerNames).rare().fallback(StepTimer::kLoop),
        choice(&Stack::reduce_format, "reduceFormat", kReduceFormatNames)
            .rare()
            .fallback(ReduceFormat::kGradients),
        flag(&Stack::tensor_overlap, "tensorOverlap").rare().fallback(1),
        flag(&Stack::data_overlap, "dataOverlap").rare().fallback(1),
        flag(&Stack::fp8_gather, "fp8Gather").rare().fallback(0),
        flag(&Stack::shards_master, "shardsMaster").rare().fallback(0),
        choice(&Stack::expert_dispatch, "expertDispatch", kTrainingDispatchNames)
            .rare()
            .fallback(ExpertDispatch::kKernels),
        flag(&Stack::fp8_dispatch, "fp8Dispatch").rare().fallback(1),
        flag(&Stack::expert_overlap, "expertOverlap").rare().fallback(0),
        flag(&Stack::rowwise_scales, "rowwiseScales").rare().fallback(0),
        flag(&Stack::unfused, "unfused").rare().fallback(0),
        flag(&Stack::adapter_casts, "adapterCasts").rare().fallback(0).when("unfused", true),
        flag(&Stack::module_gathers, "moduleGathers").rare().fallback(0),
    };
  }
};

}  // namespace scaling
