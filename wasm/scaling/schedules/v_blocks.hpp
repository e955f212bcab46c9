// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "scaling/schedules/pipeline_order.hpp"

namespace scaling {

// V-Half and V-Min repeat a building block of six slots, for F, I and W of two chunks, the second
// on the way back. A single micro-batch waits (p-1)(F+I)-W/2. The rates that are published hold
// only where F = I = W, and are rounded up by at most F: a half and two thirds of the time that
// 1F1B waits, of which ZB1P waits a third. All three are shares of 1F1B's time. Micro-batches are
// held until gradients of weights are computed. Source: Pipeline Parallelism with Controllable
// Memory (arXiv 2405.15362), and its blocks' offsets in the zero-bubble repository.

/// The wait of a V's first stage for a single micro-batch. The other chunk's gradients of
/// weights fill what they take.
template <class R>
Quantity<kSecond, R> folded_alone(Count<R> stages, const Passes<R>& t) {
  return (stages - one<R>()) * (t.forward + t.inputs) - t.weights / 2.0;
}

/// The orders of all stages: what comes of a block that is repeated for each micro-batch, where all
/// passes take one slot and start as soon as they can.
class BlockOrder {
 public:
  /// The passes of a block, in the order in which a micro-batch takes them: forward through chunk 0
  /// and 1, gradients of inputs of chunk 1 and 0; then gradients of weights of chunk 1 and 0.
  static constexpr std::size_t kBlock = 6;
  static constexpr std::size_t kWays = 4;  // kinds of passes that others wait for

  /// The slots of a stage's first passes.
  using Slots = std::array<std::size_t, kWays>;

  /// Fills `order` with the blocks whose `slots` are given by the number of stages and the stage.
  static void fill(PipelineOrder& order, Slots (*slots)(std::size_t stages, std::size_t stage)) {
    BlockOrder(order).repeat_block(slots);
  }

 private:
  static constexpr std::size_t kMostStages = PipelineOrder::kMostStages;

  explicit BlockOrder(PipelineOrder& order)
      : order_(order),
        ended_(order.spare()),
        p_(static_cast<std::size_t>(order.stages())),
        m_(static_cast<std::size_t>(order.micro_batches())) {}

  /// A stage's place in a block.
  struct Place {
    Slots slot;                            // in which a way's first pass is
    std::array<std::size_t, kBlock> next;  // micro-batch
    std::size_t at;                        // slot
    std::size_t end;                       // end of its passes so far
  };

  /// The end of a pass of a block; never, if it has not ended yet.
  double& ended(std::size_t pass, std::size_t stage, std::size_t micro_batch) {
    return ended_[(pass * p_ + stage) * m_ + micro_batch];
  }

  /// Whether what a pass takes has come at `now`.
  bool has_come(std::size_t pass, std::size_t stage, std::size_t micro_batch, double now) {
    const bool down = pass == 0 || pass == 2;
    const std::size_t last = p_ - 1;
    if (stage != (down ? 0 : last)) {
      return ended(pass, down ? stage - 1 : stage + 1, micro_batch) <= now;
    }
    return pass == 0 || ended(pass - 1, stage, micro_batch) <= now;
  }

  /// Gradients of weights that wait longest; kBlock, if there are none.
  std::size_t oldest_weights(const Place& block, std::size_t stage) {
    std::size_t found = kBlock;
    double since = 0;
    for (std::size_t pass = kWays; pass < kBlock; ++pass) {
      const std::size_t inputs = pass - 2;
      if (block.next[pass] >= block.next[inputs]) continue;
      const double end = ended(inputs, stage, block.next[pass]);
      if (found == kBlock || end < since) {
        found = pass;
        since = end;
      }
    }
    return found;
  }

  /// The next task of a stage in the block; gradients of weights fill the slots that it leaves
  /// free. kBlock, if that has not come.
  std::size_t of_block(Place& block, std::size_t stage, double now) {
    for (;; ++block.at) {
      for (std::size_t pass = 0; pass < kWays; ++pass) {
        if (block.slot[pass] + kBlock * block.next[pass] != block.at) continue;
        if (!has_come(pass, stage, block.next[pass], now)) return kBlock;
        ++block.at;
        return pass;
      }
      const std::size_t weights = oldest_weights(block, stage);
      if (weights == kBlock) continue;
      ++block.at;
      return weights;
    }
  }

  /// The next pass after a stage's last forward pass of chunk 0: the one that has arrived first in
  /// the block's order, or gradients of weights if none has.
  std::size_t of_drain(const Place& block, std::size_t stage, double now) {
    std::size_t found = kBlock;
    std::size_t first = 0;
    for (std::size_t pass = 1; pass < kWays; ++pass) {
      const std::size_t micro_batch = block.next[pass];
      if (micro_batch >= m_) continue;
      if (!has_come(pass, stage, micro_batch, now)) continue;
      const std::size_t slot = block.slot[pass] + kBlock * micro_batch;
      if (found == kBlock || slot < first) {
        found = pass;
        first = slot;
      }
    }
    return found == kBlock ? oldest_weights(block, stage) : found;
  }

