// SPDX-License-Identifier: MIT
//
// Derivations of trainings, operations and collectives.

#include "derivations.hpp"
#include "questions.hpp"
#include "scaling/questions/expected_time.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  answer_expected_times<double>();
  answer_expected_times<Traced>();
  CoreQuestions::each(
      []<class Question>() { function(Question::kName, &explain_question<Question>); });
}

}  // namespace scaling
