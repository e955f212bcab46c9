// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/schedules/one_f_one_b.hpp"

namespace scaling {

/// All forward, then all backward: it waits as long as 1F1B and holds all micro-batches.
/// Source: Megatron-LM (SC21) 2.2.
struct Gpipe {
  static constexpr PipelineScheduleRow kRow{
      .name = "gpipe", .course = PipelineCourse::kLoop, .forward_first = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return OneFOneB::bubble(in);
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.micro_batches;
  }

  static void order(PipelineOrder& order) {
    order.of_each_stage([&](double) { OneFOneB::take_turns(order, order.micro_batches()); });
  }
};

}  // namespace scaling
