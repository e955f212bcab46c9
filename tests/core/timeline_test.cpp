// SPDX-License-Identifier: MIT
//
// One step, drawn: what may follow what, and how long it takes.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "plans.hpp"
#include "share.hpp"

namespace scaling::test::timeline_test {
namespace {

std::unique_ptr<Timeline> timeline_of(const Planned& in) {
  fail_on(in.outcome().issues);
  auto timeline = std::make_unique<Timeline>();
  make_timeline(in.groups(), *timeline);
  return timeline;
}

TimelineKind kind_of(const TimelineEvent& event) {
  return static_cast<TimelineKind>(static_cast<int>(event.kind));
}

std::vector<TimelineEvent> events_of(const Timeline& timeline) {
  return {timeline.events.begin(),
          timeline.events.begin() + static_cast<std::ptrdiff_t>(timeline.size)};
}

/// A pipeline on one domain of switches that costs nothing to cross: only computing counts. Layers
/// divide evenly, and head and embedding are small.
Planned piped(PipelineSchedule schedule, double stages, double micro_batches, double chunks = 1) {
  Planned in;
  in.model = with(llama3_8b(), {{"vocabulary", 100}, {"layers", 48}});
  in.chip = with(in.chip, {{"scaleUpChips", 1e6}, {"scaleUpBandwidth", 1e18}, {"hopLatency", 0}});
  in.assumptions = ideal();
  return in.on({{"chips", stages}, {"batchTokens", 4096 * micro_batches}})
      .as({{"pipeline", stages}, {"schedule", schedule}, {"virtualStages", chunks}});
}

/// The end of the last pass, without the parts that follow.
double makespan(const Timeline& timeline) {
  double end = 0;
  for (const auto& event : events_of(timeline)) {
    if (kind_of(event) <= TimelineKind::kWeights) end = std::max(end, event.end);
  }
  return end;
}

TEST_CASE("GPipe and 1F1B take (m + p - 1)(f + b)") {
  for (const auto schedule : {kSchedule<Gpipe>, kSchedule<OneFOneB>}) {
    for (const auto& [p, m] :
         {std::pair(2.0, 1.0), std::pair(4.0, 3.0), std::pair(4.0, 8.0), std::pair(8.0, 32.0)}) {
      const auto in = piped(schedule, p, m);
      const auto timeline = timeline_of(in);
      const auto step = in.step();
      CAPTURE(p);
      CAPTURE(m);
      REQUIRE(timeline->by_stage);
      CHECK(timeline->drawn == std::min(m, 24.0));
      const double both = (step.micro_forward + step.micro_backward).value();
      CHECK_THAT(makespan(*timeline), WithinRel((m + p - 1) * both, 1e-12));
      // The expected time of the step agrees.
      CHECK_THAT(makespan(*timeline),
                 WithinRel((step.expected - step.optimizer - step.exposed_pipeline).value(), 1e-9));
      CHECK_THAT(timeline->end, WithinRel(step.expected.value(), 1e-9));
    }
  }
}

TEST_CASE("interleaved, the bubble is as much shorter as there are chunks") {
  for (const auto& [p, m, v] : {std::tuple(4.0, 8.0, 2.0), std::tuple(4.0, 4.0, 3.0),
                                std::tuple(2.0, 8.0, 4.0), std::tuple(8.0, 16.0, 2.0)}) {
    const auto in = piped(kSchedule<Interleaved>, p, m, v);
    const auto timeline = timeline_of(in);
    const auto step = in.step();
    CAPTURE(p);
    CAPTURE(m);
    CAPTURE(v);
    REQUIRE(timeline->by_stage);
    const double both = (step.micro_forward + step.micro_backward).value();
    // SC21, 2.2: m + (p - 1) / v.
    CHECK_THAT(makespan(*timeline), WithinRel((m + (p - 1) / v) * both, 1e-12));
  }
}

/// The longest time that a stage takes from the start of its first pass to the end of its last.
double longest_span(const Timeline& timeline) {
  std::vector<std::pair<double, double>> lanes(static_cast<std::size_t>(timeline.lanes),
                                               {1e300, 0});
  for (std::size_t i = 0; i < timeline.size; ++i) {
    const TimelineEvent& event = timeline.events[i];
    if (kind_of(event) > TimelineKind::kWeights) continue;
    auto& [first, last] = lanes[static_cast<std::size_t>(event.lane)];
    first = std::min(first, event.start);
    last = std::max(last, event.end);
  }
  double longest = 0;
  for (const auto& [first, last] : lanes) longest = std::max(longest, last - first);
  return longest;
}

/// Every schedule that can be chosen, so that none is forgotten that is added.
std::vector<PipelineSchedule> all_schedules() {
  std::vector<PipelineSchedule> schedules;
  for (std::size_t i = 0; i < std::size(kPipelineScheduleNames); ++i) {
    schedules.push_back(static_cast<PipelineSchedule>(i));
  }
  return schedules;
}

/// A schedule's order, worked through.
struct Ordered {
  Layout<double> layout;
  PassTimes<double> times;
  double p, m, v;
  const Timeline& timeline;

