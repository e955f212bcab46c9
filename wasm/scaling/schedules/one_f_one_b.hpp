// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "scaling/schedules/pipeline_order.hpp"

namespace scaling {

/// One forward pass, one backward pass in turns (PipeDream-Flush): it waits (p-1)(F+B).
/// Source: Megatron-LM (SC21) 2.2; Korthikanti et al. 4.2.3 for what is held.
struct OneFOneB {
  static constexpr PipelineScheduleRow kRow{.name = "oneFOneB", .course = PipelineCourse::kLoop};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return in.others * (in.times.forward + in.times.backward);
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.at_most(in.stages - in.stage);
  }

  static void order(PipelineOrder& order) {
    order.of_each_stage([&](double i) { take_turns(order, order.stages() - i); });
  }

  /// Adds `warm_up` forward passes to a stage, then one backward and one forward in turns. Several
  /// chunks come in rounds of p micro-batches.
  static void take_turns(PipelineOrder& order, double warm_up) {
    const double p = order.stages();
    const double v = order.chunks();
    const double m = order.micro_batches();
    const double whole = v > 1 ? std::ceil(m / p) * p : m;
    const double total = whole * v;
    const auto turn = [&](PassKind kind, double k) {
      const double round = std::floor(k / (p * v));
      const double chunk = v > 1 ? std::floor((k - round * p * v) / p) : 0;
      const double micro_batch = v > 1 ? round * p + (k - std::floor(k / p) * p) : k;
      order.add(kind, kind == PassKind::kForward ? chunk : v - 1 - chunk, micro_batch);
    };
    double forward = 0;
    while (forward < std::min(warm_up, total)) turn(PassKind::kForward, forward++);
    repeat(total, [&](double backward) {
      turn(PassKind::kBackward, backward);
      if (forward < total) turn(PassKind::kForward, forward++);
    });
  }
};

}  // namespace scaling
