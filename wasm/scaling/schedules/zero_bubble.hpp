// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "scaling/schedules/one_f_one_b.hpp"

namespace scaling {

// Zero-bubble schedules split the backward pass B into I, the gradients of inputs, and W, those of
// weights, which may wait. A single micro-batch has p F and p I to go before the first stage is
// done, so that the wait is (p-1)(F+I). Each further one fills min(F, W) of it, until the schedule
// holds no more. Source: zero-bubble paper, table 1, ZB-H1 and ZB-H2, and README.

/// Adds 1F1B's order to a stage, with gradients of weights `behind` micro-batches behind those of
/// inputs.
inline void put_off_weights(PipelineOrder& order, double warm_up, double behind) {
  const double m = order.micro_batches();
  double forward = 0;
  double weights = 0;
  while (forward < std::min(warm_up, m)) order.add(PassKind::kForward, 0, forward++);
  repeat(m, [&](double backward) {
    order.add(PassKind::kBackward, 0, backward);
    if (backward + 1 - weights > behind) order.add(PassKind::kWeights, 0, weights++);
    if (forward < m) order.add(PassKind::kForward, 0, forward++);
  });
  while (weights < m) order.add(PassKind::kWeights, 0, weights++);
}

/// With the memory of 1F1B: it holds p, which leaves (p-1)(F+B-2W).
struct Zb1p {
  static constexpr PipelineScheduleRow kRow{
      .name = "zb1p", .course = PipelineCourse::kLoop, .splits_backward = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return not_negative(in.alone - in.further(in.stages) * in.filled);
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return OneFOneB::held(in);
  }

  static void order(PipelineOrder& order) {
    order.of_each_stage([&](double i) { put_off_weights(order, order.stages() - i, i); });
  }
};

/// With twice that memory: it holds 2p-1, which leaves (p-1)(F+B-3W).
struct Zb2p {
  static constexpr PipelineScheduleRow kRow{
      .name = "zb2p", .course = PipelineCourse::kLoop, .splits_backward = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return not_negative(in.alone - in.further(2.0 * in.stages - one<R>()) * in.filled);
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.at_most(2.0 * in.stages);
  }

  static void order(PipelineOrder& order) {
    order.of_each_stage(
        [&](double i) { put_off_weights(order, 2 * (order.stages() - i) - 1, 2 * i); });
  }
};

}  // namespace scaling
