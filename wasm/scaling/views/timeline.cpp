// SPDX-License-Identifier: MIT
#include "scaling/views/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace scaling {
namespace {

/// Bars beyond which a picture says no more.
constexpr double kMostBars = 6000;

/// The resources of a chip, each a lane.
enum Lane { kComputing, kTensor, kContext, kExpert, kData, kHost, kLanes };

struct PassTransfer {
  Lane lane;
  TimelineKind kind;
  double time, exposed;  // a pass of one micro-batch
};

/// Computing, with each transfer beside it: what hides ends with it, what does not follows, and
/// what waiting for kernels to be launched adds.
double draw_pass(Timeline& timeline, double start, double computing, TimelineKind kind,
                 double micro_batch, const std::array<PassTransfer, 4>& transfers,
                 double launches) {
  timeline.add(kComputing, kind, start, start + computing, micro_batch);
  double end = start + computing;
  for (const PassTransfer& transfer : transfers) {
    end += transfer.exposed;
    timeline.add(transfer.lane, transfer.kind, std::max(start, end - transfer.time), end,
                 micro_batch);
  }
  timeline.add(kComputing, TimelineKind::kLaunch, end, end + launches, micro_batch);
  return end + launches;
}

void draw_resources(const Step<double>& step, Timeline& timeline) {
  const double m = step.micro_batches.value();
  timeline.lanes = kLanes;
  timeline.drawn = std::min(m, 4.0);
  // A third of transfers and of what shows of them is forward, as of the work; the split of each
  // pass is not kept, the sum of both is.
  const double forward_work = step.forward.value() / m;
  const double back_work = (step.backward + step.recompute).value() / m;
  const double launches = step.launches.value() / m;
  const double forward_share = (step.micro_forward.value() - forward_work - launches / 3) /
                               std::max(1e-300, (step.micro_forward + step.micro_backward).value() -
                                                    forward_work - back_work - launches);
  const auto of_pass = [&](double share) -> std::array<PassTransfer, 4> {
    const auto each = [&](Lane lane, TimelineKind kind, Quantity<kSecond, double> time,
                          Quantity<kSecond, double> exposed) -> PassTransfer {
      return {lane, kind, time.value() / m * share, exposed.value() / m * share};
    };
    return {each(kContext, TimelineKind::kContext, step.context, step.exposed_context),
            each(kExpert, TimelineKind::kExpert, step.expert, step.exposed_expert),
            each(kData, TimelineKind::kData, step.data - step.once,
                 step.exposed_data - step.exposed_once),
            each(kTensor, TimelineKind::kTensor, step.tensor, step.exposed_tensor)};
  };
  const double share = std::clamp(forward_share, 0.0, 1.0);
  double at = step.bubble.value() / 2;
  timeline.add(kComputing, TimelineKind::kBubble, 0, at);
  for (std::size_t n = 0; n < static_cast<std::size_t>(timeline.drawn); ++n) {
    const auto i = static_cast<double>(n);
    at = draw_pass(timeline, at, forward_work, TimelineKind::kForward, i, of_pass(share),
                   launches / 3);
    at = draw_pass(timeline, at, back_work, TimelineKind::kBackward, i, of_pass(1 - share),
                   2 * launches / 3);
  }
  const double drained = at + step.bubble.value() / 2;
  timeline.add(kComputing, TimelineKind::kBubble, at, drained);
  // Gradients are reduced behind the last backward pass, as far as they may be.
  const double rest = drained + step.exposed_once.value();
  timeline.add(kData, TimelineKind::kData, std::max(0.0, rest - step.once.value()), rest);
  const double updated = rest + step.optimizer.value();
  timeline.add(kComputing, TimelineKind::kOptimizer, rest, updated);
  timeline.add(kComputing, TimelineKind::kOverhead, updated, updated + step.overhead.value());
  timeline.add(kHost, TimelineKind::kHost, std::max(0.0, rest - step.host.value()), rest);
}

constexpr std::size_t kMostStages = 64;

/// Calls `body` with 0, 1, ... below `count`.
template <class Body>
void repeat(double count, const Body& body) {
  const auto times = static_cast<std::int64_t>(std::ceil(count));
  for (std::int64_t i = 0; i < times; ++i) body(static_cast<double>(i));
}

/// The order in which each stage takes its passes: all that are drawn, stage by stage.
class PipelineOrder {
 public:
  /// The order of `micro_batches`, of which `each` come to each of the `chunks` (of DualPipe, to
  /// each end).
  PipelineOrder(Timeline& timeline, double stages, double chunks, double micro_batches, double each)
      : room_(timeline.passes),
        ended_(timeline.left),
        p_(stages),
        v_(chunks),
        m_(micro_batches),
        each_(each) {}

