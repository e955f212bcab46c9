// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "scaling/schedules/pipeline_order.hpp"

namespace scaling {

/// Zero-bubble in a V, two chunks a stage, the second on the way back, with the memory of 1F1B. As
/// with other zero-bubble schedules a single micro-batch waits (p-1)(F+I); the first p-1 of 2p-2
/// further ones fill F of it.
/// Source: zero-bubble paper, ZB-V, its order as PyTorch has it.
struct Zbv {
  static constexpr PipelineScheduleRow kRow{
      .name = "zbv", .course = PipelineCourse::kFold, .splits_backward = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    const auto& inputs = in.passes.inputs;
    const auto ahead = in.further(2.0 * in.stages - one<R>());
    const auto first = min(ahead, in.others);
    return not_negative(in.alone - first * min(in.times.forward, inputs) -
                        (ahead - first) * min(in.filled, inputs));
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.at_most(in.stages);
  }

  static void order(PipelineOrder& order) {
    order.of_each_stage([&](double i) { fold(order, i); });
  }

 private:
  static void fold(PipelineOrder& order, double i) {
    const double p = order.stages();
    const double whole = std::max(order.micro_batches(), 2 * p - 1);
    std::array<double, 2> forward{}, backward{}, weights{};
    const auto go = [&](std::size_t chunk) {
      order.add(PassKind::kForward, static_cast<double>(chunk), forward[chunk]++);
    };
    const auto back = [&](std::size_t chunk) {
      order.add(PassKind::kBackward, static_cast<double>(chunk), backward[chunk]++);
    };
    const auto weigh = [&](std::size_t chunk) {
      order.add(PassKind::kWeights, static_cast<double>(chunk), weights[chunk]++);
    };
    repeat(2 * (p - i) - 1, [&](double) { go(0); });
    repeat(i, [&](double) {
      go(1);
      go(0);
    });
    repeat(p - i, [&](double) {
      go(1);
      back(1);
      weigh(1);
    });
    while (forward[1] < forward[0] || forward[0] < whole) {
      if (forward[0] < whole) go(0);
      back(0);
      weigh(0);
      go(1);
      back(1);
      weigh(1);
    }
    repeat(i, [&](double) {
      back(0);
      back(1);
    });
    repeat(p - i, [&](double) {
      back(0);
      weigh(0);
    });
    while (weights[1] < backward[1]) weigh(1);
    while (weights[0] < backward[0]) weigh(0);
  }
};

}  // namespace scaling