  void repeat_block(Slots (*slots)(std::size_t, std::size_t)) {
    order_.divide(kBlock * m_);
    std::array<Place, kMostStages> blocks{};
    for (std::size_t i = 0; i < p_; ++i) blocks[i] = {slots(p_, i), {}, 0, order_.begin_of(i)};
    std::size_t left = order_.size();
    std::fill_n(ended_.begin(), left, 1e300);
    for (double now = 0; left > 0; ++now) {
      for (std::size_t i = 0; i < p_; ++i) {
        Place& block = blocks[i];
        if (block.end == order_.begin_of(i + 1)) continue;
        const bool drains = block.next[0] == m_;
        const std::size_t pass = drains ? of_drain(block, i, now) : of_block(block, i, now);
        if (pass == kBlock) continue;
        const std::size_t micro_batch = block.next[pass]++;
        ended(pass, i, micro_batch) = now + 1;
        const PassKind kinds[] = {PassKind::kForward, PassKind::kBackward, PassKind::kWeights};
        const bool second = pass == 1 || pass == 2 || pass == 4;
        order_.put(block.end++, {kinds[pass / 2], false, static_cast<std::uint16_t>(second ? 1 : 0),
                                 static_cast<std::uint16_t>(micro_batch)});
        --left;
      }
    }
  }

  PipelineOrder& order_;
  std::span<double> ended_;
  std::size_t p_, m_;
};

/// Half the memory of 1F1B. Each micro-batch fills F + W - I of the first one's bubble, until there
/// are half as many as stages; from then on it adds what gradients of inputs take longer than the
/// other passes, I - F - W/2.
struct VHalf {
  static constexpr PipelineScheduleRow kRow{
      .name = "vHalf", .course = PipelineCourse::kFold, .splits_backward = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return not_negative(wait(in.stages, in.micro_batches, in.passes));
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.at_most(floor(in.stages / 2.0) + one<R>());
  }

  static void order(PipelineOrder& order) {
    BlockOrder::fill(order, [](std::size_t p, std::size_t i) -> BlockOrder::Slots {
      const std::size_t gap = p % 2 == 0 ? 3 : 0;
      return {2 * i, 3 * p - i - 2, 3 * p + gap + 2 * i - 1, 6 * p + gap - i - 2};
    });
  }

 private:
  template <class R>
  static Quantity<kSecond, R> wait(Count<R> stages, Count<R> micro_batches, const Passes<R>& t) {
    const auto& [f, i, w] = t;
    const auto none = Quantity<kSecond, R>{};
    const double p = stages.value();
    const double m = micro_batches.value();
    const auto half = ceil(stages / 2.0);
    const auto filling = min(micro_batches, half) - one<R>();
    const auto first = folded_alone(stages, t) + filling * (i - min(f, i) - w);
    if (m <= half.value()) return first;
    const auto longer = i - f - w / 2.0;
    const auto further = micro_batches - half;
    if (half.value() * 2 > p) return first + further * max(longer, none);
    // The block has a gap if the number of stages is even; W fills it.
    const bool two = p == 2;
    if (further.value() == 1 || (two && m == 3)) {
      return first - (two ? w / 2.0 : w) - min(f, i - f) / 2.0;
    }
    const auto ends = max(max(longer - f / 2.0, (i - f - w) / 2.0), none);
    auto more = max((further - (one<R>() + one<R>())) * longer + ends, none);
    if (m <= p) {
      // Passes of the last one are still on their way when gradients of weights are put off.
      const auto turn = (further + one<R>() / 2.0) * f - further * i - w / 2.0;
      more = max(more, max(1.5 * f - i - further * w / 2.0, turn));
    }
    return two ? first + more : first - w + more;
  }
};

/// A third of the memory of 1F1B. Each further micro-batch takes three times the longest pass, as
/// neighbours wait for each other in each slot: it adds 2I - F - W. Where three divides the stages,
/// the block has a gap, which shortens that once.
struct VMin {
  static constexpr PipelineScheduleRow kRow{
      .name = "vMin", .course = PipelineCourse::kFold, .splits_backward = true};

  template <class R>
  static Quantity<kSecond, R> bubble(const Pipeline<R>& in) {
    return not_negative(wait(in.stages, in.micro_batches, in.passes));
  }

  template <class R>
  static Count<R> held(const Held<R>& in) {
    return in.at_most(floor((in.stages + one<R>()) / 3.0) + one<R>());
  }

  static void order(PipelineOrder& order) {
    BlockOrder::fill(order, [](std::size_t p, std::size_t i) -> BlockOrder::Slots {
      const std::size_t gap = p % 3 == 0 ? 2 : 0;
      return {i, 2 * p - i - 1, 2 * p + gap + i, 4 * p + gap - i - 1};
    });
  }

 private:
  template <class R>
  static Quantity<kSecond, R> wait(Count<R> stages, Count<R> micro_batches, const Passes<R>& t) {
    const auto& [f, i, w] = t;
    const auto none = Quantity<kSecond, R>{};
    const auto further = micro_batches - one<R>();
    const auto alone = folded_alone(stages, t);
    if (stages.value() == 2) {
      return alone + further * max(max(2.0 * i - f - w, f + i - 2.0 * w), none) / 2.0;
    }
    const auto all = alone + further * max(3.0 * max(f, i) - t.all(), none);
    const bool gap = std::fmod(stages.value(), 3) == 0;
    if (!gap || micro_batches.value() * 3 <= stages.value()) return all;
    return all - max(min(i - f / 2.0, 2.0 * (i - f)), none);
  }
};

}  // namespace scaling
