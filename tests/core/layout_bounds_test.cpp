// SPDX-License-Identifier: MIT
//
// Bounds that the search rules layouts out by, against what they bound. search_oracle_test.cpp
// compares all that is found by them.

#include <algorithm>
#include <cmath>
#include <memory>

#include "plans.hpp"
#include "presets.hpp"
#include "scaling/search/layer_prices.hpp"

namespace scaling::test::layout_bounds_test {
namespace {

TEST_CASE(
    "at full rates no layer takes less than its lower bound, made of that of many sequences") {
  constexpr double kRounding = 1 + 1e-12;
  const auto models = model_presets();
  inputs::Numbers numbers;
  int tighter = 0;
  for (int n = 0; n < 300; ++n) {
    CAPTURE(n);
    Planned plan;
    auto model = models.begin();
    std::advance(model, static_cast<int>(numbers.place(models.size())));
    INFO(model->first);
    plan.model = model->second;
    plan = any_plan(plan, numbers).under({{"rates", RatesFrom::kMeasured}});
    const auto in = plan.groups();
    const auto prices = std::make_unique<LayerPrices>();  // too large for the stack
    const StepInput<double> step(in);
    const LayerSeconds bound = prices->seconds(step, {}, true);
    const LayerPrice& price = prices->find(step, {});
    const LayerSeconds exact(price.layers.work, price.ends);
    for (const auto kind : {&LayerSeconds::dense, &LayerSeconds::sparse, &LayerSeconds::head}) {
      CHECK((bound.*kind).forward == (exact.*kind).forward);
      CHECK((bound.*kind).back == (exact.*kind).back);
    }
    for (const auto kind :
         {&LayerSeconds::dense_lower, &LayerSeconds::sparse_lower, &LayerSeconds::head_lower}) {
      CHECK((bound.*kind).forward <= kRounding * (exact.*kind).forward);
      CHECK((bound.*kind).back <= kRounding * (exact.*kind).back);
    }
    const auto lower = [](const LayerSeconds& of) {
      return of.dense_lower.both() + of.sparse_lower.both();
    };
    if (lower(bound) > 0.5 * lower(exact)) {
      ++tighter;
    }
  }
  CHECK(tighter > 100);
}

TEST_CASE("launches of both passes at once take no longer than those of each apart") {
  inputs::Numbers numbers;
  const auto any = [&] { return static_cast<double>(numbers.below(1000)) / 100; };
  for (int n = 0; n < 1000; ++n) {
    const double forward = any();
    const double back = any();
    const double host = any();
    for (const bool asks : {false, true}) {
      const double apart =
          with_launches(forward, host / 3, asks) + with_launches(back, 2 * host / 3, asks);
      CHECK(with_launches(forward + back, host, asks) <= apart * (1 + 1e-12));
      CHECK(with_launches(forward, host, asks) >= std::max(forward, host));
    }
  }
}

}  // namespace
}  // namespace scaling::test::layout_bounds_test
