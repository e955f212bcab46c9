// SPDX-License-Identifier: MIT
//
// Lengths of requests as a text.

#include "scaling/input/length_list.hpp"

#include <cmath>
#include <string>

#include "inputs.hpp"
#include "servers.hpp"

namespace scaling::test::length_list_test {
namespace {

LengthList read(const std::string& text) {
  LengthList list;
  TextFault fault{};
  INFO(text);
  REQUIRE(LengthList::parse(text, list, fault));
  return list;
}

void expect_fault(const std::string& text, IssueCode code, double argument) {
  LengthList list;
  TextFault fault{};
  INFO(text);
  REQUIRE_FALSE(LengthList::parse(text, list, fault));
  CHECK(static_cast<int>(fault.code) == static_cast<int>(code));
  CHECK(fault.argument == argument);
}

TEST_CASE("lengths are read with weights, as ranges, or one by one") {
  CHECK(read("").empty());
  CHECK(read(" \n").empty());
  CHECK(read("").letters == 0);

  const auto histogram = read("512:20, 2048:50, 8192:30");
  CHECK(histogram.size == 3);
  CHECK(histogram.letters == 1);
  CHECK_THAT(histogram.mean, WithinRel(0.2 * 512 + 0.5 * 2048 + 0.3 * 8192, 1e-12));
  const double squares = 0.2 * 512 * 512 + 0.5 * 2048 * 2048 + 0.3 * 8192 * 8192;
  CHECK_THAT(histogram.square, WithinRel(squares / (histogram.mean * histogram.mean), 1e-12));
  CHECK(histogram.longest == 8192);

  // A uniform distribution has a variance of its width squared over 12.
  const auto uniform = read("1024-3072");
  CHECK(uniform.mean == 2048);
  CHECK_THAT(uniform.square, WithinRel(1 + 2048.0 * 2048 / 12 / (2048.0 * 2048), 1e-12));
  CHECK(uniform.longest == 3072);

  // The same, in halves.
  const auto halves = read("1024-2048:7;2048-3072:7");
  CHECK_THAT(halves.mean, WithinRel(uniform.mean, 1e-12));
  CHECK_THAT(halves.square, WithinRel(uniform.square, 1e-12));

  const auto constant = read("777");
  CHECK(constant.mean == 777);
  CHECK(constant.square == 1);

  const auto column = read("100\r\n300\r\n100\n100.5:2\n");
  CHECK(column.size == 3);
  CHECK_THAT(column.mean, WithinRel((100 + 300 + 100 + 201) / 5.0, 1e-12));
  CHECK(read("4:0, 8:1").size == 1);
}

TEST_CASE("as many tokens more in each length are another list") {
  const auto longer = read("100-300:1, 700:2").longer_by(50);
  const auto same = read("150-350:1, 750:2");
  CHECK_THAT(longer.mean, WithinRel(same.mean, 1e-14));
  CHECK(longer.longest == same.longest);
  CHECK_THAT(longer.square, WithinRel(same.square, 1e-14));
  for (std::size_t i = 0; i < same.size; ++i) {
    CHECK(longer.items[i].from == same.items[i].from);
    CHECK(longer.items[i].to == same.items[i].to);
    CHECK(longer.items[i].share == same.items[i].share);
  }
  CHECK(read("").longer_by(50).empty());
}

TEST_CASE("what lengths can't be is told by place") {
  using enum IssueCode;
  expect_fault("abc", kLengthsUnreadable, 1);
  expect_fault(",", kLengthsUnreadable, 2);
  expect_fault("512:", kLengthsUnreadable, 5);
  expect_fault("512:20, x", kLengthsUnreadable, 9);
  expect_fault("512:20 -1", kLengthsUnreadable, 8);
  expect_fault("512k", kLengthsUnreadable, 4);
  expect_fault("0", kLengthsUnreadable, 1);
  expect_fault("8, 200-100", kLengthsUnreadable, 4);
  expect_fault("8, 200000000", kLengthsUnreadable, 4);
  expect_fault("8.", kLengthsUnreadable, 3);
  expect_fault("8:0", kLengthsUnreadable, 1);
  std::string many;
  for (int i = 1; i <= 33; ++i) many += std::to_string(i) + " ";
  expect_fault(many, kLengthsMost, 32);
}

TEST_CASE("listed lengths take the place of the mean and of its spread") {
  const auto of = [](const char* prompts, const char* answers, const Settings& settings) {
    auto input = serve("h100-sxm", "llama-3.1-8b", settings);
    input.serving.text("promptLengths") = Text(prompts);
    input.serving.text("answerLengths") = Text(answers);
    return answers_to<ServingQuestion>(input);
  };
  const auto compare = [](const auto& one, const auto& other) {
    CHECK(number<term::kFirstToken>(one) == number<term::kFirstToken>(other));
    CHECK(number<term::kTokenTime>(one) == number<term::kTokenTime>(other));
    CHECK(number<term::kOutputSpeed>(one) == number<term::kOutputSpeed>(other));
    CHECK(number<term::kMaxSequences>(one) == number<term::kMaxSequences>(other));
    CHECK(number<term::kTokenTimeP99>(one) == number<term::kTokenTimeP99>(other));
  };
  const Settings known{{"promptTokens", 2048}, {"answerTokens", 256}};
  compare(of("2048", "256:7", {{"promptSpread", 2}, {"answerTokens", 9}}), of("", "", known));
  CHECK(number<term::kPromptMean>(of("1024-3072", "", known)) == 2048);
  CHECK(number<term::kAnswerMean>(of("", "128, 384", known)) == 256);
}

TEST_CASE("lists of lengths that are not read are refused by name") {
  auto input = serve("h100-sxm", "llama-3.1-8b", {});
  input.serving.text("answerLengths") = Text("512:20, ?");
  const auto issues = estimate<ServingQuestion>(input).issues;
  REQUIRE(issues.items().size() == 1);
  CHECK(issues.items()[0].code == IssueCode::kLengthsUnreadable);
  CHECK(std::string(issues.items()[0].field) == "answerLengths");
}

}  // namespace
}  // namespace scaling::test::length_list_test
