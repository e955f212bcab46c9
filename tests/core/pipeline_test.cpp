// SPDX-License-Identifier: MIT
//
// Pipelines: how long they wait, what they hold, how layers lie on them.

#include <array>
#include <cmath>

#include "plans.hpp"

namespace scaling::test::pipeline_test {
namespace {

using Seconds = Quantity<kSecond, double>;

/// Every schedule that can be chosen, so that none is forgotten that is added.
constexpr auto kAll = [] {
  std::array<PipelineSchedule, std::size(kPipelineScheduleNames)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<PipelineSchedule>(i);
  return all;
}();

Layout<double> pipeline(PipelineSchedule schedule, double stages, double chunks = 1) {
  return typed(
      make<Layout>({{"schedule", schedule}, {"pipeline", stages}, {"virtualStages", chunks}}));
}

/// A second forward, two backward of which one for the gradients of weights.
double bubble(PipelineSchedule schedule, double stages, double micro_batches, double chunks = 1,
              double weights = 1) {
  return bubble_time(pipeline(schedule, stages, chunks), count_of(micro_batches),
                     PassTimes<double>{Seconds(1), Seconds(2), Seconds(weights)})
      .value();
}

double held(PipelineSchedule schedule, double stages, double micro_batches, double stage,
            double chunks = 1) {
  return in_flight(pipeline(schedule, stages, chunks), count_of(micro_batches), count_of(stage))
      .value();
}

TEST_CASE("GPipe and 1F1B wait for every other stage once") {
  // SC21, 2.2: (p - 1)(t_f + t_b).
  CHECK(bubble(kSchedule<Gpipe>, 4, 8) == 9);
  CHECK(bubble(kSchedule<OneFOneB>, 4, 8) == 9);
  CHECK(bubble(kSchedule<OneFOneB>, 4, 1) == 9);
  CHECK(bubble(kSchedule<OneFOneB>, 64, 512) == 189);
  CHECK(bubble(kSchedule<Gpipe>, 2, 3) == 3);
}

TEST_CASE("without a split backward pass, a bubble is made up of passes") {
  // A search bounds it by how many of each it takes.
  for (const PipelineSchedule schedule : kAll) {
    if (row_of(schedule).splits_backward) continue;
    for (const int stages : {2, 4, 6}) {
      for (const int micro_batches : {1, 3, 8, 13}) {
        const auto layout = pipeline(schedule, stages, 3);
        const auto of = [&](double forward, double back) {
          const PassTimes<double> times{Seconds(forward), Seconds(back), Seconds{}};
          return bubble_time(layout, count_of(micro_batches), times).value();
        };
        INFO(row_of(schedule).name << ", " << stages << " stages, " << micro_batches
                                   << " micro-batches");
        CHECK_THAT(of(0.7, 1.9), WithinRel(0.7 * of(1, 0) + 1.9 * of(0, 1), 1e-9));
      }
    }
  }
}

TEST_CASE("chunks divide the bubble, where micro-batches go round evenly") {
  CHECK(bubble(kSchedule<Interleaved>, 4, 8, 2) == 4.5);
  CHECK(bubble(kSchedule<Interleaved>, 4, 8, 4) == 2.25);
  CHECK(bubble(kSchedule<Interleaved>, 4, 8, 1) == 9);
  CHECK(bubble(kSchedule<Interleaved>, 4, 4, 3) == 3);
}

TEST_CASE("each micro-batch that is missing to a round costs the chunks that wait for it") {
  // 2 of 12 are missing, a chunk takes 0.5 s forward and 1 s backward. Backward 3 + 2 (2 - 1) of
  // them wait; forward, what is missing is filled by the round before. (Calculon has it wait, too:
  // 7.5 s. The order, worked through pass by pass, doesn't.)
  CHECK(bubble(kSchedule<Interleaved>, 4, 10, 2) == 6.5);
  // 2 of 4 are missing, and there is no round before.
  CHECK(bubble(kSchedule<Interleaved>, 4, 2, 2) == 7.5);
  // 3 of 4 are missing, a chunk takes 1 s; 3 + 3 x 2.
  CHECK(bubble(kSchedule<Interleaved>, 4, 1, 3) == 9);
  // A single chunk has nothing to wait for.
  CHECK(bubble(kSchedule<Interleaved>, 4, 10, 1) == 9);
}

TEST_CASE("a single micro-batch gains nothing by chunks") {
  // It passes all chunks of all stages one after another: the rest waits, however it is cut.
  for (const double chunks : {1, 2, 3, 6}) {
    CHECK_THAT(bubble(kSchedule<Interleaved>, 4, 1, chunks), WithinRel(9.0, 1e-14));
  }
}

TEST_CASE("zero-bubble schedules wait less the more can be put off") {
  // README of zero-bubble: (p - 1)(F + B - 2 W), nothing, nothing.
  CHECK(bubble(kSchedule<Zb1p>, 4, 8) == 3);
  CHECK(bubble(kSchedule<Zb1p>, 4, 8, 1, 0.5) == 6);
  CHECK(bubble(kSchedule<Zb1p>, 4, 8, 1, 0) == 9);
  CHECK(bubble(kSchedule<Zb1p>, 4, 8, 1, 2) == 0);
  CHECK(bubble(kSchedule<Zb2p>, 4, 8) == 0);
  CHECK(bubble(kSchedule<Zbv>, 4, 8) == 0);
  // About a half and two thirds of the 9 s that 1F1B waits, which the README has: their building
  // blocks' orders come to 3 (p - 1) / 2 - 1 and 2 (p - 1) - 1 / 2. (All of the README's rates are
  // shares of 1F1B's time, as is ZB1P's third.)
  CHECK(bubble(kSchedule<VHalf>, 4, 8) == 3.5);
  CHECK(bubble(kSchedule<VHalf>, 16, 64) == 21.5);
  CHECK(bubble(kSchedule<VMin>, 4, 8) == 5.5);
  CHECK(bubble(kSchedule<VMin>, 16, 64) == 29.5);
  // README of DualPipe: (p / 2 - 1)(F&B + B - 3 W), but for the first two passes in the middle,
  // which save F where gradients of inputs take that much longer.
  CHECK(bubble(kSchedule<DualPipe>, 8, 20) == 6);
  CHECK(bubble(kSchedule<DualPipe>, 8, 20, 1, 0.5) == 10.5 - 1);
  CHECK(bubble(kSchedule<DualPipe>, 2, 20) == 0);
}

TEST_CASE("all rates of the zero-bubble README are shares of the time that 1F1B takes") {
  for (const auto& [p, m] : {std::pair(8.0, 32.0), std::pair(16.0, 64.0)}) {
    const double rate = (p - 1) / (m + p - 1);
    const double time = 3 * m + bubble(kSchedule<OneFOneB>, p, m);
    const auto share = [&, m = m, p = p](PipelineSchedule schedule) {
      return bubble(schedule, p, m) / time;
    };
    CHECK_THAT(share(kSchedule<OneFOneB>), WithinRel(rate, 1e-14));
    CHECK_THAT(share(kSchedule<Zb1p>), WithinRel(rate / 3, 1e-14));
    CHECK(share(kSchedule<Zb2p>) == 0);
    CHECK(share(kSchedule<Zbv>) == 0);
    // Rounded up: the orders wait a second and half a second less.
    CHECK_THAT(share(kSchedule<VHalf>), WithinRel(rate / 2 - 1 / time, 1e-14));
    CHECK_THAT(share(kSchedule<VMin>), WithinRel(2 * rate / 3 - 0.5 / time, 1e-14));
  }
}

TEST_CASE("the fewer micro-batches, the longer a zero-bubble schedule waits") {
  // The first stage waits until a single micro-batch has gone there and back: 3 x (1 + 1) of 4
  // stages. Each further one fills a second of that.
  for (const auto schedule : {kSchedule<Zb1p>, kSchedule<Zb2p>, kSchedule<Zbv>}) {
    INFO(row_of(schedule).name);
    CHECK(bubble(schedule, 4, 1) == 6);
  }
  // The other chunk's gradients of weights fill half a second of it.
  CHECK(bubble(kSchedule<VHalf>, 4, 1) == 5.5);
  CHECK(bubble(kSchedule<VHalf>, 4, 2) == 4.5);
  CHECK(bubble(kSchedule<VMin>, 4, 1) == 5.5);
  // DualPipe's order puts off no gradients of weights of the first ones: 3 F + 3 I + 2 W.
  CHECK(bubble(kSchedule<DualPipe>, 4, 1) == 8);
  CHECK(bubble(kSchedule<Zb1p>, 4, 3) == 4);
  CHECK(bubble(kSchedule<Zb1p>, 4, 4) == 3);
  CHECK(bubble(kSchedule<Zb2p>, 4, 6) == 1);
  CHECK(bubble(kSchedule<Zb2p>, 4, 7) == 0);
  CHECK(bubble(kSchedule<Zbv>, 4, 6) == 1);
  CHECK(bubble(kSchedule<Zbv>, 4, 7) == 0);
  CHECK(bubble(kSchedule<Zb2p>, 16, 1) == 30);
  // The zero-bubble paper, table 1: (p - 1)(F + B - 3 W) of ZB-H2, where B is the whole of it.
  CHECK(bubble(kSchedule<Zb2p>, 4, 16, 1, 0.75) == 2.25);
}

TEST_CASE("a schedule that does not split the backward pass waits for the other stages") {
  // Searches rule layouts out by this bound, whichever schedule it is.
  for (const auto schedule : kAll) {
    if (row_of(schedule).splits_backward) continue;
    INFO(row_of(schedule).name);
    for (const double v : {1, 2, 3, 4}) {
      if (v > 1 && !row_of(schedule).asks_chunks) continue;
      for (const double p : {2, 3, 4, 6, 16}) {
        if (row_of(schedule).even_stages && std::fmod(p, 2) != 0) continue;
        for (const double m : {1, 2, 3, 4, 5, 8, 15, 16, 17, 40}) {
          CHECK(bubble(schedule, p, m, v) >= 3 * (p - 1) / v * (1 - 1e-14));
        }
      }
    }
  }
}

TEST_CASE("no schedule is faster than one micro-batch on its way through all stages") {
  for (const auto schedule : kAll) {
    for (const double p : {1, 2, 4, 6, 8, 16}) {
      for (double m = 1; m <= 40; ++m) {
        for (const double w : {0.0, 0.3, 0.7, 1.0}) {
          const double v = row_of(schedule).asks_chunks && p > 1 ? 2 : 1;
          INFO(row_of(schedule).name << p << " " << m << " " << w);
          // There and back; what comes last of gradients of weights, but for other chunks'.
          const double way = p * (1 + 2 - w);
          CHECK(3 * m + bubble(schedule, p, m, v, w) >= way * (1 - 1e-14));
          // Nor is the last micro-batch sooner done than the one before it.
          if (m > 1) {
            const double before = 3 * (m - 1) + bubble(schedule, p, m - 1, v, w);
            const bool rounds =
                row_of(schedule).asks_chunks;  // an odd round takes as long as a whole one
            CHECK(3 * m + bubble(schedule, p, m, v, w) >= before * (rounds ? 0.95 : 1 - 1e-14));
          }
        }
      }
    }
  }
}

TEST_CASE("a single stage never waits and holds one micro-batch") {
  for (const auto schedule : kAll) {
    CHECK(bubble(schedule, 1, 8) == 0);
    CHECK(held(schedule, 1, 8, 0) == 1);
  }
}

TEST_CASE("what a stage has in flight") {
  for (const double stage : {0.0, 3.0, 7.0}) {
    CHECK(held(kSchedule<Gpipe>, 8, 32, stage) == 32);
    CHECK(held(kSchedule<OneFOneB>, 8, 32, stage) == 8 - stage);
    CHECK(held(kSchedule<Zb1p>, 8, 32, stage) == 8 - stage);
    CHECK(held(kSchedule<Zb2p>, 8, 32, stage) == 16);
    CHECK(held(kSchedule<Zbv>, 8, 32, stage) == 8);
    // Pipeline Parallelism with Controllable Memory: (p + 2) // 2, (p + 4) // 3.
    CHECK(held(kSchedule<VHalf>, 8, 32, stage) == 5);
    CHECK(held(kSchedule<VMin>, 8, 32, stage) == 4);
    CHECK(held(kSchedule<DualPipe>, 8, 32, stage) == 9);
  }
}

TEST_CASE("chunks in flight are those that Megatron-LM warms up with, and the one at work") {
  // get_num_warmup_microbatches: 2 (p - i - 1) + (v - 1) p; v chunks are a micro-batch.
  for (const double p : {2, 3, 8}) {
    for (const double v : {2, 3, 5}) {
      for (double stage = 0; stage < p; ++stage) {
        const double chunks = 2 * (p - stage - 1) + (v - 1) * p + 1;
        CHECK_THAT(held(kSchedule<Interleaved>, p, 1000, stage, v), WithinRel(chunks / v, 1e-14));
      }
      // Korthikanti et al., 4.2.3: the first stage holds 1 + (p - 1) / (p v) of p.
      CHECK_THAT(held(kSchedule<Interleaved>, p, 1000, 0, v),
                 WithinRel(p * (1 + (p - 1) / (p * v)), 1e-14));
    }
  }
}

TEST_CASE("no stage holds more micro-batches than there are, nor less than one at work") {
  for (const auto schedule : kAll) {
    for (const double p : {2, 4, 16}) {
      for (const double m : {1, 2, 3, 7, 100}) {
        for (double stage = 0; stage < p; ++stage) {
          const double v = row_of(schedule).asks_chunks ? 2 : 1;
          INFO(row_of(schedule).name << p << " " << m << " " << stage);
          CHECK(held(schedule, p, m, stage, v) <= m);
          CHECK(held(schedule, p, m, stage, v) >= 1);
        }
      }
    }
  }
}

TEST_CASE("no schedule waits longer than 1F1B, but where it holds less") {
  for (const auto schedule : kAll) {
    for (const double p : {2, 4, 16}) {
      for (const double m : {1, 2, 3, 7, 64, 100}) {
        for (const double w : {0.0, 0.5, 1.0}) {
          const double v = row_of(schedule).asks_chunks ? 4 : 1;
          INFO(row_of(schedule).name << p << " " << m << " " << w);
          // V-Half and V-Min save memory; if passes are not alike, that costs time with each
          // micro-batch.
          if (w < 1 && (schedule == kSchedule<VHalf> || schedule == kSchedule<VMin>)) continue;
          CHECK(bubble(schedule, p, m, v, w) <= bubble(kSchedule<OneFOneB>, p, m) * (1 + 1e-14));
        }
      }
    }
  }
}

TEST_CASE("the ends of LLaMA 3 405B's pipeline have one layer fewer") {
  // The Llama 3 paper, 3.3.2: 126 layers over 16 stages.
  const auto layers = stage_layers(count_of(126), count_of(16));
  CHECK(layers.most.value() == 8);
  CHECK(layers.first.value() == 7);
  CHECK(layers.last.value() == 7);
}

TEST_CASE("the busiest stage has the most layers of all, however schedules pair them") {
  for (const auto schedule : kAll) {
    for (double layers = 4; layers <= 130; ++layers) {
      for (const double p : {1, 2, 4, 6, 16, 32}) {
        if (p > layers) continue;
        const auto layout = pipeline(schedule, p);
        const auto cuts = model_cuts(layout);
        const auto parts = stage_layers(count_of(layers), cuts);
        const auto of_cut = [&](double i) { return layers_of_cut(parts, cuts.value(), i).value(); };
        double all = 0;
        for (double i = 0; i < cuts.value(); ++i) all += of_cut(i);
        CHECK(all == layers);
        double most = 0;
        for (double i = 0; i < p; ++i) {
          if (!holds_pairs(layout)) {
            most = std::fmax(most, of_cut(i));
          } else {
            const double both = of_cut(i) + of_cut(cuts.value() - 1 - i);
            most = std::fmax(
                most, row_of(schedule).course == PipelineCourse::kBothEnds ? both / 2 : both);
          }
        }
        INFO(row_of(schedule).name << " " << layers << " in " << p);
        CHECK(busiest_layers(count_of(layers), layout).value() == most);
      }
    }
  }
}

TEST_CASE("layers that divide lie evenly, of one to spare the last stage is short") {
  const auto is = [](double layers, double stages, double first, double most, double last) {
    const auto found = stage_layers(count_of(layers), count_of(stages));
    CHECK(found.first.value() == first);
    CHECK(found.most.value() == most);
    CHECK(found.last.value() == last);
  };
  is(80, 16, 5, 5, 5);
  is(80, 1, 80, 80, 80);
  is(7, 2, 4, 4, 3);
  is(63, 8, 8, 8, 7);
  is(62, 8, 7, 8, 7);
  is(24, 24, 1, 1, 1);
}

TEST_CASE("however many stages: none is empty, and those between can take the rest") {
  for (double layers = 1; layers <= 130; ++layers) {
    for (double stages = 1; stages <= layers; ++stages) {
      CAPTURE(layers);
      CAPTURE(stages);
      const auto found = stage_layers(count_of(layers), count_of(stages));
      const double most = std::ceil(layers / stages);
      CHECK(found.most.value() == most);
      if (stages == 1) continue;
      const double first = found.first.value();
      const double last = found.last.value();
      CHECK(last >= std::fmax(1, most - 1));
      CHECK(first >= last);
      CHECK(first <= most);
      const double rest = layers - first - last;
      CHECK(rest >= (stages - 2) * (most - 1));
      CHECK(rest <= (stages - 2) * most);
    }
  }
}

}  // namespace
}  // namespace scaling::test::pipeline_test
