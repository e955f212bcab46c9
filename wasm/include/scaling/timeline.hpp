// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "scaling/plan_question.hpp"

namespace scaling {

enum class TimelineKind : std::uint8_t {
  kForward,
  kBackward,
  kWeights,  ///< gradients of weights, where a schedule puts them off
  kTensor,
  kContext,
  kExpert,
  kData,
  kPipeline,
  kBubble,
  kOptimizer,
  kHost,
};
inline constexpr const char* kTimelineKindNames[] = {"forward", "backward",  "weights", "tensor",
                                                     "context", "expert",    "data",    "pipeline",
                                                     "bubble",  "optimizer", "host"};

struct TimelineEvent {
  double lane;
  double kind;   ///< TimelineKind
  double start;  ///< [s]
  double end;
  double micro_batch;  ///< from 0; -1: of the whole step
};

/// One training step, drawn: pipeline stages one under the other as their schedule works, or, of a
/// single stage and of schedules that feed a pipeline from both ends, what a chip computes and
/// sends at once. Of many micro-batches only the first are drawn.
struct Timeline {
  static constexpr std::size_t kEvents = 8192;

  bool by_stage = false;
  double lanes = 0;  ///< stages, or kinds of TimelineKind from kForward, kTensor on
  double drawn = 0, micro_batches = 0;
  double end = 0;
  std::array<TimelineEvent, kEvents> events;
  std::size_t size = 0;

  void add(double lane, TimelineKind kind, double start, double stop, double micro_batch = -1) {
    if (stop > start && size < kEvents) {
      events[size++] = {lane, static_cast<double>(kind), start, stop, micro_batch};
      end = end < stop ? stop : end;
    }
  }
};

/// Fills `timeline` for a layout that PlanQuestion's checks have found no fault with.
void make_timeline(const PlanQuestion::Groups<double>& in, Timeline& timeline);

/// What the chips of stage `index` hold [B], by item.
StageMemory<double> memory_of_stage(const PlanQuestion::Groups<double>& in,
                                    const LayoutChoice& choice, double index);

}  // namespace scaling