  double both() const { return (times.forward + times.backward).value(); }
  double bubble() const { return bubble_time(layout, count_of(m), times).value(); }
};

/// Calls `use` with the orders of every schedule, of 2 to 16 stages; of so many that can be or may
/// not be divided by two and three, and of fewer micro-batches than stages and more.
template <class Use>
void each_order(const PassTimes<double>& times, Use use) {
  const auto timeline = std::make_unique<Timeline>();
  Share share;
  for (const auto schedule : all_schedules()) {
    for (const double v : {1, 2, 3, 4, 6}) {
      if (v > 1 && !row_of(schedule).asks_chunks) continue;
      for (const double p : {2, 3, 4, 5, 6, 8, 9, 16}) {
        if (row_of(schedule).even_stages && std::fmod(p, 2) != 0) continue;
        if (p * v > 72) continue;  // a picture has no room for three rounds
        const auto layout =
            typed(make<Layout>({{"schedule", schedule}, {"pipeline", p}, {"virtualStages", v}}));
        const auto check = [&](double m) {
          if (!share.takes()) return;
          INFO(row_of(schedule).name << " p " << p << " m " << m << " v " << v << " F "
                                     << times.forward.value() << " W " << times.weights.value()
                                     << " B " << times.backward.value());
          REQUIRE(draw_pipeline(layout, m, times, *timeline));
          if (timeline->drawn < m) {  // more than there is room for
            REQUIRE(m > 2 * p);
            return;
          }
          use(Ordered{layout, times, p, m, v, *timeline});
        };
        for (double m = 1; m <= 4 * p + 1; ++m) check(m);
        for (const double m : {6 * p, 6 * p + 1, 8 * p + 3, 12 * p}) check(m);
      }
    }
  }
}

PassTimes<double> pass_times(double forward, double backward, double weights) {
  using Seconds = Quantity<kSecond, double>;
  return {Seconds(forward), Seconds(backward), Seconds(weights)};
}

/// Gradients of weights take at most as long as a forward pass, and that as long as gradients of
/// inputs: in a layer they are the same matmuls, and more comes on top.
const PassTimes<double> kTimes[] = {
    pass_times(1, 2, 1),     pass_times(4, 9, 3),      pass_times(5, 9, 4),
    pass_times(3, 9, 2),     pass_times(2, 4, 0),      pass_times(1, 1, 0),
    pass_times(1, 2.04, .9), pass_times(1, 1.51, 0.5), pass_times(2, 6, 2)};

/// Times that are none of a layer's.
const PassTimes<double> kOddTimes[] = {pass_times(3, 3, 1), pass_times(1, 5, 3),
                                       pass_times(4, 3, 2), pass_times(2, 3, 3),
                                       pass_times(1, 8, 0)};

/// No step is shorter than a micro-batch's way through all stages and back, nor than the work of a
/// stage.
void check_causality(const Ordered& in, double span) {
  const double inputs = (in.times.backward - in.times.weights).value();
  const double way = in.p * (in.times.forward.value() + inputs);
  const double work = in.m * in.both();
  const double least = std::max(way, work) * (1 - 1e-12);
  CHECK(span >= least);
  CHECK(work + in.bubble() >= least);
}

TEST_CASE("a bubble is what the schedule's order comes to, pass by pass") {
  for (const auto& times : kTimes) {
    each_order(times, [&](const Ordered& in) {
      const double span = longest_span(in.timeline);
      const double simulated = span - in.m * in.both();
      CHECK_THAT(in.bubble(), WithinAbs(simulated, 1e-9 * span));
      check_causality(in, span);
    });
  }
}

/// The time by which the work of all micro-batches is exceeded where the last parts alone go back:
/// as counted, and as the order comes to.
struct PartlyBack {
  double counted, ordered, work;
};
PartlyBack partly_back(const Layout<double>& layout, const BackwardParts& parts,
                       const PassTimes<double>& times, double m, Timeline& timeline) {
  REQUIRE(draw_pipeline(layout, m, times, timeline, parts));
  const double work = m * (times.forward + times.backward).value();
  const auto share = backward_share(layout, parts);
  return {bubble_time(layout, count_of(m), passes_back(times, share)).value(),
          makespan(timeline) - work, work};
}

TEST_CASE("where the last stages alone go back, a bubble is what the order comes to") {
  const auto timeline = std::make_unique<Timeline>();
  for (const auto schedule :
       {kSchedule<Gpipe>, kSchedule<OneFOneB>, kSchedule<Zb1p>, kSchedule<Zb2p>}) {
    for (const double p : {2, 3, 4, 8}) {
      const auto layout = typed(make<Layout>({{"schedule", schedule}, {"pipeline", p}}));
      for (double back = 1; back < p; ++back) {
        for (const double m : {1.0, p, 2 * p + 1, 4 * p}) {
          INFO(row_of(schedule).name << " p " << p << " back " << back << " m " << m);
          for (const auto& times : {kTimes[0], kTimes[1]}) {
            const auto found = partly_back(layout, {p, back}, times, m, *timeline);
            // Stages end their work one after another where gradients of weights are put off.
            const double late = (back - 1) * times.weights.value();
            const bool splits = row_of(schedule).splits_backward;
            CHECK(found.ordered >= found.counted - 1e-9);
            CHECK(found.ordered <= found.counted + (splits ? late : 0) + 1e-9);
          }
        }
      }
    }
  }
}

TEST_CASE("whatever parts go back, all of them are counted as ever") {
  for (const auto schedule : all_schedules()) {
    for (const double v : {1, 2, 4}) {
      const auto layout =
          typed(make<Layout>({{"schedule", schedule}, {"pipeline", 4}, {"virtualStages", v}}));
      const double all = listed_parts(layout).value();
      CHECK_THAT(backward_share(layout, {all, all}).value(), WithinRel(1.0, 1e-12));
      for (double back = 1; back < all; ++back) {
        CHECK(backward_share(layout, {all, back}).value() >= 0);
      }
    }
  }
}

TEST_CASE("whatever passes take, no micro-batch is through all stages in less than its own time") {
  for (const auto& times : kOddTimes) {
    each_order(times, [](const Ordered& in) { check_causality(in, longest_span(in.timeline)); });
  }
}

/// Micro-batches that a stage holds at most, from the start of their forward pass to the end of
/// their last gradients of `until`.
double most_held(const Ordered& in, double stage, TimelineKind until) {
  std::vector<std::pair<double, double>> changes;  // time, chunks more
  double forward = 0;
  for (const auto& event : events_of(in.timeline)) {
    if (event.lane != stage) continue;
    if (kind_of(event) == TimelineKind::kForward) {
      changes.push_back({event.start, 1});
      ++forward;
    }
    if (kind_of(event) == until) changes.push_back({event.end, -1});
  }
  std::sort(changes.begin(), changes.end());  // a pass that ends frees before the next begins
  double held = 0;
  double most = 0;
  for (const auto& [time, more] : changes) most = std::max(most, held += more);
  CHECK(held == 0);
  return most * in.m / forward;
}

TEST_CASE("no order has more in flight than is counted, and some stage has about as much") {
  for (const auto& times : {kTimes[0], kTimes[1], kTimes[3]}) {
    each_order(times, [&](const Ordered& in) {
      double spare = 1e300;
      double over = 0;
      for (double stage = 0; stage < in.p; ++stage) {
        const double counted = in_flight(in.layout, count_of(in.m), count_of(stage)).value();
        const double held = most_held(in, stage, TimelineKind::kBackward);
        spare = std::min(spare, counted - held);
        over = std::max(over, held - counted);
        // The wait of gradients of weights counts for V-Half and V-Min, too.
        const auto schedule = in.layout.schedule;
        if (schedule == kSchedule<VHalf> || schedule == kSchedule<VMin>) {
          over = std::max(over, most_held(in, stage, TimelineKind::kWeights) - counted);
        }
      }
      CHECK(over <= 1e-9);
      CHECK(spare <= 1 + 1e-9);
    });
  }
}

TEST_CASE("V-Half and V-Min wait as published, where all passes take as long") {
  // Pipeline Parallelism with Controllable Memory: about a half and two thirds of the time that
  // 1F1B does, of which the parts in which a chunk's passes fill one another are left.
  const auto times = pass_times(1, 2, 1);
  each_order(times, [&](const Ordered& in) {
    const auto schedule = in.layout.schedule;
    if (in.m < in.p || (schedule != kSchedule<VHalf> && schedule != kSchedule<VMin>)) return;
    const bool half = schedule == kSchedule<VHalf>;
    const double published = (half ? 1.0 / 2 : 2.0 / 3) * 3 * (in.p - 1);
    CHECK(in.bubble() <= published);
    CHECK(in.bubble() >= published - 1);
    CHECK(in_flight(in.layout, count_of(in.m), count_of(0)).value() ==
          std::min(in.m, std::floor(half ? (in.p + 2) / 2 : (in.p + 4) / 3)));
  });
}

TEST_CASE("V-Half and V-Min wait the longer for each micro-batch, the less passes are alike") {
  // The sums of a block's slots: README of zero-bubble, "+O(n)" for V-Min, and V-Half where W + 2F
  // < 2I.
  const auto more = [](PipelineSchedule schedule, const PassTimes<double>& times) {
    const auto layout = typed(make<Layout>({{"schedule", schedule}, {"pipeline", 8}}));
    const auto bubble = [&](double m) { return bubble_time(layout, count_of(m), times).value(); };
    return (bubble(120) - bubble(20)) / 100;
  };
  CHECK(more(kSchedule<VHalf>, pass_times(1, 2, 1)) == 0);
  CHECK(more(kSchedule<VMin>, pass_times(1, 2, 1)) == 0);
  CHECK(more(kSchedule<VHalf>, pass_times(5, 9, 4)) == 0);
  CHECK_THAT(more(kSchedule<VMin>, pass_times(5, 9, 4)), WithinRel(1.0, 1e-12));
  // 7 - 3 - 2 / 2, and 2 x 7 - 3 - 2.
  CHECK_THAT(more(kSchedule<VHalf>, pass_times(3, 9, 2)), WithinRel(3.0, 1e-12));
  CHECK_THAT(more(kSchedule<VMin>, pass_times(3, 9, 2)), WithinRel(9.0, 1e-12));
}

TEST_CASE("of zero-bubble schedules a step is the longest time of a stage, as drawn") {
  for (const auto schedule : {kSchedule<Zb1p>, kSchedule<Zb2p>, kSchedule<Zbv>, kSchedule<VHalf>,
                              kSchedule<VMin>, kSchedule<DualPipe>}) {
    for (const auto& [p, m] :
         {std::pair(2.0, 1.0), std::pair(4.0, 3.0), std::pair(4.0, 24.0), std::pair(16.0, 1.0)}) {
      const auto in = piped(schedule, p, m);
      const auto step = in.step();
      CAPTURE(p);
      CAPTURE(m);
      INFO(row_of(schedule).name);
      const auto timeline = timeline_of(in);
      REQUIRE(timeline->by_stage);
      CHECK_THAT(longest_span(*timeline),
                 WithinRel((step.expected - step.optimizer - step.exposed_pipeline).value(), 1e-9));
      // Within its bounds, none of which is less than a micro-batch's way through all stages.
      CHECK(step.lower <= step.expected);
      CHECK(step.expected <= step.upper);
      CHECK(step.lower.value() >=
            p * (step.micro_forward + step.micro_backward - step.weights).value() * (1 - 1e-9));
    }
  }
}

TEST_CASE("putting gradients of weights off is no slower than 1F1B") {
  for (const auto& [p, m] : {std::pair(2.0, 4.0), std::pair(4.0, 8.0), std::pair(8.0, 32.0)}) {
    const double plain = makespan(*timeline_of(piped(kSchedule<OneFOneB>, p, m)));
    const double one = makespan(*timeline_of(piped(kSchedule<Zb1p>, p, m)));
    const double two = makespan(*timeline_of(piped(kSchedule<Zb2p>, p, m)));
    CHECK(one <= plain);
    CHECK(two <= plain);
    // Every pass of every stage is still there.
    const auto step = piped(kSchedule<Zb1p>, p, m).step();
    CHECK(one >= m * (step.micro_forward + step.micro_backward).value() * (1 - 1e-12));
  }
}

/// Calls `use` with timelines by stage of all the schedules that are drawn so.
template <class Use>
void each_pipeline(Use use) {
  for (const auto schedule : {kSchedule<Gpipe>, kSchedule<OneFOneB>, kSchedule<Interleaved>,
                              kSchedule<Zb1p>, kSchedule<Zb2p>}) {
    for (const double p : {2, 3, 4, 8}) {
      for (const double m : {1, 2, 3, 8, 24}) {
        const double v = row_of(schedule).asks_chunks ? 2 : 1;
        const auto in = piped(schedule, p, m, v);
        const auto timeline = timeline_of(in);
        CAPTURE(p);
        CAPTURE(m);
        INFO(row_of(schedule).name);
        REQUIRE(timeline->by_stage);
        use(*timeline, in, p, m, v);
      }
    }
  }
}

TEST_CASE("a stage does one thing at a time") {
  each_pipeline([](const Timeline& timeline, const Planned&, double p, double, double) {
    std::vector<double> free(static_cast<std::size_t>(p), 0);
    auto events = events_of(timeline);
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.start < b.start; });
    for (const auto& event : events) {
      REQUIRE(event.lane < p);
      auto& until = free[static_cast<std::size_t>(event.lane)];
      CHECK(event.start >= until * (1 - 1e-14));
      CHECK(event.end > event.start);
      CHECK(event.end <= timeline.end);
      until = event.end;
    }
  });
}

