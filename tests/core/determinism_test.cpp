// SPDX-License-Identifier: MIT
//
// The same input gives the same bits with every compiler and as wasm: one digest of many answers,
// the same here as everywhere this test runs.

#include <cstdint>
#include <cstring>
#include <string_view>

#include "catch.hpp"
#include "inputs.hpp"

namespace scaling::test::determinism_test {
namespace {

/// FNV-1a.
class Digest {
 public:
  void add(std::uint64_t bits) {
    for (int shift = 0; shift < 64; shift += 8) {
      value_ = (value_ ^ ((bits >> shift) & 0xff)) * 0x100000001b3;
    }
  }
  void add(double number) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    add(bits);
  }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint64_t>(c));
  }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

struct Result {
  std::uint64_t digest;
  int answered;
};

/// The answers, or the issues, of `count` inputs: valid ones with up to four fields changed.
template <class Question>
Result digest_of(int count) {
  inputs::Numbers numbers;
  Digest digest;
  int answered = 0;
  for (int n = 0; n < count; ++n) {
    const auto input =
        inputs::vary<Question>(inputs::base<Question>(static_cast<std::size_t>(n)), numbers, 4);
    const Outcome<Question> outcome = estimate<Question>(input);
    for (const Issue& issue : outcome.issues.items()) {
      digest.add(std::string_view(issue.field));
      for (const double argument : issue.arguments) digest.add(argument);
    }
    if (!outcome.issues.empty()) continue;
    ++answered;
    for (std::size_t i = 0; i < outcome.answers.kSize; ++i) {
      const Absence absence = outcome.answers.absences()[i];
      digest.add(static_cast<std::uint64_t>(absence));
      if (absence == Absence::kPresent) digest.add(outcome.answers.values()[i]);
    }
  }
  return {digest.value(), answered};
}

// A change of a formula, a field or an answer changes the digests; the new ones are in the message
// of the failure. A failure on one system alone is what this test is for.

TEST_CASE("training answers have the same bits everywhere") {
  const Result result = digest_of<TrainingQuestion>(2000);
  INFO(result.answered << " answered");
  CHECK(result.answered > 1000);
  CHECK(result.digest == 0x6e5f3835e01b23de);
}

TEST_CASE("operation answers have the same bits everywhere") {
  const Result result = digest_of<OperationQuestion>(2000);
  INFO(result.answered << " answered");
  CHECK(result.answered > 1000);
  CHECK(result.digest == 0x41a2de1d4843ea51);
}

TEST_CASE("collective answers have the same bits everywhere") {
  const Result result = digest_of<CollectiveQuestion>(2000);
  INFO(result.answered << " answered");
  CHECK(result.answered > 1000);
  CHECK(result.digest == 0x7ecafdc5c4977e1e);
}

TEST_CASE("plans have the same bits everywhere") {
  const Result result = digest_of<PlanQuestion>(2000);
  INFO(result.answered << " answered");
  CHECK(result.answered > 1000);
  CHECK(result.digest == 0x199cd8de7ca274ca);
}

TEST_CASE("answers about serving have the same bits everywhere") {
  const Result result = digest_of<ServingQuestion>(2000);
  INFO(result.answered << " answered");
  CHECK(result.answered > 1000);
  CHECK(result.digest == 0x6704ce8fedc93f1e);
}

}  // namespace
}  // namespace scaling::test::determinism_test
