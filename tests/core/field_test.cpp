// SPDX-License-Identifier: MIT

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support.hpp"

namespace scaling::test::field_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Every field of a group at a value it allows.
template <template <class> class Group>
Raw<Group> allowed() {
  Raw<Group> raw = Raw<Group>::defaults();
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    if (std::isnan(raw.values[i])) raw.values[i] = kFields<Group>[i].minimum;
  }
  return raw;
}

/// A pattern that has the letter.
Text pattern_with(const char* letter) {
  const std::string mark = letter;
  if (mark == "d" || mark == "e") return Text("a" + mark);
  return Text(mark + (mark == "c" ? "4d" : "d"));
}

/// `raw` so that field `i` matters.
template <template <class> class Group>
Raw<Group> with_condition(Raw<Group> raw, std::size_t i) {
  const FieldInfo& info = kFields<Group>[i];
  if (info.when_index < 0) return raw;
  const auto place = static_cast<std::size_t>(info.when_index);
  double& other = raw.values[place];
  const FieldInfo& told = kFields<Group>[place];
  if (told.kind == Kind::kText) {
    std::size_t letter = 0;
    while (((info.when_mask >> letter) & 1u) == 0) ++letter;
    raw.text(told.key) = pattern_with(told.choices[letter]);
    return raw;
  }
  other = 0;
  if (info.when_mask == 0) {
    other = 1;
  } else {
    while (((info.when_mask >> static_cast<unsigned>(other)) & 1u) == 0) ++other;
  }
  return with_condition(raw, place);  // which may have one of its own
}

/// `raw` so that field `i` does not matter.
template <template <class> class Group>
Raw<Group> without_condition(Raw<Group> raw, std::size_t i) {
  const FieldInfo& info = kFields<Group>[i];
  double& other = raw.values[static_cast<std::size_t>(info.when_index)];
  other = 0;
  if (kFields<Group>[static_cast<std::size_t>(info.when_index)].kind == Kind::kText) return raw;
  while (((info.when_mask >> static_cast<unsigned>(other)) & 1u) != 0) ++other;
  return raw;
}

template <template <class> class Group>
Issues check(Raw<Group> raw) {
  Issues issues;
  check_fields(raw, issues);
  return issues;
}

/// Expects the check of field `i` to report `code` for `value`.
template <template <class> class Group>
void expect(std::size_t i, double value, IssueCode code) {
  Raw<Group> raw = with_condition(allowed<Group>(), i);
  raw.values[i] = value;
  const Issues issues = check(raw);
  const FieldInfo& info = kFields<Group>[i];
  INFO(info.group << "." << info.key << " = " << value);
  REQUIRE(issues.items().size() == 1);
  const Issue& issue = issues.items()[0];
  CHECK(static_cast<int>(issue.code) == static_cast<int>(code));
  CHECK(std::string(issue.group) == info.group);
  CHECK(std::string(issue.field) == info.key);
  CHECK(issue.arguments[0] == info.minimum);
  CHECK(issue.arguments[1] == info.maximum);
}

template <template <class> class Group>
void expect_nothing(std::size_t i, double value) {
  Raw<Group> raw = with_condition(allowed<Group>(), i);
  raw.values[i] = value;
  INFO(kFields<Group>[i].group << "." << kFields<Group>[i].key << " = " << value);
  CHECK(check(raw).empty());
}

/// Runs `test` for each group of input.
template <class Test>
void each_group(Test test) {
  test.template operator()<Chip>();
  test.template operator()<Model>();
  test.template operator()<Run>();
  test.template operator()<Mesh>();
  test.template operator()<OperationRequest>();
  test.template operator()<CollectiveRequest>();
  test.template operator()<Layout>();
  test.template operator()<Assumptions>();
  test.template operator()<SearchSpace>();
}

/// Runs `test` for each field of each group but texts.
template <class Test>
void each_field(Test test) {
  each_group([&]<template <class> class Group>() {
    for (std::size_t i = 0; i < kFieldCount<Group>; ++i) {
      if (kFields<Group>[i].kind == Kind::kText) continue;
      test.template operator()<Group>(kFields<Group>[i], i);
    }
  });
}

