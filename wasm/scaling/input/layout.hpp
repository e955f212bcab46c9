// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/run.hpp"

namespace scaling {

/// The division of attention along the sequence.
enum class ContextKind : std::uint8_t {
  kRing,       ///< keys and values go around (Ring Attention)
  kAllGather,  ///< each chip gathers all keys and values (LLaMA 3)
  kUlysses,    ///< AllToAlls divide by heads instead, and back (DeepSpeed Ulysses)
};
inline constexpr const char* kContextKindNames[] = {"ring", "allGather", "ulysses"};

/// The order in which the stages of a pipeline work on their micro-batches.
enum class PipelineSchedule : std::uint8_t {
  kGpipe,        ///< all forward, then all backward
  kOneFOneB,     ///< PipeDream-Flush
  kInterleaved,  ///< 1F1B with several chunks of layers a stage (Megatron-LM)
  kZb1p,         ///< zero-bubble, the memory of 1F1B
  kZb2p,         ///< zero-bubble, twice the memory
  kZbv,          ///< zero-bubble in a V, the memory of 1F1B
  kVHalf,        ///< in a V, half the memory
  kVMin,         ///< in a V, a third of the memory
  kDualPipe,     ///< both ends feed, parameters are held twice (DeepSeek-V3)
};
/// The path of micro-batches through the chunks of the model that the stages hold.
enum class PipelineCourse : std::uint8_t {
  kLoop,  ///< around: from the last stage back to the first for each further chunk of a stage
  /// There and back, a V: of 2p chunks of the model, stage i of p holds the i-th and the i-th from
  /// the end, so that the first stage has both ends of the model.
  kFold,
  kBothEnds,  ///< from both ends at once: a stage holds a part of the model as far from each
};

/// Traits of a schedule; its bubble and its micro-batches in flight are in pipeline.formulas.cpp,
/// its order in timeline.cpp.
struct PipelineScheduleRow {
  const char* name;
  PipelineSchedule kind;
  PipelineCourse course;
  bool asks_chunks = false;      ///< the layout says how many chunks a stage has
  bool even_stages = false;      ///< takes an even number of stages only
  bool splits_backward = false;  ///< gradients of weights are passes of their own
};

inline constexpr PipelineScheduleRow kPipelineSchedules[] = {
    {.name = "gpipe", .kind = PipelineSchedule::kGpipe, .course = PipelineCourse::kLoop},
    {.name = "oneFOneB", .kind = PipelineSchedule::kOneFOneB, .course = PipelineCourse::kLoop},
    {.name = "interleaved",
     .kind = PipelineSchedule::kInterleaved,
     .course = PipelineCourse::kLoop,
     .asks_chunks = true},
    {.name = "zb1p",
     .kind = PipelineSchedule::kZb1p,
     .course = PipelineCourse::kLoop,
     .splits_backward = true},
    {.name = "zb2p",
     .kind = PipelineSchedule::kZb2p,
     .course = PipelineCourse::kLoop,
     .splits_backward = true},
    {.name = "zbv",
     .kind = PipelineSchedule::kZbv,
     .course = PipelineCourse::kFold,
     .splits_backward = true},
    {.name = "vHalf",
     .kind = PipelineSchedule::kVHalf,
     .course = PipelineCourse::kFold,
     .splits_backward = true},
    {.name = "vMin",
     .kind = PipelineSchedule::kVMin,
     .course = PipelineCourse::kFold,
     .splits_backward = true},
    {.name = "dualPipe",
     .kind = PipelineSchedule::kDualPipe,
     .course = PipelineCourse::kBothEnds,
     .even_stages = true,
     .splits_backward = true},
};
static_assert(in_order(kPipelineSchedules));
inline constexpr auto kPipelineScheduleNames = names_of(kPipelineSchedules);

constexpr const PipelineScheduleRow& row_of(PipelineSchedule schedule) {
  return kPipelineSchedules[static_cast<std::size_t>(schedule)];
}

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
};
inline constexpr const char* kGradientCopiesNames[] = {"none", "bf16", "fp32", "both"};