  void fill(PipelineSchedule schedule) {
    if (schedule == PipelineSchedule::kVHalf || schedule == PipelineSchedule::kVMin) {
      repeat_block(schedule == PipelineSchedule::kVHalf);
      return;
    }
    repeat(p_, [&](double i) {
      ends_[static_cast<std::size_t>(i)] = size_;
      switch (schedule) {
        case PipelineSchedule::kZb1p:
          put_off_weights(p_ - i, i);
          break;
        case PipelineSchedule::kZb2p:
          put_off_weights(2 * (p_ - i) - 1, 2 * i);
          break;
        case PipelineSchedule::kZbv:
          fold(i);
          break;
        case PipelineSchedule::kDualPipe:
          feed_both_ends(i);
          break;
        case PipelineSchedule::kGpipe:
          take_turns(m_);
          break;
        case PipelineSchedule::kOneFOneB:
        case PipelineSchedule::kInterleaved:
          take_turns(v_ > 1 ? 2 * (p_ - i - 1) + (v_ - 1) * p_ + 1 : p_ - i);
          break;
        case PipelineSchedule::kVHalf:
        case PipelineSchedule::kVMin:
          break;  // of blocks that all stages share
      }
    });
    ends_[static_cast<std::size_t>(p_)] = size_;
  }

  std::span<const PipelinePass> of(std::size_t stage) const {
    return room_.subspan(ends_[stage], ends_[stage + 1] - ends_[stage]);
  }

 private:
  using Kind = TimelineKind;

  /// Micro-batches that are not there are left out: orders are made for whole rounds.
  void add(Kind kind, double chunk, double micro_batch) {
    const bool there = micro_batch < (chunk == 0             ? each_
                                      : v_ > 1 && both_ends_ ? m_ - each_
                                                             : each_);
    if (!there || size_ == room_.size()) return;
    room_[size_++] = {kind, false, static_cast<std::uint16_t>(chunk),
                      static_cast<std::uint16_t>(micro_batch)};
  }

  /// Passes that are worked on as one: what was added from `first` on.
  void join(std::size_t first) {
    for (std::size_t i = first; i + 1 < size_; ++i) room_[i].joined = true;
  }

  /// Draws `warm_up` forward passes, then one backward and one forward in turns. Chunks come in
  /// rounds of p micro-batches. Source: Megatron-LM (SC21) 2.2.
  void take_turns(double warm_up) {
    const double whole = v_ > 1 ? std::ceil(m_ / p_) * p_ : m_;
    const double total = whole * v_;
    const auto turn = [&](Kind kind, double k) {
      const double round = std::floor(k / (p_ * v_));
      const double chunk = v_ > 1 ? std::floor((k - round * p_ * v_) / p_) : 0;
      const double micro_batch = v_ > 1 ? round * p_ + (k - std::floor(k / p_) * p_) : k;
      add(kind, kind == Kind::kForward ? chunk : v_ - 1 - chunk, micro_batch);
    };
    double forward = 0;
    while (forward < std::min(warm_up, total)) turn(Kind::kForward, forward++);
    repeat(total, [&](double backward) {
      turn(Kind::kBackward, backward);
      if (forward < total) turn(Kind::kForward, forward++);
    });
  }

