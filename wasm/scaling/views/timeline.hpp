// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "scaling/search/search_input.hpp"
#include "scaling/training/layout_choice.hpp"

namespace scaling {

enum class TimelineKind : std::uint8_t {
  // The kinds of passes, see PassKind.
  kForward,
  kBackward,
  kWeights,
  kTensor,
  kContext,
  kExpert,
  kData,
  kPipeline,
  kBubble,
  kOptimizer,
  kHost,
  kLaunch,    ///< kernel launches by the host that the chip waits for
  kOverhead,  ///< of each step
};
inline constexpr const char* kTimelineKindNames[] = {
    "forward",  "backward", "weights",   "tensor", "context", "expert",  "data",
    "pipeline", "bubble",   "optimizer", "host",   "launch",  "overhead"};

struct TimelineEvent {
  double lane;
  double kind;   ///< TimelineKind
  double start;  ///< [s]
  double end;
  double micro_batch;  ///< from 0; -1: of the whole step
};

/// A time in which all goes on as before and after it, and of which nothing is drawn.
struct TimelineCut {
  double start, end;     ///< [s]
  double micro_batches;  ///< that it leaves out
};

/// One training step, drawn: pipeline stages one under the other as their schedule works, pass by
/// pass, which is what `bubble_time` sums up; or the work and the transfers of a chip at once, if
/// there is a single stage. Of many micro-batches those in the middle, which are all alike, are cut
/// out; times are those of the whole step.
struct Timeline {
  static constexpr std::size_t kEvents = 16384;

  bool by_stage = false;
  double lanes = 0;  ///< stages, or kinds of TimelineKind from kForward, kTensor on
  double drawn = 0, micro_batches = 0;
  double end = 0;
  /// The time in which all stages alternate as long as there are micro-batches; 0: there is none.
  double steady_from = 0, steady_to = 0;
  std::array<TimelineCut, 2> cuts;
  std::size_t cut_count = 0;
  std::array<TimelineEvent, kEvents> events;
  std::size_t size = 0;

  // Room to work in: orders, and when each pass has left its stage.
  std::array<PipelinePass, kEvents> passes;
  std::array<double, kEvents> left;

  void add(double lane, TimelineKind kind, double start, double stop, double micro_batch = -1) {
    if (stop > start && size < kEvents) {
      events[size++] = {lane, static_cast<double>(kind), start, stop, micro_batch};
      end = end < stop ? stop : end;
    }
  }
};

/// Draws the passes of a pipeline's stages, each of which takes `times`, as the layout's schedule
/// orders them; whether it has an order. Of `parts`, if given, only the last go back.
bool draw_pipeline(const Degrees<double>& layout, double micro_batches,
                   const PassTimes<double>& times, Timeline& timeline,
                   const BackwardParts& parts = {});

/// Fills `timeline` for a layout that the checks of SearchInput find no fault with.
void make_timeline(const SearchInput<double>& in, Timeline& timeline);

}  // namespace scaling
