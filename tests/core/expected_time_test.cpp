// SPDX-License-Identifier: MIT
//
// The expected times of operations and collectives on real chips.

#include "scaling/questions/expected_time.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "presets.hpp"
#include "support.hpp"

namespace scaling::test::expected_time_test {
namespace {

/// All tests of this program ask a core that holds the constants of kernels.
[[maybe_unused]] const bool kAnswers = [] {
  answer_expected_times<double>();
  answer_expected_times<Traced>();
  return true;
}();

template <template <class> class Group>
Raw<Group> group_of(const nlohmann::json& given) {
  auto raw = Raw<Group>::defaults();
  for (const auto& [key, value] : given.items()) set_field(raw, key, value);
  return raw;
}

/// The least that a golden kernel can take, and what is expected of it [s].
struct Answered {
  double lower, expected;
};

Answered answer(const nlohmann::json& row) {
  static const auto chips = chip_presets();
  const auto& chip = chips.at(row.at("chip").get<std::string>());
  if (row.at("question") == "collective") {
    const auto answers = collective(chip, group_of<Mesh>(row.at("mesh")),
                                    group_of<CollectiveRequest>(row.at("collective")));
    return {number<term::kCollectiveTime>(answers), number<term::kTimeExpected>(answers)};
  }
  const auto answers = operation(chip, group_of<OperationRequest>(row.at("operation")));
  return {number<term::kLowerBound>(answers), number<term::kTimeExpected>(answers)};
}

TEST_CASE(
    "measured kernels take about as long as is expected of them, and never less than they can") {
  std::vector<double> errors;
  const auto file = read_json(SCALING_GOLDEN_DIR "/kernels.json");
  for (const auto& row : file.at("kernels")) {
    const double measured = row.at("measured").get<double>();
    const auto [lower, expected] = answer(row);
    INFO(row.dump() << ": at least " << lower << ", expected " << expected);
    CHECK(lower <= measured);
    CHECK(expected >= lower);
    errors.push_back(std::abs(expected / measured - 1));
    CHECK(errors.back() < 0.35);
  }
  REQUIRE(errors.size() > 15);
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.08);
}

}  // namespace
}  // namespace scaling::test::expected_time_test
