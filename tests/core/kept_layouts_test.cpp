// SPDX-License-Identifier: MIT
//
// The lists that a search keeps, without a search.

#include "scaling/search/kept_layouts.hpp"

#include <random>
#include <vector>

#include "catch.hpp"
#include "scaling/search/layout_degrees.hpp"

namespace scaling::test::kept_layouts_test {
namespace {

CostedLayout costed(double tensor, double pipeline, double seconds, double memory) {
  CostedLayout plan{};
  plan.layout.tensor = Count<double>(tensor);
  plan.layout.pipeline = Count<double>(pipeline);
  plan.expected = seconds;
  plan.memory = memory;
  return plan;
}

/// The numbers that describe the best: their times, their ways, and the time of the one to use.
std::vector<double> told(const BestLayouts& best) {
  std::vector<double> numbers;
  for (const CostedLayout& plan : best.items()) {
    for (const double number :
         {plan.expected, plan.memory, plan.layout.tensor.value(), plan.layout.pipeline.value()}) {
      numbers.push_back(number);
    }
  }
  for (const CostedLayout& plan : best.chosen()) numbers.push_back(plan.expected);
  return numbers;
}

TEST_CASE("the limit of a way to divide: the worst that is kept, or the one of this way") {
  BestLayouts best;
  const auto limit = [&](double tensor) { return best.limit_for(costed(tensor, 1, 0, 0).layout); };
  CHECK(limit(1) == BestLayouts::kUnlimited);
  best.keep(costed(1, 1, 10, 1));
  // Up to 1 % behind the fastest, one with less memory may be the one to use.
  CHECK(limit(1) > 10.1);
  CHECK(limit(1) < 10.1001);
  CHECK(limit(2) == BestLayouts::kUnlimited);
  for (double i = 2; i <= 16; ++i) best.keep(costed(i, 1, 9 + i, 1));
  CHECK(limit(3) == 12);
  CHECK(limit(16) == 25);
  CHECK(limit(17) == 25);
}

TEST_CASE("a layout from the limit of its way on changes nothing, and one before it does") {
  std::mt19937 random(7);
  const auto pick = [&](unsigned most) { return static_cast<double>(1 + random() % most); };
  BestLayouts best;
  int behind = 0;
  int before = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto plan = costed(pick(6), pick(6), 100 + pick(1000) / 8, pick(1000));
    const double limit = best.limit_for(plan.layout);
    const auto had = told(best);
    best.keep(plan);
    if (plan.expected >= limit) {
      ++behind;
      REQUIRE(told(best) == had);
    } else if (plan.expected > 1.01 * best.items()[0].expected) {
      ++before;
      REQUIRE(told(best) != had);
    }
  }
  CHECK(behind > 1000);
  CHECK(before > 20);
}

TEST_CASE("values from the middle outwards are the same") {
  const auto from_middle = [](double number) {
    DegreeValues values;
    values.divide(number, number);
    values.order_from_middle();
    const auto items = values.items();
    return std::vector(items.begin(), items.end());
  };
  CHECK(from_middle(1) == std::vector<double>{1});
  CHECK(from_middle(7) == std::vector<double>{1, 7});
  CHECK(from_middle(12) == std::vector<double>{3, 4, 2, 6, 1, 12});
  CHECK(from_middle(256) == std::vector<double>{16, 32, 8, 64, 4, 128, 2, 256, 1});
}

}  // namespace
}  // namespace scaling::test::kept_layouts_test