  /// The same order, with gradients of weights `behind` micro-batches behind those of inputs.
  /// Source: zero-bubble paper, ZB-H1 and ZB-H2.
  void put_off_weights(double warm_up, double behind) {
    double forward = 0;
    double weights = 0;
    while (forward < std::min(warm_up, m_)) add(Kind::kForward, 0, forward++);
    repeat(m_, [&](double backward) {
      add(Kind::kBackward, 0, backward);
      if (backward + 1 - weights > behind) add(Kind::kWeights, 0, weights++);
      if (forward < m_) add(Kind::kForward, 0, forward++);
    });
    while (weights < m_) add(Kind::kWeights, 0, weights++);
  }

  /// Two chunks a stage, the second on the way back. Source: zero-bubble paper, ZB-V, as PyTorch
  /// has it.
  void fold(double i) {
    const double whole = std::max(m_, 2 * p_ - 1);
    std::array<double, 2> forward{}, backward{}, weights{};
    const auto go = [&](std::size_t chunk) {
      add(Kind::kForward, static_cast<double>(chunk), forward[chunk]++);
    };
    const auto back = [&](std::size_t chunk) {
      add(Kind::kBackward, static_cast<double>(chunk), backward[chunk]++);
    };
    const auto weigh = [&](std::size_t chunk) {
      add(Kind::kWeights, static_cast<double>(chunk), weights[chunk]++);
    };
    repeat(2 * (p_ - i) - 1, [&](double) { go(0); });
    repeat(i, [&](double) {
      go(1);
      go(0);
    });
    repeat(p_ - i, [&](double) {
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
    repeat(p_ - i, [&](double) {
      back(0);
      weigh(0);
    });
    while (weights[1] < backward[1]) weigh(1);
    while (weights[0] < backward[0]) weigh(0);
  }

  /// The passes of a block, in the order in which a micro-batch takes them: forward through chunk 0
  /// and 1, gradients of inputs of chunk 1 and 0; then gradients of weights of chunk 1 and 0.
  static constexpr std::size_t kBlock = 6;
  static constexpr std::size_t kWays = 4;  // kinds of passes that others wait for

  /// A stage's place in a block.
  struct BlockStage {
    std::array<std::size_t, kWays> slot;   // in which a way's first pass is
    std::array<std::size_t, kBlock> next;  // micro-batch
    std::size_t at;                        // slot
    std::size_t end;                       // end of its passes so far
  };

  /// The end of a pass of a block; never, if it has not ended yet.
  double& ended(std::size_t pass, std::size_t stage, std::size_t micro_batch) {
    const auto p = static_cast<std::size_t>(p_);
    return ended_[(pass * p + stage) * static_cast<std::size_t>(m_) + micro_batch];
  }

  /// Whether what a pass takes has come at `now`.
  bool has_come(std::size_t pass, std::size_t stage, std::size_t micro_batch, double now) {
    const bool down = pass == 0 || pass == 2;
    const std::size_t last = static_cast<std::size_t>(p_) - 1;
    if (stage != (down ? 0 : last)) {
      return ended(pass, down ? stage - 1 : stage + 1, micro_batch) <= now;
    }
    return pass == 0 || ended(pass - 1, stage, micro_batch) <= now;
  }

  /// Gradients of weights that wait longest; kBlock, if there are none.
  std::size_t oldest_weights(const BlockStage& block, std::size_t stage) {
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
  std::size_t of_block(BlockStage& block, std::size_t stage, double now) {
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
  std::size_t of_drain(const BlockStage& block, std::size_t stage, double now) {
    std::size_t found = kBlock;
    std::size_t first = 0;
    for (std::size_t pass = 1; pass < kWays; ++pass) {
      const std::size_t micro_batch = block.next[pass];
      if (micro_batch >= static_cast<std::size_t>(m_)) continue;
      if (!has_come(pass, stage, micro_batch, now)) continue;
      const std::size_t slot = block.slot[pass] + kBlock * micro_batch;
      if (found == kBlock || slot < first) {
        found = pass;
        first = slot;
      }
    }
    return found == kBlock ? oldest_weights(block, stage) : found;
  }

  /// The slots of a stage's first passes. Source: Pipeline Parallelism with Controllable Memory.
  static std::array<std::size_t, kWays> block_slots(std::size_t p, std::size_t i, bool half) {
    if (half) {
      const std::size_t gap = p % 2 == 0 ? 3 : 0;
      return {2 * i, 3 * p - i - 2, 3 * p + gap + 2 * i - 1, 6 * p + gap - i - 2};
    }
    const std::size_t gap = p % 3 == 0 ? 2 : 0;
    return {i, 2 * p - i - 1, 2 * p + gap + i, 4 * p + gap - i - 1};
  }

  /// A block of six slots, one for each pass of two chunks, is repeated for each micro-batch: of
  /// V-Half or V-Min. Orders are what comes of it where all passes take one slot and start as soon
  /// as they can.
  void repeat_block(bool half) {
    const auto p = static_cast<std::size_t>(p_);
    const auto m = static_cast<std::size_t>(m_);
    std::array<BlockStage, kMostStages> blocks{};
    for (std::size_t i = 0; i < p; ++i) {
      ends_[i] = i * kBlock * m;
      blocks[i] = {block_slots(p, i, half), {}, 0, ends_[i]};
    }
    size_ = ends_[p] = p * kBlock * m;
    std::fill_n(ended_.begin(), kBlock * p * m, 1e300);
    std::size_t left = size_;
    for (double now = 0; left > 0; ++now) {
      for (std::size_t i = 0; i < p; ++i) {
        BlockStage& block = blocks[i];
        if (block.end == ends_[i + 1]) continue;
        const bool drains = block.next[0] == m;
        const std::size_t pass = drains ? of_drain(block, i, now) : of_block(block, i, now);
        if (pass == kBlock) continue;
        const std::size_t micro_batch = block.next[pass]++;
        ended(pass, i, micro_batch) = now + 1;
        const Kind kinds[] = {Kind::kForward, Kind::kBackward, Kind::kWeights};
        const bool second = pass == 1 || pass == 2 || pass == 4;
        room_[block.end++] = {kinds[pass / 2], false, static_cast<std::uint16_t>(second ? 1 : 0),
                              static_cast<std::uint16_t>(micro_batch)};
        --left;
      }
    }
  }

  /// Micro-batches come in at both ends; where those of one end go forward and of the other
  /// backward, both are worked on as one. The order is one of 2p or more. Source: DualPipe.
  void feed_both_ends(double i) {
    both_ends_ = true;
    const double near = std::min(i, p_ - 1 - i);  // from the nearer end
    const double half = p_ / 2;
    const std::size_t other_half = i < half ? 0 : 1;
    std::array<double, 2> forward{}, backward{};
    // Gradients of weights that wait, first come, first served.
    std::array<std::pair<std::size_t, double>, kMostStages> waiting;
    std::size_t first_waiting = 0, last_waiting = 0;
    // Direction 0 is that from the nearer end.
    const auto go = [&](std::size_t direction) {
      const std::size_t end = direction ^ other_half;
      add(Kind::kForward, static_cast<double>(end), forward[end]++);
    };
    const auto back = [&](std::size_t direction, bool put_off) {
      const std::size_t end = direction ^ other_half;
      const double micro_batch = backward[end]++;
      const std::size_t first = size_;
      add(Kind::kBackward, static_cast<double>(end), micro_batch);
      if (put_off) {
        waiting[last_waiting++ % kMostStages] = {end, micro_batch};
      } else {
        add(Kind::kWeights, static_cast<double>(end), micro_batch);
        join(first);
      }
    };
    const auto weigh = [&] {
      const auto& [end, micro_batch] = waiting[first_waiting++ % kMostStages];
      add(Kind::kWeights, static_cast<double>(end), micro_batch);
    };
    const auto both = [&](std::size_t there, std::size_t back_again) {
      const std::size_t first = size_;
      go(there);
      back(back_again, false);
      join(first);
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
    repeat(std::max(each_, p_) - p_ + near + 1, [&](double k) {
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

  std::span<PipelinePass> room_;
  std::span<double> ended_;  // room to find blocks' orders in
  double p_, v_, m_, each_;
  bool both_ends_ = false;
  std::array<std::size_t, kMostStages + 1> ends_{};
  std::size_t size_ = 0;
};

/// Works through all stages' orders: a pass starts when its stage is free and what it takes has
/// come. Where no stage can go on, the picture ends.
class PipelineWork {
 public:
  PipelineWork(Timeline& timeline, const PipelineOrder& order, PipelineCourse course, double stages,
               double chunks, double each)
      : timeline_(timeline),
        order_(order),
        course_(course),
        p_(static_cast<std::size_t>(stages)),
        chunks_(static_cast<std::size_t>(chunks)),
        each_(static_cast<std::size_t>(each)) {
    timeline.left.fill(kNotYet);
  }

  /// Draws passes that take `seconds` each, in the order of TimelineKind.
  void draw(const std::array<double, 3>& seconds) {
    std::array<std::size_t, kMostStages> next{};
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i < p_; ++i) {
        while (next[i] < order_.of(i).size() && draw_next(i, next[i], seconds)) moved = true;
      }
    }
  }

 private:
  static constexpr double kNotYet = -1;

  double& left(TimelineKind kind, std::size_t stage, std::size_t chunk, std::size_t micro_batch) {
    const std::size_t backward = kind == TimelineKind::kBackward ? 1 : 0;
    return timeline_.left[((backward * p_ + stage) * chunks_ + chunk) * each_ + micro_batch];
  }

  /// The time at which a pass's input arrives: 0, if it takes nothing from another pass.
  double arrival(std::size_t stage, const PipelinePass& pass) {
    const auto from = [&](TimelineKind kind, std::size_t other, std::size_t chunk) {
      return left(kind, other, chunk, pass.micro_batch);
    };
    constexpr auto kForward = TimelineKind::kForward;
    constexpr auto kBackward = TimelineKind::kBackward;
    const std::size_t last = p_ - 1;
    const std::size_t chunk = pass.chunk;
    // The second chunk of a fold and what comes in at the far end go down the stages.
    const bool down = course_ != PipelineCourse::kLoop && chunk == 1;
    const std::size_t start = down ? last : 0;
    const std::size_t goal = last - start;
    const std::size_t before = down ? stage + 1 : stage - 1;
    const std::size_t after = down ? stage - 1 : stage + 1;
    if (pass.kind == kForward) {
      if (stage != start) return from(kForward, before, chunk);
      if (chunk == 0 || course_ == PipelineCourse::kBothEnds) return 0;
      return from(kForward, last, chunk - 1);
    }
    if (pass.kind != kBackward) return 0;
    if (stage != goal) return from(kBackward, after, chunk);
    if (chunk + 1 == chunks_ || course_ == PipelineCourse::kBothEnds)
      return from(kForward, stage, chunk);
    return from(kBackward, course_ == PipelineCourse::kFold ? last : 0, chunk + 1);
  }

  /// Draws the next pass of a stage, and those that are worked on with it, if they can be.
  bool draw_next(std::size_t stage, std::size_t& next, const std::array<double, 3>& seconds) {
    const auto passes = order_.of(stage);
    std::size_t end = next;
    double start = free_[stage];
    for (bool more = true; more; ++end) {
      const double come = arrival(stage, passes[end]);
      if (come == kNotYet) return false;
      start = std::max(start, come);
      more = passes[end].joined;
    }
    double at = start;
    for (std::size_t i = next; i < end; ++i) {
      const double time = seconds[static_cast<std::size_t>(passes[i].kind)];
      const std::size_t micro_batch =
          passes[i].micro_batch +
          (course_ == PipelineCourse::kBothEnds ? passes[i].chunk * each_ : 0);
      timeline_.add(static_cast<double>(stage), passes[i].kind, at, at + time,
                    static_cast<double>(micro_batch));
      at += time;
    }
    for (; next < end; ++next) {
      const PipelinePass& pass = passes[next];
      if (pass.kind != TimelineKind::kWeights) {
        left(pass.kind, stage, pass.chunk, pass.micro_batch) = at;
      }
    }
    free_[stage] = at;
    return true;
  }

  Timeline& timeline_;
  const PipelineOrder& order_;
  PipelineCourse course_;
  std::size_t p_, chunks_, each_;
  std::array<double, kMostStages> free_{};
};

/// Micro-batches of `m` that can be drawn stage by stage.
double drawable(const Degrees<double>& layout, double m) {
  const double p = layout.pipeline.value();
  if (p <= 1 || p > static_cast<double>(kMostStages)) return 0;
  const PipelineScheduleRow& schedule = row_of(layout.schedule);
  const double bars = (schedule.splits_backward ? 3 : 2) * p * stage_crossings(layout).value();
  double drawn = std::min(m, std::floor(kMostBars / bars));
  // Chunks that go around come in rounds of p micro-batches.
  if (drawn < m && schedule.asks_chunks && layout.virtual_stages.value() > 1) {
    drawn = std::floor(drawn / p) * p;
  }
  return drawn;
}

}  // namespace

bool draw_pipeline(const Degrees<double>& layout, double micro_batches,
                   const PassTimes<double>& times, Timeline& timeline) {
  const double drawn = drawable(layout, micro_batches);
  timeline.by_stage = drawn >= 1;
  if (!timeline.by_stage) return false;
  const double p = layout.pipeline.value();
  timeline.size = 0;
  timeline.end = 0;
  timeline.lanes = p;
  timeline.drawn = drawn;
  timeline.micro_batches = micro_batches;
  const PipelineScheduleRow& schedule = row_of(layout.schedule);
  const bool both_ends = schedule.course == PipelineCourse::kBothEnds;
  const double chunks = chunks_of_stage(layout).value();
  const double each = both_ends ? std::ceil(drawn / 2) : drawn;
  PipelineOrder order(timeline, p, chunks, drawn, each);
  order.fill(schedule.kind);
  const double parts = stage_crossings(layout).value();
  const double backward = times.backward.value();
  const double weights = schedule.splits_backward ? std::min(times.weights.value(), backward) : 0;
  PipelineWork(timeline, order, schedule.course, p, chunks, each)
      .draw({times.forward.value() / parts, (backward - weights) / parts, weights / parts});
  return true;
}

void make_timeline(const SearchInput<double>& in, Timeline& timeline) {
  const LayoutChoice choice = choose_for_layout(in);
  const Step<double> step = cost_step<double>(in, choice);
  const auto& layout = in.layout;
  timeline.size = 0;
  timeline.end = 0;
  timeline.micro_batches = step.micro_batches.value();
  const PassTimes<double> times{step.micro_forward, step.micro_backward, step.weights};
  if (!draw_pipeline(layout, timeline.micro_batches, times, timeline)) {
    draw_resources(step, timeline);
    return;
  }
  // The exposed transfers between stages and of states, and the update. Zero-bubble schedules add
  // them to each stage when it is done (see bubble_time).
  const std::pair<TimelineKind, double> rest[] = {
      {TimelineKind::kPipeline, step.exposed_pipeline.value()},
      {TimelineKind::kData, step.exposed_once.value()},
      {TimelineKind::kHost, step.exposed_host.value()},
      {TimelineKind::kOptimizer, step.optimizer.value()},
      {TimelineKind::kOverhead, step.overhead.value()}};
  std::array<double, kMostStages> done{};
  for (const TimelineEvent& event : std::span(timeline.events).first(timeline.size)) {
    double& lane = done[static_cast<std::size_t>(event.lane)];
    lane = std::max(lane, event.end);
  }
  const double all_done = timeline.end;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(timeline.lanes); ++lane) {
    double start = row_of(layout.schedule).splits_backward ? done[lane] : all_done;
    for (const auto& [kind, time] : rest) {
      timeline.add(static_cast<double>(lane), kind, start, start + time);
      start += time;
    }
  }
}

}  // namespace scaling
