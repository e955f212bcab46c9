// SPDX-License-Identifier: MIT
//
// Derivations of plans.

#include "derivations.hpp"
#include "scaling/questions/plan/question.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  function("plan", &explain_question<PlanQuestion>);
}

}  // namespace scaling
