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

/// The division of one training step among chips. Data-parallel ways are what the others leave:
/// chips / (tensor x context x pipeline).
template <class R>
struct Degrees {
  Count<R> tensor, context, pipeline, virtual_stages;
  Count<R> expert, expert_tensor;
  Count<R> expert_nodes;  ///< on which the experts of a token may lie; 0: on any
  Count<R> micro_batch;   ///< sequences
  Count<R> shard_group;   ///< data ranks that share states; 0: all of them
  ContextKind context_kind;
  PipelineSchedule schedule;
  StateSharding sharding;
  bool sequence_parallel;

  /// Chips that hold different parts of the work on one sequence.
  Count<R> model_ways() const { return tensor * context * pipeline; }
};

}  // namespace scaling
