// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/run.hpp"
#include "scaling/input/stage_list.hpp"
#include "scaling/schedules/schedules.hpp"

namespace scaling {

/// The division of attention along the sequence.
enum class ContextKind : std::uint8_t {
  kRing,       ///< keys and values go around (Ring Attention)
  kAllGather,  ///< each chip gathers all keys and values (LLaMA 3)
  kUlysses,    ///< AllToAlls divide by heads instead, and back (DeepSpeed Ulysses)
};
inline constexpr const char* kContextKindNames[] = {"ring", "allGather", "ulysses"};

inline constexpr auto kPipelineScheduleNames = names_of(PipelineSchedules::kRows);

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
  StageList stage_layers;  ///< of each part of the model; empty: as evenly as they go

  /// Chips that hold different parts of the work on one sequence.
  Count<R> model_ways() const { return tensor * context * pipeline; }
};

}  // namespace scaling
