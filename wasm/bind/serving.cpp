// SPDX-License-Identifier: MIT
//
// Serving as JavaScript sees it: one load, the best division of its chips, and the frontier of time
// against throughput.

#include <array>
#include <cmath>
#include <vector>

#include "questions.hpp"
#include "rows.hpp"
#include "sampling.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/search/serving_frontier.hpp"

namespace scaling {
namespace {

/// A way that the search chooses, by the key of its field.
struct Way {
  const char* key;
  double GivenWays::*given;
  double ServingDivision::*found;
};
inline constexpr Way kWays[] = {
    {"tensor", &GivenWays::tensor, &ServingDivision::tensor},
    {"attentionData", &GivenWays::data, &ServingDivision::data},
    {"expert", &GivenWays::expert, &ServingDivision::expert},
    {"pipeline", &GivenWays::pipeline, &ServingDivision::pipeline},
    {"prefillChips", &GivenWays::prefill_chips, &ServingDivision::prefill_chips},
    {"prefillTensor", &GivenWays::prefill_tensor, &ServingDivision::prefill_tensor},
    {"prefillData", &GivenWays::prefill_data, &ServingDivision::prefill_data},
    {"prefillExpert", &GivenWays::prefill_expert, &ServingDivision::prefill_expert},
};

/// The ways, and behind them whether sequences divide the cache.
std::array<double, std::size(kWays) + 1> ways;

val way_columns() {
  val list = val::array();
  unsigned index = 0;
  for (const Way& way : kWays) list.set(index++, val(way.key));
  list.set(index, val("divideByBatch"));
  return list;
}

/// Memory for the ways that are given, which are written before the search; NaN where it chooses.
val ways_view() { return val(typed_memory_view(ways.size(), ways.data())); }

/// {ways}: the best, as they were given. Null where one is none that its field allows.
val divide() {
  GivenWays given;
  for (std::size_t i = 0; i < std::size(kWays); ++i) {
    if (!std::isnan(ways[i])) given.*kWays[i].given = ways[i];
  }
  if (!std::isnan(ways.back())) given.by_batch = ways.back();
  if (!given.sound()) return val::null();
  return with_input<ServingQuestion>([&](const auto& typed, val& object) {
    const DivisionSearch search{ServingInput<double>(typed.plain), given};
    const ServingDivision& best = search.best();
    for (std::size_t i = 0; i < std::size(kWays); ++i) ways[i] = best.*kWays[i].found;
    ways.back() = best.by_batch ? 1 : 0;
    object.set("ways", ways_view());
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
    {"costAll", [](const auto& point) { return point.cost; }},
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
  function("wayColumns", &way_columns);
  function("ways", &ways_view);
  function("divide", &divide);
  function("frontier", &frontier);
  function("pointColumns", &point_columns);
  function("axis", &axis_view);
  bind_of<"sweep", ServingQuestion>(&sweep_question<ServingQuestion>);
}

}  // namespace scaling
