// SPDX-License-Identifier: MIT
#include "scaling/views/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace scaling {
namespace {

/// Bars that a picture has room for, beside those that cuts part.
constexpr double kMostBars = 14000;
/// Micro-batches beyond which those in the middle are cut out, at least; and for each stage.
constexpr double kShown = 24;
constexpr double kShownForStage = 3;

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
  timeline.drawn = std::min(m, kShown);
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
  const double left_out = m - timeline.drawn;
  const double early = std::ceil(timeline.drawn / 2);
  const double began = at;
  double each = 0;
  for (int drawn = 0; drawn < static_cast<int>(timeline.drawn); ++drawn) {
    const double i = drawn;
    if (i == early && left_out > 0) {
      const double length = left_out * each;
      timeline.cuts[timeline.cut_count++] = {at, at + length, left_out};
      at += length;
    }
    const double start = at;
    const double number = i < early ? i : i + left_out;
    at = draw_pass(timeline, at, forward_work, TimelineKind::kForward, number, of_pass(share),
                   launches / 3);
    at = draw_pass(timeline, at, back_work, TimelineKind::kBackward, number, of_pass(1 - share),
                   2 * launches / 3);
    each = at - start;
  }
  if (m >= 3) {
    timeline.steady_from = began + each;
    timeline.steady_to = at - each;
  }
  const double drained = at + step.bubble.value() / 2;
  timeline.add(kComputing, TimelineKind::kBubble, at, drained);
  const double passed = drained + step.exposed_pipeline.value();
  timeline.add(kComputing, TimelineKind::kPipeline, drained, passed);
  // Gradients are reduced behind the last backward pass, as far as they may be.
  const double rest = passed + step.exposed_once.value();
  timeline.add(kData, TimelineKind::kData, std::max(0.0, rest - step.once.value()), rest);
  const double updated = rest + step.optimizer.value();
  timeline.add(kComputing, TimelineKind::kOptimizer, rest, updated);
  timeline.add(kComputing, TimelineKind::kOverhead, updated, updated + step.overhead.value());
  timeline.add(kHost, TimelineKind::kHost, std::max(0.0, rest - step.host.value()), rest);
}

constexpr std::size_t kMostStages = PipelineOrder::kMostStages;

constexpr TimelineKind kind_of(PassKind kind) { return static_cast<TimelineKind>(kind); }
static_assert(kind_of(PassKind::kForward) == TimelineKind::kForward &&
              kind_of(PassKind::kBackward) == TimelineKind::kBackward &&
              kind_of(PassKind::kWeights) == TimelineKind::kWeights);

/// Works through all stages' orders: a pass starts when its stage is free and what it takes has
/// come. Where no stage can go on, the picture ends.
class PipelineWork {
 public:
  PipelineWork(Timeline& timeline, const PipelineOrder& order, PipelineCourse course,
               const BackwardParts& parts)
      : first_back_(static_cast<std::size_t>(parts.all - parts.back)),
        timeline_(timeline),
        order_(order),
        course_(course),
        p_(static_cast<std::size_t>(order.stages())),
        chunks_(static_cast<std::size_t>(order.chunks())),
        each_(static_cast<std::size_t>(order.each())) {
    timeline.left.fill(kNotYet);
  }

  /// Draws passes that take `seconds` each, in the order of PassKind.
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

  double& left(PassKind kind, std::size_t stage, std::size_t chunk, std::size_t micro_batch) {
    const std::size_t backward = kind == PassKind::kBackward ? 1 : 0;
    return timeline_.left[((backward * p_ + stage) * chunks_ + chunk) * each_ + micro_batch];
  }

