// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "scaling/schedules/pipeline_order.hpp"

namespace scaling {

/// Both ends feed, so that parameters are held twice; where micro-batches of one end go forward and
/// of the other backward, both are worked on as one. It waits (p/2-1)(F&B+B-3W), with F&B = F+B,
/// less min(F, (p/2-1)(I-F)), as the first two passes in the middle are not worked on as one; and
/// F+B more where the last of an odd number has none beside it. With fewer than 2p micro-batches,
/// the places of those that are missing stay free.
/// Source: DualPipe README and code (DeepSeek-V3).
struct DualPipe {
  static constexpr PipelineScheduleRow kRow{.name = "dualPipe",
                                            .course = PipelineCourse::kBothEnds,
                                            .even_stages = true,
                                            .splits_backward = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return not_negative(wait(in.stages, in.micro_batches, in.passes));
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.at_most(in.stages + one<R>());
  }

  static void order(PipelineOrder& order) {
    order.of_each_stage([&](double i) { feed_both_ends(order, i); });
  }

 private:
  /// Each end takes a half of the micro-batches; the last one of an odd number has no other beside
  /// it. The order is one of 2p: fewer leave the others' places free.
  template <class R>
  static Quantity<kSecond, R> wait(Count<R> stages, Count<R> micro_batches, const Passes<R>& t) {
    const auto& [f, i, w] = t;
    const auto inner = stages - (one<R>() + one<R>());
    const auto even = 2.0 * ceil(micro_batches / 2.0);
    auto bubble = (stages - even) * f + inner * i + inner / 2.0 * w;
    if (even > stages) {
      // The first two passes in the middle are not worked on as one.
      const auto way = max(inner * f + inner / 2.0 * i, inner / 2.0 * f + inner * i - f);
      bubble = way - (min(even, 2.0 * stages) - stages - stages / 2.0 - one<R>()) * w;
    }
    return even > micro_batches ? bubble + t.all() : bubble;
  }

  /// The order is one of 2p or more.
  static void feed_both_ends(PipelineOrder& order, double i) {
    constexpr std::size_t kMostStages = PipelineOrder::kMostStages;
    const double p = order.stages();
    const double near = std::min(i, p - 1 - i);  // from the nearer end
    const double half = p / 2;
    const std::size_t other_half = i < half ? 0 : 1;
    std::array<double, 2> forward{}, backward{};
    // Gradients of weights that wait, first come, first served.
    std::array<std::pair<std::size_t, double>, kMostStages> waiting;
    std::size_t first_waiting = 0, last_waiting = 0;
    // Direction 0 is that from the nearer end.
    const auto go = [&](std::size_t direction) {
      const std::size_t end = direction ^ other_half;
      order.add(PassKind::kForward, static_cast<double>(end), forward[end]++);
    };
    const auto back = [&](std::size_t direction, bool put_off) {
      const std::size_t end = direction ^ other_half;
      const double micro_batch = backward[end]++;
      const std::size_t first = order.size();
      order.add(PassKind::kBackward, static_cast<double>(end), micro_batch);
      if (put_off) {
        waiting[last_waiting++ % kMostStages] = {end, micro_batch};
      } else {
        order.add(PassKind::kWeights, static_cast<double>(end), micro_batch);
        order.join(first);
      }
    };
    const auto weigh = [&] {
      const auto& [end, micro_batch] = waiting[first_waiting++ % kMostStages];
      order.add(PassKind::kWeights, static_cast<double>(end), micro_batch);
    };
    const auto both = [&](std::size_t there, std::size_t back_again) {
      const std::size_t first = order.size();
      go(there);
      back(back_again, false);
      order.join(first);
    };
    const double rest = half - near - 1;
    repeat(2 * rest, [&](double) { go(0); });
    repeat(near + 1, [&](double) {
      go(0);
      go(1);
    });
    repeat(rest, [&](double) {
      back(1, true);
      weigh();
      go(1);
    });
    repeat(std::max(order.each(), p) - p + near + 1, [&](double k) {
      if (k == 0 && rest == 0) {
        go(0);
        back(1, false);
      } else {
        both(0, 1);
      }
      both(1, 0);
    });
    repeat(rest, [&](double) {
      back(1, false);
      both(1, 0);
    });
    // Gradients of weights of the second half are delayed in the last turns.
    const double turns = near + 1;
    const bool odd = std::fmod(near, 2) == 1;
    repeat(turns, [&](double k) {
      const double middle = std::floor(turns / 2);
      back(1, k > middle || (k == middle && odd));
      back(0, k >= middle);
    });
    repeat(rest, [&](double) {
      weigh();
      back(0, true);
    });
    repeat(turns, [&](double) { weigh(); });
  }
};

}  // namespace scaling
