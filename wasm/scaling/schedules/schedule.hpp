// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/quantity/quantity.hpp"

namespace scaling {

// A schedule is the order in which the stages of a pipeline work on their micro-batches. It is a
// type in a file of this folder, which tells all that is particular to it:
//
//   static constexpr PipelineScheduleRow kRow            its name and traits
//   template <class R> static bubble(Pipeline<R>)        the time that stages wait
//   template <class R> static held(Held<R>)              micro-batches whose activations a stage
//   has static void order(PipelineOrder&)                    its passes, stage by stage
//
// The list in schedules.hpp names it; all else derives from there.

/// The path of micro-batches through the chunks of the model that the stages hold.
enum class PipelineCourse : std::uint8_t {
  kLoop,  ///< around: from the last stage back to the first for each further chunk of a stage
  /// There and back, a V: of 2p chunks of the model, stage i of p holds the i-th and the i-th from
  /// the end, so that the first stage has both ends of the model.
  kFold,
  kBothEnds,  ///< from both ends at once: a stage holds a part of the model as far from each
};

/// The name and the traits of a schedule.
struct PipelineScheduleRow {
  const char* name;
  PipelineCourse course;
  bool asks_chunks = false;  ///< the layout says how many chunks a stage has
  bool even_stages = false;  ///< takes an even number of stages only
  /// Gradients of weights are passes of their own. A schedule without them waits for at least
  /// (p-1)/chunks whole micro-batches, by which a search rules layouts out before it costs them.
  bool splits_backward = false;
  bool forward_first = false;  ///< no stage goes back before it has gone forward with all
};

/// Times of one micro-batch on a stage [s]. `weights` is the part of the backward pass that
/// computes the gradients of weights, which zero-bubble schedules may put off.
template <class R>
struct PassTimes {
  Quantity<kSecond, R> forward, backward, weights;
};

/// Passes that bubbles are made up of: gradients of inputs are what is left of the backward pass.
template <class R>
struct Passes {
  Quantity<kSecond, R> forward, inputs, weights;

  Quantity<kSecond, R> all() const { return forward + inputs + weights; }
};

/// The parts of a bubble, of two stages or more.
template <class R>
struct Pipeline {
  Count<R> stages;
  Count<R> chunks;  ///< of each stage, where the schedule asks the layout for them
  Count<R> micro_batches;
  PassTimes<R> times;
  Passes<R> passes;
  Count<R> others;              ///< stages
  Quantity<kSecond, R> alone;   ///< of a single micro-batch
  Quantity<kSecond, R> filled;  ///< by each further one

  /// Micro-batches behind the first, of at most `held`.
  Count<R> further(Count<R> held) const { return min(micro_batches, held) - one<R>(); }
};

/// Micro-batches that a stage, counted from 0, holds of `micro_batches` in all.
template <class R>
struct Held {
  Count<R> stages, chunks, micro_batches, stage;

  Count<R> at_most(Count<R> count) const { return min(micro_batches, count); }
};

template <class R>
Quantity<kSecond, R> not_negative(Quantity<kSecond, R> time) {
  return max(time, Quantity<kSecond, R>{});
}

}  // namespace scaling