TEST_CASE("every stage passes each micro-batch forward and backward, chunk by chunk") {
  each_pipeline([](const Timeline& timeline, const Planned& in, double p, double m, double v) {
    const auto step = in.step();
    std::map<std::pair<double, TimelineKind>, double> count, seconds;
    for (const auto& event : events_of(timeline)) {
      count[{event.lane, kind_of(event)}] += 1;
      seconds[{event.lane, kind_of(event)}] += event.end - event.start;
    }
    for (double stage = 0; stage < p; ++stage) {
      CHECK(count[{stage, TimelineKind::kForward}] == m * v);
      CHECK(count[{stage, TimelineKind::kBackward}] == m * v);
      const double weights = count[{stage, TimelineKind::kWeights}];
      CHECK((weights == 0 || weights == m));
      CHECK_THAT((seconds[{stage, TimelineKind::kForward}]),
                 WithinRel(m * step.micro_forward.value(), 1e-12));
      CHECK_THAT(
          (seconds[{stage, TimelineKind::kBackward}] + seconds[{stage, TimelineKind::kWeights}]),
          WithinRel(m * step.micro_backward.value(), 1e-12));
    }
  });
}

TEST_CASE("a pass starts when what it takes has come") {
  each_pipeline([](const Timeline& timeline, const Planned&, double p, double m, double v) {
    // The k-th of a kind on a stage and micro-batch is its k-th chunk, backward from the last.
    using Key = std::tuple<TimelineKind, double, double>;
    std::map<Key, std::vector<TimelineEvent>> passes;
    for (const auto& event : events_of(timeline)) {
      passes[{kind_of(event), event.lane, event.micro_batch}].push_back(event);
    }
    const auto chunk = [](double k) { return static_cast<std::size_t>(k); };
    for (double i = 0; i < m; ++i) {
      for (double stage = 0; stage < p; ++stage) {
        const auto& forward = passes[{TimelineKind::kForward, stage, i}];
        const auto& backward = passes[{TimelineKind::kBackward, stage, i}];
        const auto& weights = passes[{TimelineKind::kWeights, stage, i}];
        REQUIRE(static_cast<double>(forward.size()) == v);
        REQUIRE(static_cast<double>(backward.size()) == v);
        for (double k = 0; k < v; ++k) {
          if (stage > 0) {
            const auto& before = passes[{TimelineKind::kForward, stage - 1, i}][chunk(k)];
            CHECK(forward[chunk(k)].start >= before.end);
          } else if (k > 0) {
            const auto& before = passes[{TimelineKind::kForward, p - 1, i}][chunk(k - 1)];
            CHECK(forward[chunk(k)].start >= before.end);
          }
          // Backward passes of chunk v - 1 - k.
          if (stage < p - 1) {
            const auto& before = passes[{TimelineKind::kBackward, stage + 1, i}][chunk(k)];
            CHECK(backward[chunk(k)].start >= before.end);
          } else if (k > 0) {
            const auto& before = passes[{TimelineKind::kBackward, 0, i}][chunk(k - 1)];
            CHECK(backward[chunk(k)].start >= before.end);
          } else {
            CHECK(backward[0].start >= forward[chunk(v - 1)].end);
          }
        }
        for (const auto& pass : weights) CHECK(pass.start >= backward[0].end);
      }
    }
  });
}