/// Bytes of all copies of a gradient.
constexpr double gradient_width(GradientCopies copies) {
  constexpr double kBytes[] = {0, 2, 4, 6};
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

/// How one training step is divided among chips, and what each keeps. Data-parallel ways are what
/// the others leave: chips / (tensor x context x pipeline).
template <class R>
struct Layout {
  static constexpr const char* kGroup = "layout";
  template <class T>
  struct Slot {
    T layout;
    static constexpr T Slot::*kMember = &Slot::layout;
  };

  Count<R> tensor, context, pipeline, virtual_stages;
  Count<R> expert, expert_tensor;
  Count<R> expert_nodes;  ///< on which the experts of a token may lie; 0: on any
  Count<R> micro_batch;   ///< sequences
  Count<R> shard_group;   ///< data ranks that share states; 0: all of them
  Count<R> recompute_layers, saved_copies;
  ContextKind context_kind;
  PipelineSchedule schedule;
  StateSharding sharding;
  Recompute recompute;
  Optimizer optimizer;
  Copy master_format;
  GradientCopies gradient_format;
  Offload offload;
  AttentionKernel attention_kernel;
  bool sequence_parallel, fp8_matmuls, dropout;

  static constexpr auto fields() {
    constexpr Range kWays{1, 1e6};
    return Fields{
        count(&Layout::tensor, "tensor", "t", kWays).doubling().fallback(1),
        flag(&Layout::sequence_parallel, "sequenceParallel").fallback(1),
        count(&Layout::context, "context", "c", kWays).doubling().fallback(1),
        choice(&Layout::context_kind, "contextKind", kContextKindNames)
            .fallback(ContextKind::kAllGather),
        count(&Layout::pipeline, "pipeline", "p", kWays).doubling().fallback(1),
        choice(&Layout::schedule, "schedule", kPipelineScheduleNames)
            .fallback(PipelineSchedule::kInterleaved),
        count(&Layout::virtual_stages, "virtualStages", "v", {1, 1e4})
            .doubling()
            .fallback(1)
            .when_in("schedule",
                     choices_where(kPipelineSchedules,
                                   [](const PipelineScheduleRow& row) { return row.asks_chunks; })),
        count(&Layout::expert, "expert", "e", kWays).doubling().fallback(1),
        count(&Layout::expert_tensor, "expertTensor", "t_e", kWays).doubling().fallback(1),
        count(&Layout::expert_nodes, "expertNodes", "n_node", {0, 1e6}).fallback(0),
        count(&Layout::micro_batch, "microBatch", "b", {1, 1e6}).doubling().fallback(1),
        choice(&Layout::sharding, "sharding", kStateShardingNames)
            .fallback(StateSharding::kParameters),
        count(&Layout::shard_group, "shardGroup", "n_shard", {0, 1e6}).fallback(0),
        choice(&Layout::recompute, "recompute", kRecomputeNames)
            .about(Topic::kStates)
            .fallback(Recompute::kCheapest),
        count(&Layout::recompute_layers, "recomputeLayers", "n_re", {1, 1e4})
            .about(Topic::kStates)
            .fallback(2)
            .when("recompute", Recompute::kEveryN),
        number(&Layout::saved_copies, "savedCopies", "n_ckpt", {1, 1000})
            .about(Topic::kStates)
            .fallback(4)
            .when("recompute", Recompute::kCopies),
        choice(&Layout::optimizer, "optimizer", kOptimizerNames)
            .about(Topic::kStates)
            .fallback(Optimizer::kAdam),
        choice(&Layout::master_format, "masterFormat", kCopyNames)
            .about(Topic::kStates)
            .fallback(Copy::kFp32),
        choice(&Layout::gradient_format, "gradientFormat", kGradientCopiesNames)
            .about(Topic::kStates)
            .fallback(GradientCopies::kFp32),
        flag(&Layout::fp8_matmuls, "fp8Matmuls").about(Topic::kFormats).fallback(0),
        choice(&Layout::offload, "offload", kOffloadNames)
            .about(Topic::kStates)
            .fallback(Offload::kNone),
        choice(&Layout::attention_kernel, "attentionKernel", kAttentionKernelNames)
            .about(Topic::kStates)
            .fallback(AttentionKernel::kFlash),
        flag(&Layout::dropout, "dropout").about(Topic::kStates).fallback(0),
    };
  }

  /// Chips that hold different parts of the work on one sequence.
  Count<R> model_ways() const { return tensor * context * pipeline; }
};

}  // namespace scaling