  /// The time at which a pass's input arrives: 0, if it takes nothing from another pass.
  double arrival(std::size_t stage, const PipelinePass& pass) {
    const auto from = [&](PassKind kind, std::size_t other, std::size_t chunk) {
      return left(kind, other, chunk, pass.micro_batch);
    };
    constexpr auto kForward = PassKind::kForward;
    constexpr auto kBackward = PassKind::kBackward;
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

  /// Whether a chunk of a stage is passed through on the way back.
  bool goes_back(std::size_t stage, std::size_t chunk) const {
    const bool down = course_ != PipelineCourse::kLoop && chunk == 1;
    const std::size_t place = down ? p_ - 1 - stage : stage;
    return (course_ == PipelineCourse::kBothEnds ? 0 : chunk * p_) + place >= first_back_;
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
      const bool ends = passes[i].kind != PassKind::kForward && !goes_back(stage, passes[i].chunk);
      const double time = ends ? 0 : seconds[static_cast<std::size_t>(passes[i].kind)];
      const std::size_t micro_batch =
          passes[i].micro_batch +
          (course_ == PipelineCourse::kBothEnds ? passes[i].chunk * each_ : 0);
      timeline_.add(static_cast<double>(stage), kind_of(passes[i].kind), at, at + time,
                    static_cast<double>(micro_batch));
      at += time;
    }
    for (; next < end; ++next) {
      const PipelinePass& pass = passes[next];
      if (pass.kind != PassKind::kWeights) {
        left(pass.kind, stage, pass.chunk, pass.micro_batch) = at;
      }
    }
    free_[stage] = at;
    return true;
  }

  std::size_t first_back_;  ///< of the parts of the model, in its order
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

/// A span of time.
struct Span {
  double from, to;
};

/// The time from when all stages do passes of kind `begun` to when the first of them has no more of
/// `going`.
Span all_between(const Timeline& timeline, TimelineKind begun, TimelineKind going) {
  std::array<double, kMostStages> first{}, last{};
  first.fill(timeline.end);
  for (const TimelineEvent& event : std::span(timeline.events).first(timeline.size)) {
    const auto lane = static_cast<std::size_t>(event.lane);
    const auto kind = static_cast<TimelineKind>(static_cast<int>(event.kind));
    if (kind == begun) first[lane] = std::min(first[lane], event.start);
    if (kind == going) last[lane] = std::max(last[lane], event.end);
  }
  const auto lanes = static_cast<std::ptrdiff_t>(timeline.lanes);
  return {*std::max_element(first.begin(), first.begin() + lanes),
          *std::min_element(last.begin(), last.begin() + lanes)};
}

/// Makes room for `length` seconds at `at`, of which `micro_batches` are left out. What goes on
/// then is parted. `number` gives the number of an event's micro-batch, before the cut or behind
/// it.
template <class Number>
void cut(Timeline& timeline, double at, double length, double micro_batches, Number number) {
  const double least = 1e-9 * timeline.end;
  const std::size_t size = timeline.size;
  timeline.end += length;
  for (std::size_t i = 0; i < size; ++i) {
    TimelineEvent& event = timeline.events[i];
    if (event.start >= at - least) {
      event.start += length;
      event.end += length;
      event.micro_batch = number(event, true);
      continue;
    }
    if (event.end > at + least) {
      timeline.add(event.lane, static_cast<TimelineKind>(static_cast<int>(event.kind)), at + length,
                   event.end + length, number(event, true));
      event.end = at;
    }
    event.micro_batch = number(event, false);
  }
  timeline.cuts[timeline.cut_count++] = {at, at + length, micro_batches};
}

/// Puts the micro-batches that are not drawn in their place. A schedule repeats itself while all
/// stages alternate; one whose passes forward all come first, in either half.
void leave_out(const Degrees<double>& layout, const PassTimes<double>& times,
               const PassTimes<double>& in_bubble, double all, Timeline& timeline) {
  const double drawn = timeline.drawn;
  const double more = all - drawn;
  timeline.micro_batches = all;
  const auto bubble = [&](double m) {
    return bubble_time(layout, Count<double>(m), in_bubble).value();
  };
  const double forward = times.forward.value();
  const double backward = times.backward.value();
  const auto middle = [](Span span) { return (span.from + span.to) / 2; };
  const auto forwards = all_between(timeline, TimelineKind::kForward, TimelineKind::kForward);
  const auto backwards = all_between(timeline, TimelineKind::kBackward, TimelineKind::kBackward);
  const bool splits = row_of(layout.schedule).splits_backward;
  auto both = all_between(timeline, splits ? TimelineKind::kWeights : TimelineKind::kBackward,
                          TimelineKind::kForward);
  if (row_of(layout.schedule).forward_first) {
    if (more <= 0) return;
    const auto numbers = [more](TimelineKind kind) {
      return [more, kind](const TimelineEvent& event, bool behind) {
        const bool counts = event.kind == static_cast<double>(kind) && behind;
        return event.micro_batch + (counts ? more : 0);
      };
    };
    cut(timeline, middle(forwards), more * forward, more, numbers(TimelineKind::kForward));
    cut(timeline, middle(backwards) + more * forward, more * backward, more,
        numbers(TimelineKind::kBackward));
    return;
  }
  if (more > 0) {
    const double length = more * (forward + backward) + bubble(all) - bubble(drawn);
    // Two halves come from both ends, each with numbers of its own.
    const bool halves = row_of(layout.schedule).course == PipelineCourse::kBothEnds;
    cut(timeline, middle(both), length, more, [&](const TimelineEvent& event, bool behind) {
      if (!halves) return event.micro_batch + (behind ? more : 0);
      const bool second = event.micro_batch >= drawn / 2;
      return event.micro_batch + (second ? more / 2 : 0) + (behind ? more / 2 : 0);
    });
    both.to += length;
  }
  if (both.from < both.to) {
    timeline.steady_from = both.from;
    timeline.steady_to = both.to;
  }
}

/// Micro-batches of `m` that a picture of stages shows.
double shown(const Degrees<double>& layout, double m) {
  const double p = layout.pipeline.value();
  const double most = std::max(kShown, kShownForStage * p);
  return std::min(m, p * std::ceil(most / p));
}

}  // namespace

