// SPDX-License-Identifier: MIT
#include "scaling/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace scaling {
namespace {

/// Bars beyond which a picture says no more.
constexpr double kMostBars = 6000;

/// The resources of a chip, each a lane.
enum Lane { kComputing, kTensor, kContext, kExpert, kData, kHost, kLanes };

struct Transfer {
  Lane lane;
  TimelineKind kind;
  double time, exposed;  // of one pass of one micro-batch
};

/// Computing, with each transfer beside it: what hides ends with it, what does not follows.
double draw_pass(Timeline& timeline, double start, double computing, TimelineKind kind,
                 double micro_batch, const std::array<Transfer, 4>& transfers) {
  timeline.add(kComputing, kind, start, start + computing, micro_batch);
  double end = start + computing;
  for (const Transfer& transfer : transfers) {
    end += transfer.exposed;
    timeline.add(transfer.lane, transfer.kind, std::max(start, end - transfer.time), end,
                 micro_batch);
  }
  return end;
}

void draw_resources(const Step<double>& step, Timeline& timeline) {
  const double m = step.micro_batches.value();
  timeline.lanes = kLanes;
  timeline.drawn = std::min(m, 4.0);
  // A third of transfers and of what shows of them is forward, as of the work; the split of each
  // pass is not kept, the sum of both is.
  const double forward_work = step.forward.value() / m;
  const double back_work = (step.backward + step.recompute).value() / m;
  const double forward_share = (step.micro_forward.value() - forward_work) /
                               std::max(1e-300, (step.micro_forward + step.micro_backward).value() -
                                                    forward_work - back_work);
  const auto of_pass = [&](double share) -> std::array<Transfer, 4> {
    const auto each = [&](Lane lane, TimelineKind kind, Quantity<kSecond, double> time,
                          Quantity<kSecond, double> exposed) -> Transfer {
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
    at = draw_pass(timeline, at, forward_work, TimelineKind::kForward, i, of_pass(share));
    at = draw_pass(timeline, at, back_work, TimelineKind::kBackward, i, of_pass(1 - share));
  }
  const double drained = at + step.bubble.value() / 2;
  timeline.add(kComputing, TimelineKind::kBubble, at, drained);
  // Gradients are reduced behind the last backward pass, as far as they may be.
  const double rest = drained + step.exposed_once.value();
  timeline.add(kData, TimelineKind::kData, std::max(0.0, rest - step.once.value()), rest);
  const double updated = rest + step.optimizer.value();
  timeline.add(kComputing, TimelineKind::kOptimizer, rest, updated);
  timeline.add(kHost, TimelineKind::kHost, std::max(0.0, rest - step.host.value()), rest);
}

/// What a stage does next.
struct Task {
  TimelineKind kind;
  double chunk, micro_batch;
};

/// The order in which stage `stage` works through `m` micro-batches of `v` chunks, task by task.
class StageOrder {
 public:
  StageOrder(const Layout<double>& layout, double m, double stage)
      : schedule_(layout.schedule),
        p_(layout.pipeline.value()),
        v_(layout.schedule == PipelineSchedule::kInterleaved ? layout.virtual_stages.value() : 1),
        total_(m * v_) {
    switch (schedule_) {
      case PipelineSchedule::kGpipe:
        warm_up_ = total_;
        break;
      case PipelineSchedule::kInterleaved:
        warm_up_ = v_ > 1 ? 2 * (p_ - stage - 1) + (v_ - 1) * p_ + 1 : p_ - stage;
        break;
      default:
        warm_up_ = p_ - stage;
    }
    warm_up_ = std::min(warm_up_, total_);
  }

  bool done() const { return forward_ == total_ && backward_ == total_; }

  Task next() const {
    const bool turn_back = forward_ >= warm_up_ && backward_ <= forward_ - warm_up_;
    return turn_back || forward_ == total_ ? backward(backward_) : forward(forward_);
  }

  void take(TimelineKind kind) { ++(kind == TimelineKind::kForward ? forward_ : backward_); }

 private:
  double chunk_of(double k) const { return std::floor((k - group(k) * p_ * v_) / p_); }
  double group(double k) const { return std::floor(k / (p_ * v_)); }
  double micro_batch_of(double k) const { return group(k) * p_ + (k - std::floor(k / p_) * p_); }

  Task forward(double k) const {
    if (v_ <= 1) return {TimelineKind::kForward, 0, k};
    return {TimelineKind::kForward, chunk_of(k), micro_batch_of(k)};
  }
  Task backward(double k) const {
    if (v_ <= 1) return {TimelineKind::kBackward, 0, k};
    return {TimelineKind::kBackward, v_ - 1 - chunk_of(k), micro_batch_of(k)};
  }

  PipelineSchedule schedule_;
  double p_, v_, total_;
  double warm_up_ = 0;
  double forward_ = 0, backward_ = 0;
};

constexpr std::size_t kMostStages = 64;

/// Works through all stages' orders; a task starts when its stage is free and what it takes has
/// come. Where no stage can go on, the picture ends.
void draw_stages(const Layout<double>& layout, const Step<double>& step, Timeline& timeline) {
  const auto p = static_cast<std::size_t>(layout.pipeline.value());
  const bool interleaved = layout.schedule == PipelineSchedule::kInterleaved;
  const double v = interleaved ? layout.virtual_stages.value() : 1;
  const double m = timeline.drawn;
  const double f = step.micro_forward.value() / v;
  const double b = step.micro_backward.value() / v;
  // When each chunk of each micro-batch leaves each stage; 0: not yet.
  constexpr std::size_t kPlaces = 1u << 14;
  static std::array<double, kPlaces> forward_done, backward_done;
  const auto chunks = static_cast<std::size_t>(v);
  const auto count = static_cast<std::size_t>(m);
  forward_done.fill(0);
  backward_done.fill(0);
  const auto place = [&](std::size_t stage, const Task& task) {
    const auto chunk = static_cast<std::size_t>(task.chunk);
    return (stage * chunks + chunk) * count + static_cast<std::size_t>(task.micro_batch);
  };
  std::array<double, kMostStages> free{};
  alignas(StageOrder) std::array<unsigned char, kMostStages * sizeof(StageOrder)> storage;
  auto* orders = reinterpret_cast<StageOrder*>(storage.data());
  for (std::size_t i = 0; i < p; ++i) {
    std::construct_at(orders + i, layout, m, static_cast<double>(i));
  }
  /// When a task's input has come; below 0: not yet.
  const auto ready = [&](std::size_t stage, const Task& task) -> double {
    const auto arrived = [&](double left) { return left > 0 ? left : -1.0; };
    Task other = task;
    if (task.kind == TimelineKind::kForward) {
      if (stage > 0) return arrived(forward_done[place(stage - 1, task)]);
      if (task.chunk == 0) return 0;
      other.chunk -= 1;
      return arrived(forward_done[place(p - 1, other)]);
    }
    if (stage + 1 < p) return arrived(backward_done[place(stage + 1, task)]);
    if (task.chunk == v - 1) {
      const double own = forward_done[place(stage, task)];
      return own > 0 ? own : -1;
    }
    other.chunk += 1;
    return arrived(backward_done[place(0, other)]);
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < p; ++i) {
      while (!orders[i].done()) {
        const Task task = orders[i].next();
        const double from = ready(i, task);
        if (from < 0) break;
        const bool ahead = task.kind == TimelineKind::kForward;
        const double time = ahead ? f : b;
        const double start = std::max(from, free[i]);
        free[i] = start + time;
        timeline.add(static_cast<double>(i), task.kind, start, free[i], task.micro_batch);
        (ahead ? forward_done : backward_done)[place(i, task)] = free[i];
        orders[i].take(task.kind);
        moved = true;
      }
    }
  }
}

/// A zero-bubble schedule: gradients of weights wait for a gap. Each stage takes what has come,
/// backward first, and holds as many micro-batches as there are stages behind it, or twice that.
void draw_split_stages(const Layout<double>& layout, const Step<double>& step, double weights,
                       Timeline& timeline) {
  const auto p = static_cast<std::size_t>(layout.pipeline.value());
  const auto m = static_cast<std::size_t>(timeline.drawn);
  const bool twice = layout.schedule == PipelineSchedule::kZb2p;
  const double f = step.micro_forward.value();
  const double b = step.micro_backward.value() - weights;
  constexpr std::size_t kPlaces = 1u << 13;
  static std::array<double, kPlaces> forward_done, backward_done;  // 0: not yet
  forward_done.fill(0);
  backward_done.fill(0);
  struct Progress {
    std::size_t forward = 0, backward = 0, weights = 0;
    double free = 0;
  };
  std::array<Progress, kMostStages> stages{};
  for (;;) {
    // Of all tasks whose input is known, the one that can start first; what is not known yet comes
    // after it has been done. Backward goes before forward, and both before weights.
    std::size_t first = p;
    double start = 0;
    TimelineKind kind{};
    const auto offer = [&](std::size_t i, TimelineKind offered, double from) {
      if (first < p && from >= start) return;
      first = i;
      start = from;
      kind = offered;
    };
    for (std::size_t i = 0; i < p; ++i) {
      const Progress& stage = stages[i];
      if (stage.backward < stage.forward) {
        const double come = i + 1 < p ? backward_done[(i + 1) * m + stage.backward]
                                      : forward_done[i * m + stage.backward];
        if (come > 0) offer(i, TimelineKind::kBackward, std::max(come, stage.free));
      }
      const std::size_t places = twice ? 2 * (p - i) - 1 : p - i;
      if (stage.forward < m && stage.forward - stage.backward < places) {
        const double come = i > 0 ? forward_done[(i - 1) * m + stage.forward] : 0;
        if (i == 0 || come > 0) offer(i, TimelineKind::kForward, std::max(come, stage.free));
      }
      if (stage.weights < stage.backward) offer(i, TimelineKind::kWeights, stage.free);
    }
    if (first == p) return;
    Progress& stage = stages[first];
    const bool ahead = kind == TimelineKind::kForward;
    const bool back = kind == TimelineKind::kBackward;
    std::size_t& done = ahead ? stage.forward : back ? stage.backward : stage.weights;
    stage.free = start + (ahead ? f : back ? b : weights);
    timeline.add(static_cast<double>(first), kind, start, stage.free, static_cast<double>(done));
    if (ahead) forward_done[first * m + done] = stage.free;
    if (back) backward_done[first * m + done] = stage.free;
    ++done;
  }
}

/// Whether the schedule's order is one that StageOrder knows.
bool is_drawn(PipelineSchedule schedule) { return schedule <= PipelineSchedule::kZb2p; }

}  // namespace

