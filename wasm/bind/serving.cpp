// SPDX-License-Identifier: MIT
//
// Serving as JavaScript sees it: one load, the best division of its chips, and the frontier of time
// against throughput.

#include <array>
#include <vector>

#include "questions.hpp"
#include "rows.hpp"
#include "sampling.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/search/serving_frontier.hpp"

namespace scaling {
namespace {

/// {ways}: nine numbers, in the order of GivenWays, which are those that are given; 0 where the
/// search chooses, and -1 whether it divides the cache by sequences. Null where one is none of
/// these.
val divide(double tensor, double data, double expert, double pipeline, double prefill_chips,
           double prefill_tensor, double prefill_data, double prefill_expert, double by_batch) {
  static std::array<double, 9> ways;  // outlives the call, for the view
  const GivenWays given{tensor,         data,         expert,         pipeline, prefill_chips,
                        prefill_tensor, prefill_data, prefill_expert, by_batch};
  if (!given.sound()) return val::null();
  return with_input<ServingQuestion>([&](const auto& typed, val& object) {
    const DivisionSearch search{ServingInput<double>(typed.plain), given};
    const ServingDivision& best = search.best();
    ways = {best.tensor,       best.data,           best.expert,
            best.pipeline,     best.prefill_chips,  best.prefill_tensor,
            best.prefill_data, best.prefill_expert, best.by_batch ? 1.0 : 0.0};
    object.set("ways", typed_memory_view(ways.size(), ways.data()));
  });
}

inline constexpr Column<ServingPoint> kPointColumns[] = {
    {"timePerToken", [](const auto& point) { return point.token; }},
    {"tokensPerSecondPerChip", [](const auto& point) { return point.speed; }},
    {"sequences", [](const auto& point) { return point.sequences; }},
    {"chips", [](const auto& point) { return point.chips; }},
    {"tensor", [](const auto& point) { return point.tensor; }},
    {"attentionData", [](const auto& point) { return point.data; }},
    {"expert", [](const auto& point) { return point.expert; }},
    {"pipeline", [](const auto& point) { return point.pipeline; }},
    {"costOutput", [](const auto& point) { return point.cost; }},
    {"divideByBatch", [](const auto& point) { return point.by_batch ? 1.0 : 0.0; }},
};

val point_columns() { return column_names(kPointColumns); }

/// {points}: a row each.
val frontier() {
  static std::vector<double> rows;  // outlives the call, for the view
  return with_input<ServingQuestion>([](const auto& typed, val& object) {
    const ServingFrontier found{ServingInput<double>(typed.plain)};
    rows.resize(found.points().size() * std::size(kPointColumns));
    std::size_t n = 0;
    for (const ServingPoint& point : found.points()) n = put_row(kPointColumns, point, rows, n);
    object.set("points", typed_memory_view(rows.size(), rows.data()));
  });
}

/// The number of the input's chips that can be bought and is the nearest to `chips`: no fewer, or
/// no more where they are `within`. NaN where the chip is not valid.
double bought(double chips, bool within) {
  auto input = read_input<ServingQuestion>();
  Issues issues;
  check_fields(raw_group<Chip>(input), issues);
  if (!issues.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto chip = read_group<Chip, double>(raw_group<Chip>(input));
  const Quantity<kChip, double> asked(chips);
  return (within ? bought_within(chip, asked) : bought_chips(chip, asked)).value();
}

}  // namespace

EMSCRIPTEN_BINDINGS(serving) {
  using emscripten::function;

  function("bought", &bought);
  bind_of<"estimate", ServingQuestion>(&estimate_question<ServingQuestion>);
  function("divide", &divide);
  function("frontier", &frontier);
  function("pointColumns", &point_columns);
  function("axis", &axis_view);
  bind_of<"sweep", ServingQuestion>(&sweep_question<ServingQuestion>);
}

}  // namespace scaling