/// Whether by their conditions at most one of two fields matters.
bool exclude_each_other(const FieldInfo& a, const FieldInfo& b) {
  return a.when_index >= 0 && a.when_index == b.when_index && (a.when_mask & b.when_mask) == 0;
}

TEST_CASE("keys are unique in their group, and so are the symbols of numbers that meet") {
  each_group([]<template <class> class Group>() {
    std::set<std::string> keys;
    std::map<std::string, std::vector<FieldInfo>> symbols;
    for (const FieldInfo& info : kFields<Group>) {
      INFO(info.group << "." << info.key);
      CHECK(keys.insert(info.key).second);
      const bool is_number = info.kind == Kind::kNumber || info.kind == Kind::kCount;
      CHECK(std::string(info.symbol).empty() != is_number);
      if (!is_number) continue;
      for (const FieldInfo& other : symbols[info.symbol]) CHECK(exclude_each_other(info, other));
      symbols[info.symbol].push_back(info);
    }
  });
}

TEST_CASE("fractions are shown in percent, and counts are doubled") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t) {
    INFO(info.group << "." << info.key);
    if (info.shown == Shown::kPercent) {
      CHECK(info.dimension == kOne);
      CHECK(info.maximum == 1);
    }
    if (info.shown == Shown::kDoubling) CHECK(info.kind == Kind::kCount);
  });
}

TEST_CASE("ranges are ranges, and what stands in for a missing value lies in them") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t) {
    INFO(info.group << "." << info.key);
    CHECK(info.minimum <= info.maximum);
    CHECK(std::isfinite(info.minimum));
    CHECK(std::isfinite(info.maximum));
    if (info.kind == Kind::kChoice) {
      CHECK(info.choices.size() >= 2);
      CHECK(info.maximum == static_cast<double>(info.choices.size()) - 1);
    }
    if (info.kind == Kind::kFlag) CHECK(info.maximum == 1);
    if (!info.has_fallback) return;
    CHECK_FALSE(info.optional);
    CHECK(info.fallback >= info.minimum);
    CHECK(info.fallback <= info.maximum);
    if (info.kind != Kind::kNumber) CHECK(info.fallback == std::floor(info.fallback));
  });
}

TEST_CASE("choices and flags always have a value to fall back to") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t) {
    INFO(info.group << "." << info.key);
    if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) CHECK(info.has_fallback);
  });
}

TEST_CASE("what a field depends on is a field of the same group that can be either way") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.when_key == nullptr) return;
    INFO(info.group << "." << info.key);
    REQUIRE(info.when_index >= 0);
    const FieldInfo& other = kFields<Group>[static_cast<std::size_t>(info.when_index)];
    CHECK(std::string(other.key) == info.when_key);
    CHECK(static_cast<std::size_t>(info.when_index) != i);
    // Chains of conditions end.
    std::size_t length = 1;
    for (const FieldInfo* each = &other; each->when_index >= 0 && length < 10; ++length) {
      each = &kFields<Group>[static_cast<std::size_t>(each->when_index)];
    }
    CHECK(length < 3);
    if (info.when_mask == 0) {
      CHECK(other.kind == Kind::kCount);
      CHECK(other.minimum == 0);
    } else {
      CHECK((other.kind == Kind::kChoice || other.kind == Kind::kText));
      const std::uint32_t all = (1u << other.choices.size()) - 1;
      CHECK((info.when_mask & ~all) == 0);
      CHECK(info.when_mask != all);
    }
  });
}

TEST_CASE("a group starts from its fallbacks") {
  each_group([]<template <class> class Group>() {
    const auto raw = Raw<Group>::defaults();
    for (std::size_t i = 0; i < raw.values.size(); ++i) {
      const FieldInfo& info = kFields<Group>[i];
      INFO(info.group << "." << info.key);
      CHECK(std::isnan(raw.values[i]) != info.has_fallback);
      if (info.has_fallback) CHECK(raw.values[i] == info.fallback);
    }
  });
}

TEST_CASE("a missing number is reported unless it is optional") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) return;
    if (info.optional) {
      expect_nothing<Group>(i, kNan);
    } else {
      expect<Group>(i, kNan, IssueCode::kNotANumber);
    }
  });
}