TEST_CASE("no stage has more micro-batches in flight than its memory counts") {
  each_pipeline([](const Timeline& timeline, const Planned& in, double p, double m, double v) {
    const auto layout = in.groups().layout;
    for (double stage = 0; stage < p; ++stage) {
      std::vector<std::pair<double, double>> changes;  // time, chunks more
      for (const auto& event : events_of(timeline)) {
        if (event.lane != stage) continue;
        if (kind_of(event) == TimelineKind::kForward) changes.push_back({event.start, 1});
        if (kind_of(event) == TimelineKind::kBackward) changes.push_back({event.end, -1});
      }
      std::sort(changes.begin(), changes.end());  // a pass that ends frees before the next begins
      double held = 0;
      double most = 0;
      for (const auto& [time, more] : changes) most = std::max(most, held += more);
      CHECK(held == 0);
      CHECK(most / v <= in_flight(layout, count_of(m), count_of(stage)).value() + 1e-9);
    }
  });
}

TEST_CASE("without a pipeline, what a chip computes and sends at once") {
  Planned in = Planned{}
                   .on({{"chips", 64}, {"batchTokens", 4096 * 256}})
                   .as({{"tensor", 4}, {"context", 2}, {"sharding", StateSharding::kParameters}});
  const auto timeline = timeline_of(in);
  CHECK_FALSE(timeline->by_stage);
  CHECK(timeline->micro_batches == 32);
  CHECK(timeline->drawn == 24);
  const auto step = in.step();
  CHECK_THAT(timeline->end, WithinRel(step.expected.value(), 1e-9));
  // The cut takes the time of the micro-batches in the middle, which it leaves out.
  REQUIRE(timeline->cut_count == 1);
  const TimelineCut& cut = timeline->cuts[0];
  CHECK(cut.micro_batches == 8);
  const double each = (step.micro_forward + step.micro_backward).value();
  CHECK_THAT(cut.end - cut.start, WithinRel(8 * each, 1e-9));
  CHECK_THAT(timeline->steady_to - timeline->steady_from, WithinRel(30 * each, 1e-9));
  std::map<TimelineKind, double> seconds;
  double last = 0;
  for (const auto& event : events_of(*timeline)) {
    CHECK(event.start >= 0);
    CHECK(event.end > event.start);
    CHECK(event.lane < timeline->lanes);
    seconds[kind_of(event)] += event.end - event.start;
    if (event.micro_batch >= 0) CHECK((event.end <= cut.start || event.start >= cut.end));
    last = std::max(last, event.micro_batch);
  }
  CHECK(last == 31);
  // 24 of 32 micro-batches.
  CHECK_THAT(seconds[TimelineKind::kForward], WithinRel(step.forward.value() * 0.75, 1e-12));
  CHECK_THAT(seconds[TimelineKind::kBackward], WithinRel(step.backward.value() * 0.75, 1e-12));
  CHECK_THAT(seconds[TimelineKind::kTensor], WithinRel(step.tensor.value() * 0.75, 1e-9));
  CHECK_THAT(seconds[TimelineKind::kContext], WithinRel(step.context.value() * 0.75, 1e-9));
  CHECK_THAT(seconds[TimelineKind::kOptimizer], WithinRel(step.optimizer.value(), 1e-12));
}

