// SPDX-License-Identifier: MIT
//
// Feeds any doubles to the question of serving: it tells what is wrong with them, or answers
// soundly, with derivations that are the computation; searches end, with ways that can be asked.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "expect.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/search/serving_frontier.hpp"

namespace scaling::fuzz {
namespace {

/// Searches with sanitizers take seconds above so many chips.
constexpr double kMostSearched = 64;
constexpr double kMostSearchedApart = 12;

GivenWays some_ways(FuzzedDataProvider& data) {
  const FieldInfo& field = field_of<Serving>("tensor");
  const auto some = [&] {
    switch (data.ConsumeIntegralInRange<int>(0, 3)) {
      case 0:
        return hostile_value(field, data);
      case 1:
        return static_cast<double>(data.ConsumeIntegralInRange<int>(1, 16));
      default:
        return 0.0;
    }
  };
  GivenWays given;
  for (double* ways :
       {&given.tensor, &given.data, &given.expert, &given.pipeline, &given.prefill_chips,
        &given.prefill_tensor, &given.prefill_data, &given.prefill_expert}) {
    *ways = some();
  }
  if (data.ConsumeBool()) given.by_batch = data.ConsumeBool() ? 1 : 0;
  return given;
}

void expect_ways(const char* what, double found, double given, const FieldInfo& field) {
  if (given > 0 && found != given) fail("a search changes the given ways", what, found);
  expect_valid(field, found);
}

void test_searches(const ServingQuestion::Input& input, FuzzedDataProvider& data) {
  Issues issues;
  Issues notices;
  auto checked = input;
  check<ServingQuestion>(checked, issues, notices, [&](const auto& typed) {
    const double most = typed.serving.apart ? kMostSearchedApart : kMostSearched;
    if (typed.serving.chips.value() > most) return;
    const ServingInput<double> in(typed.plain);
    if (data.ConsumeBool()) {
      static std::optional<ServingFrontier> frontier;  // too large for a stack
      for (const ServingPoint& point : frontier.emplace(in).points()) {
        if (!(point.token > 0 && point.speed > 0)) fail("a point of the frontier");
      }
      return;
    }
    const GivenWays given = some_ways(data);
    if (!given.sound()) return;
    const DivisionSearch search(in, given);
    const ServingDivision& best = search.best();
    expect_ways("tensor", best.tensor, given.tensor, field_of<Serving>("tensor"));
    expect_ways("data", best.data, given.data, field_of<Serving>("attentionData"));
    expect_ways("expert", best.expert, given.expert, field_of<Serving>("expert"));
    expect_ways("pipeline", best.pipeline, given.pipeline, field_of<Serving>("pipeline"));
  });
}

}  // namespace
}  // namespace scaling::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace scaling;
  using namespace scaling::fuzz;
  FuzzedDataProvider data(bytes, size);
  const bool any = data.ConsumeIntegralInRange<int>(0, 15) == 0;
  constexpr std::size_t kAnswers = ServingQuestion::Answers<double>::kSize;
  const auto explained = data.ConsumeIntegralInRange<std::size_t>(0, kAnswers - 1);
  const auto room = data.ConsumeIntegral<std::uint8_t>();
  const int changes = data.ConsumeIntegralInRange<int>(0, 12);
  const auto input =
      any ? any_input<ServingQuestion>(data) : changed_input<ServingQuestion>(data, changes);
  const Outcome<ServingQuestion> outcome = estimate<ServingQuestion>(input);
  expect_named(outcome.issues);
  expect_named(outcome.notices);
  if (outcome.issues.empty()) {
    for (std::size_t i = 0; i < kAnswers; ++i) {
      expect_answer(*outcome.answers.kList[i], outcome.answers.values()[i],
                    outcome.answers.absences()[i]);
    }
  }
  expect_explained<ServingQuestion, 1u << 15>(input, outcome, explained);
  expect_bounded<ServingQuestion>(input, explained, room);
  if (outcome.issues.empty() && data.ConsumeBool()) test_searches(input, data);
  return 0;
}