TEST_CASE("infinite numbers are reported") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) return;
    expect<Group>(i, kInfinity, IssueCode::kNotFinite);
    expect<Group>(i, -kInfinity, IssueCode::kNotFinite);
  });
}

TEST_CASE("numbers out of range are reported, the ends of the range are in it") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) return;
    expect_nothing<Group>(i, info.minimum);
    expect_nothing<Group>(i, info.maximum);
    expect<Group>(i, info.minimum - 1, IssueCode::kBelowMinimum);
    expect<Group>(i, -std::numeric_limits<double>::max(), IssueCode::kBelowMinimum);
    expect<Group>(i, info.maximum * 2, IssueCode::kAboveMaximum);
    expect<Group>(i, std::numeric_limits<double>::max(), IssueCode::kAboveMaximum);
  });
}

TEST_CASE("fractions are reported where a count is meant") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.kind == Kind::kCount) {
      expect<Group>(i, info.minimum + 0.5, IssueCode::kNotWhole);
    } else if (info.kind == Kind::kNumber) {
      expect_nothing<Group>(i, info.minimum + (info.maximum - info.minimum) * 0.3);
    }
  });
}

TEST_CASE("what is none of the choices is reported") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.kind != Kind::kChoice && info.kind != Kind::kFlag) return;
    for (double value = 0; value <= info.maximum; ++value) {
      Raw<Group> raw = with_condition(allowed<Group>(), i);
      raw.values[i] = value;
      CHECK(check(raw).empty());
    }
    for (const double value : {-1.0, info.maximum + 1, 0.5, 1e300, kInfinity, -kInfinity}) {
      expect<Group>(i, value, IssueCode::kUnknownChoice);
    }
    // An index that is no number at all.
    Raw<Group> raw = with_condition(allowed<Group>(), i);
    raw.values[i] = kNan;
    CHECK_FALSE(check(raw).empty());
  });
}

TEST_CASE("a field that does not matter may hold anything, and ends up harmless") {
  each_field([]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    if (info.when_key == nullptr) return;
    INFO(info.group << "." << info.key);
    for (const double value : {kNan, kInfinity, -kInfinity, -1.0, 0.5, 1e308}) {
      Raw<Group> raw = without_condition(allowed<Group>(), i);
      raw.values[i] = value;
      Issues issues;
      check_fields(raw, issues);
      CHECK(issues.empty());
      CHECK(raw.values[i] == (info.has_fallback ? info.fallback : info.minimum));
    }
  });
}

TEST_CASE("a wrong choice is reported once, not again at what depends on it") {
  const auto raw = with(tpu_v5e(), {{"network", 7}, {"torusX", kNan}, {"scaleUpChips", kNan}});
  const Issues issues = check(raw);
  REQUIRE(issues.items().size() == 1);
  CHECK(std::string(issues.items()[0].field) == "network");
}

TEST_CASE("minus zero is zero") {
  Raw<Chip> raw = with(tpu_v5e(), {{"price", -0.0}});
  Issues issues;
  check_fields(raw, issues);
  CHECK(issues.empty());
  CHECK_FALSE(std::signbit(raw.values[index_of<Chip>("price")]));
}

TEST_CASE("a checked group reads as its types") {
  const auto chip = typed(tpu_v5p());
  CHECK(chip.memory.value() == 96e9);
  CHECK(chip.network == Network::kTorus);
  CHECK(chip.wraparound == Wraparound::kCubes);
  CHECK(chip.peak(Format::kInt8).value.value() == 9.18e14);
  CHECK(chip.peak(Format::kFp4).absence == Absence::kNotListed);
  CHECK(chip.price.value.value() == 4.2);
  CHECK_FALSE(chip.power.present());
  const auto model = typed(llama3_70b());
  CHECK(model.gated_feed_forward);
  CHECK_FALSE(model.tied_embeddings);
  CHECK_FALSE(model.sparse());
  CHECK(typed(mixtral_8x7b()).sparse());
}

