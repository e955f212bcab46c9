// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/schedules/odd_round.hpp"
#include "scaling/schedules/one_f_one_b.hpp"

namespace scaling {

/// 1F1B with v chunks of layers a stage: it waits 1/v of 1F1B's time. A round in which k
/// micro-batches are missing to a multiple of p leaves its gaps free: (v-1)k backward passes of
/// chunks more, and as many forward ones where there is no round before it that fills them. Where
/// there is, some are late if there are three chunks or more: see `late_passes`.
/// Source: Megatron-LM (SC21) 2.2; Calculon for the remainder; Korthikanti et al. 4.2.3 and
/// appendix C for what is held, a fraction, as chunks count.
struct Interleaved {
  static constexpr PipelineScheduleRow kRow{
      .name = "interleaved", .course = PipelineCourse::kLoop, .asks_chunks = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    const auto& p = in.stages;
    const auto& v = in.chunks;
    if (v.value() <= 1) return OneFOneB::bubble(in);
    const auto& times = in.times;
    const auto both = times.forward + times.backward;
    const auto missing = ceil(in.micro_batches / p) * p - in.micro_batches;
    if (missing.value() <= 0) return in.others * (both / v);
    const auto waiting = in.others + missing * (v - one<R>());
    if (in.micro_batches < p) return waiting * (both / v);
    const double late = late_passes(p.value(), v.value(), missing.value());
    const auto forward = late > 0 ? in.others + Count<R>(R(late)) : in.others;
    return (forward * times.forward + waiting * times.backward) / v;
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    const auto& p = in.stages;
    const auto& v = in.chunks;
    if (v.value() <= 1) return OneFOneB::held(in);
    return in.at_most(p + (p - one<R>() - 2.0 * in.stage) / v);
  }

  static void order(PipelineOrder& order) {
    const double p = order.stages();
    const double v = order.chunks();
    order.of_each_stage([&](double i) {
      OneFOneB::take_turns(order, v > 1 ? 2 * (p - i - 1) + (v - 1) * p + 1 : p - i);
    });
  }
};

}  // namespace scaling
