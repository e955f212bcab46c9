// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/training/step.hpp"

namespace scaling {

/// The exposed time of transfers beside a pass.
template <class R>
struct Exposed {
  Quantity<kSecond, R> tensor, context, expert, data;

  Quantity<kSecond, R> total() const { return tensor + context + expert + data; }
};

/// Times of a step whose pace one stage sets.
template <class R>
struct Pace {
  const StageCost<R>* cost;
  Work<R> again;
  Timed<R> tensor, context, expert, data;  ///< of both passes of all micro-batches
  Timed<R> forward_data, back_data;        ///< of one
  Timed<R> tensor_back, context_back, expert_back;
  Timed<R> pipeline, once, optimizer, host;
  Timed<R> host_pass;  ///< activations of a micro-batch on their way to the host, or back
  Quantity<kSecond, R> host_waits;  ///< what that adds to all passes
  Exposed<R> forward, back;
  Quantity<kSecond, R> micro_forward, micro_backward, bubble;
  Quantity<kSecond, R> weights;  ///< the part of micro_backward for their gradients
  Quantity<kSecond, R> exposed_pipeline, exposed_once, exposed_host;
  Quantity<kSecond, R> launches_forward, launches_back;  ///< of the host, for each micro-batch
  Quantity<kSecond, R> overhead;                         ///< of each step, whatever it computes
  Quantity<kSecond, R> waits;                            ///< for launches, in all
  Quantity<kSecond, R> expected;
};

/// Sets the times of a step whose pace the stage of `cost` sets, which keeps `kept`.
/// Whether host and chips wait for each other at many places: see wait_for.
template <class R>
bool waits_often(const StepInput<R>& in, const Stage<R>& stage) {
  return stage.sparse.value() > 0 || in.stack.unfused;
}

template <class R>
void set_pace(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base,
              const StageCost<R>& cost, const KeptStages<R>& kept);

/// The bubble of the layout's chunks: the longest of a stage sets the pace [s].
template <class R>
Quantity<kSecond, R> waiting_time(const StepInput<R>& in, Count<R> micro_batches,
                                  const PassTimes<R>& times);

/// Time beside a step that takes `seconds`: it grows with the chips that wait for one another [s].
template <class R>
Quantity<kSecond, R> overhead_of(const StepInput<R>& in, Quantity<kSecond, R> seconds);

}  // namespace scaling
