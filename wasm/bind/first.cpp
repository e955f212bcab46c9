// SPDX-License-Identifier: MIT
//
// The module that answers at once: it has all descriptions, trainings and budgets.

#include "all_questions.hpp"
#include "describe.hpp"

namespace scaling {
namespace {

val describe() { return description_of(AllQuestions()); }

}  // namespace

EMSCRIPTEN_BINDINGS(first) {
  emscripten::function("describe", &describe);
  bind_of<"estimate", TrainingQuestion>(&estimate_question<TrainingQuestion>);
  bind_of<"estimate", BudgetQuestion>(&estimate_question<BudgetQuestion>);
}

}  // namespace scaling
