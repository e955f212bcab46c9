// SPDX-License-Identifier: MIT
//
// Whatever doubles come in: the question of serving tells what is wrong with them, or answers
// soundly, with derivations that are the computation.

#include <cstddef>
#include <cstdint>

#include "expect.hpp"
#include "scaling/questions/serving_question.hpp"

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
  return 0;
}
