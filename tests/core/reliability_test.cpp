// SPDX-License-Identifier: MIT
//
// Long runs among failures: Young's interval and waste, Daly's goodput.

#include <algorithm>
#include <cmath>

#include "plans.hpp"

namespace scaling::test::reliability_test {
namespace {

using Seconds = Quantity<kSecond, double>;

double goodput_of(double save, double interval, double restart, double mttf) {
  return goodput(Seconds(save), Seconds(interval), Seconds(restart), Seconds(mttf)).value();
}

TEST_CASE("Young's interval between checkpoints") {
  // sqrt(2 x 50 x 10,000), sqrt(2 x 2 x 1).
  CHECK(save_interval(Seconds(50), Seconds(10000)).value() == 1000);
  CHECK(save_interval(Seconds(2), Seconds(1)).value() == 2);
}

TEST_CASE("Young's waste, to first order") {
  // 50 / 1000 + (500 + 100) / 10,000.
  CHECK_THAT(save_waste(Seconds(50), Seconds(1000), Seconds(100), Seconds(10000)).value(),
             WithinRel(0.11, 1e-14));
}

TEST_CASE("Daly's goodput") {
  CHECK_THAT(goodput_of(50, 1000, 100, 10000),
             WithinRel(1000 / (10000 * std::exp(0.01) * std::expm1(0.105)), 1e-13));
  // The goodput is 1 less the waste, to first order.
  CHECK_THAT(goodput_of(1, 1000, 10, 1e6), WithinAbs(1 - (0.001 + 510 / 1e6), 2e-6));
  // Saving alone takes time if there are no failures.
  CHECK_THAT(goodput_of(50, 1000, 100, 1e15), WithinRel(1000.0 / 1050, 1e-9));
}

TEST_CASE("goodput falls with each of what takes time, and with failures") {
  const double base = goodput_of(50, 1000, 100, 10000);
  CHECK(goodput_of(60, 1000, 100, 10000) < base);
  CHECK(goodput_of(50, 1000, 200, 10000) < base);
  CHECK(goodput_of(50, 1000, 100, 9000) < base);
  CHECK(base < 1);
  CHECK(base > 0);
}

TEST_CASE("Young's interval is close to the best there is") {
  for (const double mttf : {1e3, 1e4, 1e6}) {
    for (const double save : {1.0, 30.0}) {
      double best = 0;
      for (double interval = 1; interval < mttf; interval *= 1.01) {
        best = std::max(best, goodput_of(save, interval, 60, mttf));
      }
      const double young = save_interval(Seconds(save), Seconds(mttf)).value();
      CHECK(goodput_of(save, young, 60, mttf) <= best * (1 + 1e-4));
      CHECK(goodput_of(save, young, 60, mttf) >= best * 0.995);
    }
  }
}

TEST_CASE("a run's failures, checkpoints and the time that it takes with them") {
  Planned in;
  in.model = with(llama3_8b(), {{"statedParameters", std::nan("")}});
  in = in.on({{"chips", 1024}, {"batchTokens", 1 << 22}, {"tokens", 15e12}})
           .under({{"chipMttf", 51200}, {"storageBandwidth", 1e7}, {"restartTime", 300}});
  const auto answers = in.answers();
  // 51,200 h / 1024.
  const double mttf = 50 * 3600;
  CHECK(number<term::kJobMttf>(answers) == mttf);
  CHECK_THAT(number<term::kFailuresPerDay>(answers), WithinRel(24.0 / 50, 1e-15));
  // 8,030,261,248 parameters: bf16 weights, fp32 master weights, two fp32 moments.
  const double bytes = 8030261248.0 * (2 + 4 + 8);
  CHECK(number<term::kSaveBytes>(answers) == bytes);
  const double save = bytes / (1024 * 1e7);
  CHECK_THAT(number<term::kSaveTime>(answers), WithinRel(save, 1e-14));
  const double interval = std::sqrt(2 * save * mttf);
  CHECK_THAT(number<term::kSaveInterval>(answers), WithinRel(interval, 1e-14));
  const double good =
      interval / (mttf * std::exp(300 / mttf) * std::expm1((interval + save) / mttf));
  CHECK_THAT(number<term::kGoodput>(answers), WithinRel(good, 1e-12));
  const double time = number<term::kStepExpected>(answers) * (15e12 / (1 << 22));
  CHECK_THAT(number<term::kTrainingTime>(answers), WithinRel(time, 1e-14));
  CHECK_THAT(number<term::kWallTime>(answers), WithinRel(time / good, 1e-12));
  // 10.8 dollars an hour each.
  CHECK_THAT(number<term::kWallCost>(answers), WithinRel(10.8 * 1024 * time / good / 3600, 1e-12));
}

}  // namespace
}  // namespace scaling::test::reliability_test