TEST_CASE("each format has its own peak") {
  Raw<Chip> raw = tpu_v5e();
  const char* const keys[] = {"peakFp32", "peakBf16", "peakFp16", "peakFp8",
                              "peakInt8", "peakFp4",  "peakInt4", "peakTf32"};
  double peak = 1e12;
  for (const char* key : keys) raw = with(raw, {{key, peak += 1e12}});
  const auto chip = typed(raw);
  for (std::size_t i = 0; i < std::size(kFormatNames); ++i) {
    INFO(kFormatNames[i]);
    CHECK(chip.peak(static_cast<Format>(i)).value.value() == 2e12 + static_cast<double>(i) * 1e12);
  }
}

/// Gives one field its value and all others infinity, and expects that each field of `groups` that
/// matters is reported once, and nothing else.
template <class Question>
void expect_all_told(const std::set<std::string>& groups, const std::string& given = "",
                     double value = 0) {
  typename Question::Input input = inputs::base<Question>(0);
  std::set<std::string> expected;
  inputs::visit_fields(input, [&](const FieldInfo& info, double& each) {
    each = given == std::string(info.group) + "." + info.key ? value : kInfinity;
  });
  const auto values = Question::groups(input);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const FieldInfo& info : Question::kGroups[i]) {
      if (info.kind == Kind::kText) continue;
      const auto name = std::string(info.group) + "." + info.key;
      const bool matters = field_matters(Question::kGroups[i], info, values[i]);
      if (groups.count(info.group) > 0 && matters && name != given) expected.insert(name);
    }
  }
  std::set<std::string> told;
  const auto outcome = estimate<Question>(input);
  for (const Issue& issue : outcome.issues.items()) {
    CHECK(told.insert(std::string(issue.group) + "." + issue.field).second);
  }
  CHECK(told.size() > 20);
  for (const auto& name : expected) {
    INFO(name);
    CHECK(told.count(name) == 1);
  }
  CHECK(told.size() == expected.size());
}

TEST_CASE("every wrong field of an input is told, once") {
  // A field that depends on a choice is not reported while the choice is wrong.
  expect_all_told<TrainingQuestion>({"chip", "model", "run"});
  expect_all_told<CollectiveQuestion>({"chip", "mesh", "collective"});
  expect_all_told<PlanQuestion>(
      {"chip", "model", "run", "layout", "stack", "assumptions", "search"});
  expect_all_told<ServingQuestion>({"chip", "model", "serving", "server"});
  expect_all_told<OperationQuestion>({"chip", "operation"});
  const auto of_kind = [](OperationKind kind, const std::set<std::string>& groups) {
    expect_all_told<OperationQuestion>(groups, "operation.kind", static_cast<double>(kind));
  };
  of_kind(kOperation<operations::Matmul>, {"chip", "operation"});
  of_kind(kOperation<operations::ShardedMatmul>, {"chip", "mesh", "operation"});
  of_kind(kOperation<operations::Layer>, {"chip", "model", "operation"});
}

TEST_CASE("a list of issues that is full keeps the first ones") {
  Issues issues;
  for (int i = 0; i < 1000; ++i) issues.add(IssueCode::kNotANumber, "chip", "memory", i);
  CHECK(issues.items().size() < 1000);
  CHECK(issues.items().front().arguments[0] == 0);
  CHECK(issues.items().back().arguments[0] == static_cast<double>(issues.items().size()) - 1);
}

TEST_CASE("a value of any kind in any field never gets past the check unseen") {
  // Values that are not reported lie in their range, are whole where they have to be, or are
  // optional.
  const double values[] = {kNan, kInfinity, -kInfinity, -1, -0.0, 0,    1e-320,
                           0.5,  1,         31,         32, 1e18, 1e19, 1.7e308};
  each_field([&]<template <class> class Group>(const FieldInfo& info, std::size_t i) {
    for (const double value : values) {
      Raw<Group> raw = with_condition(allowed<Group>(), i);
      raw.values[i] = value;
      Issues issues;
      check_fields(raw, issues);
      if (!issues.empty()) continue;
      INFO(info.group << "." << info.key << " = " << value);
      const double checked = raw.values[i];
      if (std::isnan(checked)) {
        CHECK(info.optional);
        continue;
      }
      CHECK(checked >= info.minimum);
      CHECK(checked <= info.maximum);
      if (info.kind != Kind::kNumber) CHECK(checked == std::floor(checked));
    }
  });
}

}  // namespace
}  // namespace scaling::test::field_test
