// SPDX-License-Identifier: MIT
//
// Derivations of serving.

#include "explain_turn.hpp"
#include "scaling/questions/serving/question.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  function("serving", &explain_question<ServingQuestion>);
  function("turn", &explain_turn<ServingQuestion>);
}

}  // namespace scaling