StageMemory<double> memory_of_stage(const PlanQuestion::Groups<double>& in,
                                    const LayoutChoice& choice, double index) {
  const auto work = layer_work(in.chip, in.model, in.run, in.layout, in.assumptions);
  const auto kept = [&](bool sparse) {
    return keep(layer_activations(in.model, in.run, in.layout, sparse), work, sparse, in.model,
                in.run, in.layout, choice.dropped);
  };
  const auto stage = make_stage(in.model, in.layout, count_micro_batches(in.run, in.layout), index);
  const ShardWays<double> ways{Count<double>(choice.placement.shards.chips),
                               Count<double>(choice.placement.expert_shards.chips)};
  return stage_memory(in.layout, state_memory(in.model, in.run, in.layout, stage, ways),
                      transient_memory(in.model, in.run, in.layout, in.assumptions, stage),
                      kept(false), kept(true), stage, in.assumptions);
}

void make_timeline(const PlanQuestion::Groups<double>& in, Timeline& timeline) {
  const LayoutChoice choice = choose_for_layout(in);
  const Step<double> step = cost_step(in, choice);
  const auto& layout = in.layout;
  const double p = layout.pipeline.value();
  const double m = step.micro_batches.value();
  timeline.size = 0;
  timeline.end = 0;
  timeline.micro_batches = m;
  const bool interleaved = layout.schedule == PipelineSchedule::kInterleaved;
  const double v = interleaved ? layout.virtual_stages.value() : 1;
  // A bar for each pass of each chunk, of zero-bubble schedules one more.
  const double passes = layout.schedule >= PipelineSchedule::kZb1p ? 3 : 2;
  double drawn = std::min(m, std::floor(kMostBars / (passes * p * v)));
  // Chunks come in turns of p micro-batches.
  if (v > 1) drawn = std::floor(drawn / p) * p;
  timeline.by_stage =
      p > 1 && p <= static_cast<double>(kMostStages) && is_drawn(layout.schedule) && drawn >= 1;
  if (!timeline.by_stage) {
    draw_resources(step, timeline);
    return;
  }
  timeline.lanes = p;
  timeline.drawn = drawn;
  if (layout.schedule == PipelineSchedule::kZb1p || layout.schedule == PipelineSchedule::kZb2p) {
    const double weights = std::min(step.weights.value(), step.micro_backward.value());
    draw_split_stages(layout, step, weights, timeline);
  } else {
    draw_stages(layout, step, timeline);
  }
  // What shows of transfers between stages and of states, wherever it does, and the update.
  const std::pair<TimelineKind, double> rest[] = {
      {TimelineKind::kPipeline, step.exposed_pipeline.value()},
      {TimelineKind::kData, step.exposed_once.value()},
      {TimelineKind::kHost, step.exposed_host.value()},
      {TimelineKind::kOptimizer, step.optimizer.value()}};
  for (const auto& [kind, time] : rest) {
    const double start = timeline.end;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(p); ++lane) {
      timeline.add(static_cast<double>(lane), kind, start, start + time);
    }
  }
}

}  // namespace scaling