bool draw_pipeline(const Degrees<double>& layout, double micro_batches,
                   const PassTimes<double>& times, Timeline& timeline, const BackwardParts& parts) {
  const double drawn = drawable(layout, micro_batches);
  timeline.by_stage = drawn >= 1;
  if (!timeline.by_stage) return false;
  const double p = layout.pipeline.value();
  timeline.size = 0;
  timeline.end = 0;
  timeline.cut_count = 0;
  timeline.steady_from = timeline.steady_to = 0;
  timeline.lanes = p;
  timeline.drawn = drawn;
  timeline.micro_batches = micro_batches;
  const PipelineScheduleRow& schedule = row_of(layout.schedule);
  const double chunks = chunks_of_stage(layout).value();
  PipelineOrder order(timeline.passes, timeline.left, schedule.course, p, chunks, drawn);
  PipelineSchedules::with(layout.schedule, [&]<class Schedule>() { Schedule::order(order); });
  const double each = stage_crossings(layout).value();
  // A stage that goes back through some of its chunks alone takes as long for fewer.
  const double back = parts.all > 0 ? each * parts.on_stage(layout) / chunks : each;
  const double backward = times.backward.value();
  const double weights = schedule.splits_backward ? std::min(times.weights.value(), backward) : 0;
  PipelineWork(timeline, order, schedule.course, parts)
      .draw({times.forward.value() / each, (backward - weights) / back, weights / back});
  return true;
}

void make_timeline(const SearchInput<double>& in, Timeline& timeline) {
  const LayoutChoice choice = choose_for_layout(in);
  const Step<double> step = cost_step<double>(in, choice);
  const auto& layout = in.layout;
  timeline.size = 0;
  timeline.end = 0;
  timeline.cut_count = 0;
  timeline.steady_from = timeline.steady_to = 0;
  const double m = step.micro_batches.value();
  timeline.micro_batches = m;
  const PassTimes<double> times{step.micro_forward, step.micro_backward, step.weights};
  BackwardParts parts{};
  auto in_bubble = times;
  if (in.run.ends_early() && layout.pipeline.value() > 1) {
    parts = backward_parts(in.model, layout, in.run);
    in_bubble = passes_back(times, backward_share(layout, parts));
    // Orders of several parts are made for such as all go back: see backward_share.
    if (parts.back < parts.all && chunks_of_stage(layout).value() > 1) {
      return draw_resources(step, timeline);
    }
  }
  if (!draw_pipeline(layout, shown(layout, m), times, timeline, parts)) {
    draw_resources(step, timeline);
    return;
  }
  leave_out(layout, times, in_bubble, m, timeline);
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
