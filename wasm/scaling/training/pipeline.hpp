// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "scaling/input/degrees.hpp"

namespace scaling {

namespace term {

inline constexpr Term kLayersPerStage{"layersPerStage", "L_p", kOne, "sc21"};
inline constexpr Term kGivenLayers{"givenLayers", "L_given", kOne, "definition"};
inline constexpr Term kInFlight{"inFlight", "n_flight", kOne, "korthikanti"};
inline constexpr Term kBackwardShare{"backwardShare", "f_back", kOne, "sc21"};
inline constexpr Term kBubbleTime{"timeBubble", "T_bubble", kSecond, "sc21"};

}  // namespace term

/// Layers of the fullest stage and of both ends. Where layers do not divide evenly, the ends, which
/// also hold embedding and head, have one fewer first (as LLaMA 3 405B does), then the stages
/// before the last.
template <class R>
struct StageLayers {
  Count<R> most, first, last;
  Count<R> fewer;  ///< stages between the ends that have one layer less than the most
};

template <class R>
StageLayers<R> stage_layers(Count<R> layers, Count<R> pipeline);

/// Layers of the `index`-th (from 0) of the `cuts` parts that `layers` tells of.
template <class R>
Count<R> layers_of_cut(const StageLayers<R>& layers, double cuts, double index);

/// Calls `visit` with each part that a given list has for cut `index` of `cuts`: its chunks, one of
/// each round.
template <class Visit>
void each_listed_chunk(const StageList& list, double cuts, double index, Visit visit) {
  for (auto part = static_cast<std::size_t>(index); part < list.size;
       part += static_cast<std::size_t>(cuts)) {
    visit(part);
  }
}

/// Layers that the layout's list gives cut `index` of `cuts`.
template <class R>
double given_layers(const Degrees<R>& layout, double cuts, double index) {
  double sum = 0;
  const StageList& list = layout.stage_layers;
  each_listed_chunk(list, cuts, index, [&](std::size_t part) { sum += list.items[part]; });
  return sum;
}

/// Most layers of a stage. Software places layers as it is told, chunk by chunk, and a chunk may be
/// empty: a stage has as many chunks at most. Source: Megatron-LM, pipeline_model_parallel_layout.
template <class R>
Count<R> most_layers(Count<R> layers, Count<R> pipeline) {
  return ceil(layers / pipeline);
}

/// Whether the stages of the layout work in chunks of their layers.
template <class R>
bool works_in_chunks(const Degrees<R>& layout) {
  return row_of(layout.schedule).asks_chunks && layout.pipeline.value() > 1 &&
         layout.virtual_stages.value() > 1;
}

/// Layers through which the busiest stage takes a micro-batch: of DualPipe, whose stages hold two
/// parts of the model and work on half of the micro-batches in each, half of those of both.
template <class R>
Count<R> busiest_layers(Count<R> layers, const Degrees<R>& layout);

/// The longest chunk of the fullest stage over the mean of its chunks: 1 where all are as long.
template <class R>
Count<R> longest_chunk(Count<R> layers, const Degrees<R>& layout) {
  if (!works_in_chunks(layout)) return Count<R>(R(1));
  const auto& chunks = layout.virtual_stages;
  if (!layout.stage_layers.empty()) {
    return Count<R>(R(layout.stage_layers.longest())) * chunks / busiest_layers(layers, layout);
  }
  const auto most = most_layers(layers, layout.pipeline);
  return ceil(most / chunks) * chunks / most;
}

/// The path of micro-batches through the layout's stages; all schedules are alike for one stage.
template <class R>
PipelineCourse course_of(const Degrees<R>& layout) {
  return layout.pipeline.value() > 1 ? row_of(layout.schedule).course : PipelineCourse::kLoop;
}

/// Whether each stage holds two parts of the model, as far from each end.
template <class R>
bool holds_pairs(const Degrees<R>& layout) {
  return course_of(layout) != PipelineCourse::kLoop;
}

/// Parts that a layout cuts the model into: its stages, or the chunks of a V, which are twice as
/// many.
template <class R>
Count<R> model_cuts(const Degrees<R>& layout);

/// Parts that a list gives the layers of: a cut of a stage that works in chunks has one of each.
template <class R>
Count<R> listed_parts(const Degrees<R>& layout) {
  const auto cuts = model_cuts(layout);
  return works_in_chunks(layout) ? cuts * layout.virtual_stages : cuts;
}

/// Chunks that a stage holds; where micro-batches come in at both ends, one for each end.
template <class R>
Count<R> chunks_of_stage(const Degrees<R>& layout);

/// Times that activations cross between stages in one direction for each micro-batch.
template <class R>
Count<R> stage_crossings(const Degrees<R>& layout);

/// Seconds in which a stage waits in each step for its pipeline to fill and drain: of the stage
/// that waits longest, from the start of its first pass to the end of its last. (Zero-bubble
/// schedules start the next step on each stage when it is done, and validate the update
/// afterwards.) Each schedule's own formula is in its file in schedules/, with its source.
///
/// These are the sums of the schedules' orders, worked through pass by pass (see `draw_pipeline`),
/// where W <= F <= I. No step is shorter than a micro-batch's way there and back, whatever the
/// passes take.
template <class R>
Quantity<kSecond, R> bubble_time(const Degrees<R>& layout, Count<R> micro_batches,
                                 const PassTimes<R>& times);

/// Parts that a layout cuts the model into, stages or their chunks, in the order of the model; the
/// last `back` of them are passed through on the way back.
struct BackwardParts {
  double all, back;

  /// The most of them on one stage: parts go around the stages, or there and back.
  template <class R>
  double on_stage(const Degrees<R>& layout) const {
    const double p = layout.pipeline.value();
    const bool halves = course_of(layout) == PipelineCourse::kBothEnds;
    return std::fmax(std::ceil(halves ? 2 * back / p : back / p), 1);
  }
};

/// The share of a bubble's backward passes that are there where only the last parts of the model
/// are passed through on the way back, of a stage that has the most of them: gradients end their
/// way earlier.
template <class R>
Count<R> backward_share(const Degrees<R>& layout, const BackwardParts& parts) {
  const double p = layout.pipeline.value();
  const double most = parts.on_stage(layout);
  double way = 0;  // of gradients through the other stages, in backward passes of this one
  switch (course_of(layout)) {
    case PipelineCourse::kLoop:
      way = parts.all / p / most * (std::fmin(parts.back, p) - 1);
      break;
    case PipelineCourse::kFold:
      way = parts.back / most - 1;
      break;
    case PipelineCourse::kBothEnds:
      way = 2 * parts.back / most - 1;
      break;
  }
  return named_number<term::kBackwardShare, R>(way / (p - 1));
}

/// `times` in a bubble that has this share of its backward passes.
template <class R>
PassTimes<R> passes_back(const PassTimes<R>& times, Count<R> share) {
  return {times.forward, share * times.backward, share * times.weights};
}

/// Micro-batches whose activations stage `stage` (from 0) holds at most; of interleaved schedules a
/// fraction, as chunks count. Each schedule's own formula is in its file in schedules/.
template <class R>
Count<R> in_flight(const Degrees<R>& layout, Count<R> micro_batches, Count<R> stage);

}  // namespace scaling