TEST_CASE("a picture ends when the step does, whatever it leaves out") {
  inputs::Numbers numbers;
  int cut = 0;
  for (int n = 0; n < 1000; ++n) {
    Planned in;
    if (n % 3 == 1) in.model = mixtral_8x7b();
    in = any_plan(in, numbers);
    if (!in.outcome().issues.empty()) continue;
    CAPTURE(n);
    const auto timeline = timeline_of(in);
    const auto step = in.step();
    if (timeline->drawn < timeline->micro_batches) ++cut;
    CHECK((timeline->cut_count > 0) == (timeline->drawn < timeline->micro_batches));
    if (timeline->by_stage && row_of(in.groups().layout.schedule).splits_backward) {
      // Stages that end at different times start the next step so, too.
      CHECK(timeline->end >= step.expected.value() * (1 - 1e-6));
    } else {
      CHECK_THAT(timeline->end, WithinRel(step.expected.value(), 1e-6));
    }
  }
  CHECK(cut > 20);
}

TEST_CASE("what is drawn beside a cut is what the whole step has there") {
  int compared = 0;
  for (const auto schedule : all_schedules()) {
    for (const double v : {1, 2, 3}) {
      if (v > 1 && !row_of(schedule).asks_chunks) continue;
      for (const double p : {2, 4, 8}) {
        const double m = 12 * p;
        if (m <= 24) continue;
        const auto in = piped(schedule, p, m, v);
        const auto told = timeline_of(in);
        INFO(row_of(schedule).name << " p " << p << " m " << m << " v " << v);
        REQUIRE(told->by_stage);
        REQUIRE(told->cut_count == (row_of(schedule).forward_first ? 2 : 1));
        const auto step = in.step();
        auto whole = std::make_unique<Timeline>();
        REQUIRE(draw_pipeline(in.groups().layout, m,
                              {step.micro_forward, step.micro_backward, step.weights}, *whole));
        REQUIRE(whole->drawn == m);
        const double least = 1e-7 * told->end;
        std::vector<TimelineEvent> passes;
        for (const auto& event : events_of(*told)) {
          if (event.micro_batch >= 0) passes.push_back(event);
        }
        double left_out = 0;
        const auto edges = [&](double time) {
          return std::any_of(
              told->cuts.begin(), told->cuts.begin() + static_cast<std::ptrdiff_t>(told->cut_count),
              [&](const TimelineCut& cut) {
                return std::abs(time - cut.start) < least || std::abs(time - cut.end) < least;
              });
        };
        for (std::size_t i = 0; i < told->cut_count; ++i) {
          left_out += told->cuts[i].end - told->cuts[i].start;
          for (const auto& event : passes) {
            CHECK((event.end <= told->cuts[i].start + least ||
                   event.start >= told->cuts[i].end - least));
          }
        }
        CHECK(left_out > 0);
        std::map<std::pair<double, double>, std::vector<TimelineEvent>> of;
        for (const auto& event : events_of(*whole)) {
          of[{event.lane, event.kind}].push_back(event);
        }
        std::map<std::pair<double, double>, double> seconds;
        for (const auto& event : passes) {
          seconds[{event.lane, event.kind}] += event.end - event.start;
          const auto& there = of[{event.lane, event.kind}];
          const bool found = std::any_of(there.begin(), there.end(), [&](const auto& other) {
            const bool starts = std::abs(other.start - event.start) < least;
            const bool ends = std::abs(other.end - event.end) < least;
            return other.micro_batch == event.micro_batch && (starts || edges(event.start)) &&
                   (ends || edges(event.end)) && other.start <= event.start + least &&
                   other.end >= event.end - least;
          });
          INFO("lane " << event.lane << " kind " << event.kind << " micro-batch "
                       << event.micro_batch << " at " << event.start);
          CHECK(found);
          ++compared;
        }
        // The drawn events take the share of the whole that the drawn micro-batches are.
        for (const auto& [key, events] : of) {
          double all = 0;
          for (const auto& event : events) all += event.end - event.start;
          CHECK_THAT(seconds[key], WithinRel(all * told->drawn / m, 1e-6));
        }
        if (!row_of(schedule).forward_first) {
          CHECK(told->steady_from < told->cuts[0].start);
          CHECK(told->steady_to > told->cuts[0].end);
        }
      }
    }
  }
  CHECK(compared > 10000);
}

