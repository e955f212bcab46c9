// SPDX-License-Identifier: MIT
//
// The planner as JavaScript sees it: one layout's step, and the search for the best.

#include "bind.hpp"
#include "scaling/plan_question.hpp"

namespace scaling {
namespace {

inline constexpr std::size_t kTapeNodes = 1u << 15;

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;
  using emscripten::value_object;

  bind_group<Chip>();
  bind_group<Model>();
  bind_group<Run>();
  bind_group<Layout>();
  bind_group<Assumptions>();
  bind_group<SearchSpace>();
  value_object<PlanQuestion::Input>("PlanInput")
      .field("chip", &PlanQuestion::Input::chip)
      .field("model", &PlanQuestion::Input::model)
      .field("run", &PlanQuestion::Input::run)
      .field("layout", &PlanQuestion::Input::layout)
      .field("assumptions", &PlanQuestion::Input::assumptions)
      .field("search", &PlanQuestion::Input::search);

  function("estimate", &estimate_question<PlanQuestion>);
  function("explain", &explain_question<PlanQuestion, kTapeNodes>);
}

}  // namespace scaling
