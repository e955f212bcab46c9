// SPDX-License-Identifier: MIT
//
// Measured steps (tests/golden/runs.json): each must lie between the planner's bounds, not far from
// what it expects, and in the memory of the chips that it ran on.

#include "presets.hpp"
#include "scaling/questions/plan/question.hpp"

namespace scaling::test::golden_steps_test {
namespace {

/// A group's settings that all runs have in common, and those of one.
template <template <class> class Group>
Raw<Group> group_of(const nlohmann::json& file, const nlohmann::json& run) {
  auto raw = Raw<Group>::defaults();
  const char* name = Group<double>::kGroup;
  const auto none = nlohmann::json::object();
  for (const auto& settings : {file.at("common").value(name, none), run.value(name, none)}) {
    for (const auto& [key, value] : settings.items()) set_field(raw, key, value);
  }
  return raw;
}

TEST_CASE("measured steps lie between the bounds, and what they hold in memory") {
  const auto file = read_json(SCALING_GOLDEN_DIR "/runs.json");
  const auto chip = chip_presets().at(file.at("chip").get<std::string>());
  REQUIRE(file.at("runs").size() == 18);
  for (const auto& run : file.at("runs")) {
    const auto with_assumptions = [&](const Raw<Assumptions>& assumptions) {
      return answers_to<PlanQuestion>({chip, group_of<Model>(file, run), group_of<Run>(file, run),
                                       group_of<Layout>(file, run), group_of<Stack>(file, run),
                                       assumptions, Raw<SearchSpace>::defaults()});
    };
    const auto answers = with_assumptions(group_of<Assumptions>(file, run));
    const double lower = number<term::kStepLower>(answers);
    const double upper = number<term::kStepUpper>(answers);
    const double expected =
        number<term::kStepExpected>(with_assumptions(Raw<Assumptions>::defaults()));
    const double measured = run.at("seconds").get<double>();
    INFO(run.at("id").get<std::string>()
         << ": at least " << lower << ", expected " << expected << ", at most " << upper
         << ", measured " << measured << " s");
    CHECK(lower < measured);
    CHECK(measured < upper);
    CHECK_THAT(expected, WithinRel(measured, 0.25));
    CHECK(number<term::kFits>(answers) == 1);
    if (!run.contains("calculonSeconds")) continue;
    const double modelled = run.at("calculonSeconds").get<double>();
    CHECK(lower < modelled);
    CHECK(modelled < upper);
  }
}

}  // namespace
}  // namespace scaling::test::golden_steps_test
