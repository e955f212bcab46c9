// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/degrees.hpp"

namespace scaling {

namespace term {

inline constexpr Term kLayersPerStage{"layersPerStage", "L_p", kOne, "sc21"};
inline constexpr Term kInFlight{"inFlight", "n_flight", kOne, "korthikanti"};
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

/// Chunks that a stage holds; where micro-batches come in at both ends, one for each end.
template <class R>
Count<R> chunks_of_stage(const Degrees<R>& layout);

/// Times that activations cross between stages in one direction for each micro-batch.
template <class R>
Count<R> stage_crossings(const Degrees<R>& layout);

/// Layers through which the busiest stage takes a micro-batch: of DualPipe, whose stages hold two
/// parts of the model and work on half of the micro-batches in each, half of those of both.
template <class R>
Count<R> busiest_layers(Count<R> layers, const Degrees<R>& layout);

/// Times of one micro-batch on a stage [s]. `weights` is the part of the backward pass that
/// computes the gradients of weights, which zero-bubble schedules may put off.
template <class R>
struct PassTimes {
  Quantity<kSecond, R> forward, backward, weights;
};

/// Seconds in which a stage waits in each step for its pipeline to fill and drain: of the stage
/// that waits longest, from the start of its first pass to the end of its last. (Zero-bubble
/// schedules start the next step on each stage when it is done, and validate the update
/// afterwards.)
///
/// GPipe and 1F1B (p-1)(F+B); interleaved 1/v of it. A round in which k micro-batches are missing
/// to a multiple of p has (v-1)k backward passes of chunks more, and as many forward ones where
/// there is no round before it that fills them; where there is, see `late_passes`.
///
/// Zero-bubble schedules split B into I, the gradients of inputs, and W, those of weights. A single
/// micro-batch has p F and p I to go before the first stage is done, so that the wait is
/// (p-1)(F+I). Each further one fills min(F, W) of it, until the schedule holds no more: ZB1P holds
/// p, which leaves (p-1)(F+B-2W), ZB2P 2p-1, which leaves (p-1)(F+B-3W). The first p-1 of ZBV's
/// 2p-2 fill F.
///
/// V-Half and V-Min repeat a building block of six slots, for F, I and W of two chunks. A single
/// micro-batch waits (p-1)(F+I)-W/2. Each further one of V-Half fills F+W-I of it, until there are
/// p/2; those beyond add I-F-W/2 each, if that is positive, and with V-Min all add 2I-F-W. The
/// rates that are published hold only where F = I = W, and are rounded up by at most F: a half and
/// two thirds of the time that 1F1B waits, of which ZB1P waits a third. All three are shares of
/// 1F1B's time.
///
/// DualPipe (p/2-1)(F&B+B-3W), with F&B = F+B, less min(F, (p/2-1)(I-F)), as the first two passes
/// in the middle are not worked on as one; and F+B more where the last of an odd number has none
/// beside it. With fewer than 2p micro-batches, the places of those that are missing stay free.
///
/// These are the sums of the schedules' orders, worked through pass by pass (see `draw_pipeline`),
/// where W <= F <= I. No step is shorter than a micro-batch's way there and back, whatever the
/// passes take.
///
/// Source: Megatron-LM (SC21) 2.2; zero-bubble paper, table 1, and README; Pipeline Parallelism
/// with Controllable Memory (arXiv 2405.15362), and its blocks' offsets in the zero-bubble
/// repository; DualPipe README and code; Calculon for the remainder.
template <class R>
Quantity<kSecond, R> bubble_time(const Degrees<R>& layout, Count<R> micro_batches,
                                 const PassTimes<R>& times);

/// Micro-batches whose activations stage `stage` (from 0) holds at most; of interleaved schedules a
/// fraction, as chunks count. V-Half and V-Min hold them until gradients of weights are computed.
/// Source: Korthikanti et al. 4.2.3 and appendix C; zero-bubble README; Pipeline Parallelism with
/// Controllable Memory.
template <class R>
Count<R> in_flight(const Degrees<R>& layout, Count<R> micro_batches, Count<R> stage);

}  // namespace scaling
