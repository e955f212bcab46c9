// SPDX-License-Identifier: MIT
//
// Feeds any doubles to each question: the core tells what is wrong with them, or every answer is a
// finite number or one of its choices, and its derivation comes to the same bits.

#include <cstddef>
#include <cstdint>

#include "expect.hpp"

namespace {

using namespace scaling;
using namespace scaling::fuzz;

void expect_consistent(const OperationQuestion::Answers<double>& answers) {
  // Times of several kernels are sums that round.
  constexpr double kRounding = 1 + 1e-12;
  const auto lower = answers.get<term::kLowerBound>();
  const auto upper = answers.get<term::kUpperBound>();
  const auto fraction = answers.get<term::kFractionOfPeak>();
  if (lower.present() && upper.present() &&
      !(lower.value <= kRounding * upper.value && upper.value <= 2 * kRounding * lower.value)) {
    fail("the bounds do not hold", "upper", upper.value.value());
  }
  if (fraction.present() && fraction.value.value() > 1) fail("faster than the peak");
  const auto network = answers.get<term::kNetworkTime>();
  if (network.present() && lower.present() && lower.value < network.value) {
    fail("faster than its network", "lower", lower.value.value());
  }
}

void expect_consistent(const CollectiveQuestion::Answers<double>& answers) {
  const auto time = answers.get<term::kCollectiveTime>();
  if (!time.present()) return;
  const auto moving = answers.get<term::kCollectiveBandwidthTime>().value;
  const auto waiting = answers.get<term::kCollectiveLatencyTime>().value;
  if (time.value < moving || time.value < waiting) fail("faster than its hops or its bytes");
  if (moving + waiting < time.value) fail("slower than its hops and its bytes");
  for (const auto& level : {answers.get<term::kDomainTime>(), answers.get<term::kLeafTime>(),
                            answers.get<term::kSpineTime>()}) {
    if (level.present() && moving < level.value) fail("faster than one of its levels");
  }
}

void expect_consistent(const TrainingQuestion::Answers<double>& answers) {
  const auto fraction = answers.get<term::kFractionOfPeak>();
  if (fraction.present() && fraction.value.value() > 1) fail("faster than the peak");
  const auto total = answers.get<term::kTotalMemory>();
  const auto weights = answers.get<term::kWeightMemory>();
  if (total.present() && weights.value > total.value) fail("a part exceeds the whole");
}

template <class Question>
void test_question(FuzzedDataProvider& data) {
  const bool any = data.ConsumeIntegralInRange<int>(0, 7) == 0;
  const std::size_t answers = Question::template Answers<double>::kSize;
  const auto explained = data.ConsumeIntegralInRange<std::size_t>(0, answers - 1);
  const auto room = data.ConsumeIntegral<std::uint8_t>();
  typename Question::Input input = any ? any_input<Question>(data) : changed_input<Question>(data);

  const Outcome<Question> outcome = estimate<Question>(input);
  expect_named(outcome.issues);
  expect_named(outcome.notices);
  if (outcome.issues.empty()) {
    for (std::size_t i = 0; i < answers; ++i) {
      expect_answer(*outcome.answers.kList[i], outcome.answers.values()[i],
                    outcome.answers.absences()[i]);
    }
    expect_consistent(outcome.answers);
  }
  expect_explained<Question>(input, outcome, explained);
  expect_bounded<Question>(input, explained, room);

  Issues issues;
  Issues notices;
  check<Question>(input, issues, notices, [](const auto&) {});
  if (issues.empty()) inputs::visit_fields(input, expect_valid);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  switch (data.ConsumeIntegralInRange<int>(0, 3)) {
    case 0:
      test_question<TrainingQuestion>(data);
      break;
    case 1:
      test_question<CollectiveQuestion>(data);
      break;
    default:
      test_question<OperationQuestion>(data);
  }
  return 0;
}
