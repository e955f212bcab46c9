// SPDX-License-Identifier: MIT
//
// Derivations of trainings, operations and collectives.

#include "derivations.hpp"
#include "scaling/questions/expected_time.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  answer_expected_times<double>();
  answer_expected_times<Traced>();
  function("training", &explain_question<TrainingQuestion>);
  function("operation", &explain_question<OperationQuestion>);
  function("collective", &explain_question<CollectiveQuestion>);
}

}  // namespace scaling