TEST_CASE("a picture of any layout fits its room and shows nothing beyond its end") {
  inputs::Numbers numbers;
  int drawn = 0;
  for (int n = 0; n < 2000; ++n) {
    Planned in;
    if (n % 3 == 1) in.model = mixtral_8x7b();
    if (n % 2 == 1) in.chip = tpu_v5p();
    in = any_plan(in, numbers);
    if (!in.outcome().issues.empty()) continue;
    ++drawn;
    CAPTURE(n);
    const auto timeline = timeline_of(in);
    REQUIRE(timeline->size > 0);
    CHECK(timeline->size < Timeline::kEvents);
    CHECK(timeline->drawn <= timeline->micro_batches);
    double end = 0;
    for (const auto& event : events_of(*timeline)) {
      CHECK(event.start >= 0);
      CHECK(event.end > event.start);
      CHECK(event.lane < timeline->lanes);
      CHECK(event.micro_batch < timeline->micro_batches);
      end = std::max(end, event.end);
    }
    CHECK(timeline->end == end);
  }
  CHECK(drawn > 300);
}

TEST_CASE("of many micro-batches on many stages, start, steady state and end are drawn") {
  const auto timeline = timeline_of(piped(kSchedule<OneFOneB>, 48, 4096));
  CHECK(timeline->by_stage);
  CHECK(timeline->micro_batches == 4096);
  CHECK(timeline->drawn >= 1);
  CHECK(timeline->drawn == 48 * 3);
  CHECK(timeline->steady_from > 0);
  CHECK(timeline->steady_to > timeline->cuts[0].end);
  CHECK(timeline->size < Timeline::kEvents);
  CHECK(timeline->lanes == 48);
}

TEST_CASE("memory by stage: the fullest is the one that is told") {
  inputs::Numbers numbers;
  int count = 0;
  for (int n = 0; n < 3000; ++n) {
    Planned in;
    if (n % 3 == 1) in.model = mixtral_8x7b();
    if (n % 3 == 2) in.model = deepseek_v3();
    in = any_plan(in, numbers);
    if (!in.outcome().issues.empty()) continue;
    ++count;
    CAPTURE(n);
    const auto groups = in.groups();
    const auto choice = choose_for_layout(groups);
    const auto step = cost_step<double>(groups, choice);
    double most = 0;
    for (double stage = 0; stage < groups.layout.pipeline.value(); ++stage) {
      most = std::max(most, memory_of_stage(groups, choice, stage).total().value());
    }
    CHECK(most == step.memory.total().value());
    CHECK(memory_of_stage(groups, choice, step.fullest.value()).total().value() == most);
    CHECK(number<term::kFullestStage>(in.answers()) == step.fullest.value() + 1);
  }
  CHECK(count > 500);
}

}  // namespace
}  // namespace scaling::test::timeline_test
