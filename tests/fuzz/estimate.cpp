// SPDX-License-Identifier: MIT
//
// Whatever doubles come in, for each question: the core tells what is wrong with them, or every
// answer is a finite number or one of its choices, and its derivation comes to the same bits.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "../core/recompute.hpp"
#include "input.hpp"

namespace {

using namespace scaling;
using namespace scaling::fuzz;

// --- what must hold ---

void expect_valid(const FieldInfo& info, double value) {
  if (std::isnan(value)) {
    if (!info.optional) fail("no value passed the check", info.key);
    return;
  }
  if (!(value >= info.minimum && value <= info.maximum)) {
    fail("a value out of range passed the check", info.key, value);
  }
  if (info.kind != Kind::kNumber && value != std::floor(value)) {
    fail("a fraction passed the check", info.key, value);
  }
}

void expect_named(const Issues& issues) {
  for (const Issue& issue : issues.items()) {
    if (issue.group == nullptr || issue.field == nullptr) fail("an issue without a field");
    if (static_cast<std::size_t>(issue.code) >= kIssueNames.size()) fail("no such issue");
    for (const double argument : issue.arguments) {
      if (!std::isfinite(argument)) fail("an issue's argument", issue.field, argument);
    }
  }
}

void expect_answer(const Term& term, double value, Absence absence) {
  if (static_cast<std::size_t>(absence) >= std::size(kAbsenceNames)) fail("no such absence");
  if (absence != Absence::kPresent) return;
  if (!std::isfinite(value)) fail("an answer is not finite", term.key, value);
  if (std::signbit(value) && std::string_view(term.key) != "memoryLeft") {
    fail("an answer is below zero", term.key, value);
  }
  const auto choices = static_cast<double>(term.choices.size());
  if (choices > 0 && (value >= choices || value != std::floor(value))) {
    fail("an answer is none of its choices", term.key, value);
  }
}

std::size_t arguments_of(Op op) {
  switch (op) {
    case Op::kNumber:
    case Op::kInput:
      return 0;
    case Op::kStep:
    case Op::kSqrt:
    case Op::kCeil:
    case Op::kFloor:
    case Op::kNearestPowerOfTwo:
    case Op::kPowerOfTwoBelow:
    case Op::kExpMinusOne:
      return 1;
    default:
      return 2;
  }
}

/// Every value on the tape is what its operation makes of values that stand before it.
void expect_sound(const Tape& tape) {
  if (tape.full()) fail("the tape is full");
  for (NodeId id = 1; id < tape.size(); ++id) {
    const Node& node = tape[id];
    const std::size_t arguments = arguments_of(node.op);
    if ((node.left != kNowhere) != (arguments > 0) || (node.right != kNowhere) != (arguments > 1)) {
      fail("an operation has too few or too many arguments", node.term ? node.term->key : "", id);
    }
    if (node.left >= id || node.right >= id) fail("an argument stands after its operation");
    if ((node.op == Op::kStep) != (node.term != nullptr)) fail("a step without a name");
    if ((node.op == Op::kInput) != (node.field != nullptr)) fail("an input without a field");
    const double value = recompute(node, tape[node.left].value, tape[node.right].value);
    if (!same_bits(node.value, value) && !(std::isnan(node.value) && std::isnan(value))) {
      fail("a value is not what its operation makes", node.term ? node.term->key : "", value);
    }
  }
}

template <class Question>
void expect_explained(const typename Question::Input& input, const Outcome<Question>& outcome,
                      std::size_t index) {
  static std::array<Node, 4096> storage;  // as many as the binding has
  Tape tape(storage);
  Issues issues;
  const NodeId root = explain<Question>(input, index, tape, issues);
  if (issues.items().size() != outcome.issues.items().size()) fail("explain finds other issues");
  if (!issues.empty()) {
    if (root != kNowhere) fail("a bad input is explained");
    return;
  }
  expect_sound(tape);
  const Term& term = *outcome.answers.kList[index];
  const bool present = outcome.answers.absences()[index] == Absence::kPresent;
  if ((root != kNowhere) != present) fail("a derivation too many or too few", term.key);
  if (root == kNowhere) return;
  if (tape[root].term != &term) fail("a derivation of something else", term.key);
  if (!same_bits(tape[root].value, outcome.answers.values()[index])) {
    fail("the derivation comes to another value", term.key, tape[root].value);
  }
}

void expect_consistent(const OperationQuestion::Answers<double>& answers) {
  // Of several kernels, times are sums that round.
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

/// Memory for a derivation may run out at any place: the tape says so.
template <class Question>
void expect_bounded(const typename Question::Input& input, std::size_t index, std::size_t room) {
  static std::array<Node, 256> storage;
  Tape tape(std::span(storage).first(room));
  Issues issues;
  const NodeId root = explain<Question>(input, index, tape, issues);
  if (root > tape.size()) fail("a derivation outside its tape");
  if (!tape.full()) expect_sound(tape);
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
