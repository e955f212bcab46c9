// SPDX-License-Identifier: MIT
//
// Derivations of all questions, and of their equations solved for a field.

#include "derivations.hpp"

#include "all_questions.hpp"
#include "explain_turn.hpp"
#include "scaling/questions/expected_time.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(derivations) {
  answer_expected_times<double>();
  answer_expected_times<Traced>();
  AllQuestions::each(
      []<class Question>() { bind_of<"explain", Question>(&explain_question<Question>); });
  CoreQuestions::With<ServingQuestion, BudgetQuestion>::each(
      []<class Question>() { bind_of<"turn", Question>(&explain_turn<Question>); });
}

}  // namespace scaling
