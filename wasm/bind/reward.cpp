// SPDX-License-Identifier: MIT
//
// Training by reward as JavaScript sees it.

#include <vector>

#include "questions.hpp"
#include "rows.hpp"
#include "sampling.hpp"
#include "scaling/questions/reward/question.hpp"

namespace scaling {
namespace {

/// A way to share out the chips.
struct TriedSplit {
  double chips, seconds;
};

inline constexpr Column<TriedSplit> kSplitColumns[] = {
    {"chips", [](const auto& split) { return split.chips; }},
    {"seconds", [](const auto& split) { return split.seconds; }},
};

val split_columns() { return column_names(kSplitColumns); }

/// {splits}: a row for each that was tried and fits.
val splits() {
  static std::vector<double> rows;  // outlives the call, for the view
  return with_input<RewardQuestion>([](const auto& typed, val& object) {
    const RewardPlan plan = choose_reward(typed.plain);
    rows.resize(plan.tried.size * std::size(kSplitColumns));
    std::size_t n = 0;
    for (std::size_t i = 0; i < plan.tried.size; ++i) {
      if (!(plan.took[i] > 0)) continue;
      n = put_row(kSplitColumns, TriedSplit{plan.tried.chips[i], plan.took[i]}, rows, n);
    }
    object.set("splits", typed_memory_view(n, rows.data()));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(reward) {
  emscripten::function("axis", &axis_view);
  emscripten::function("splitColumns", &split_columns);
  emscripten::function("splits", &splits);
  bind_of<"estimate", RewardQuestion>(&estimate_question<RewardQuestion>);
  bind_of<"sweep", RewardQuestion>(&sweep_question<RewardQuestion>);
}

}  // namespace scaling
