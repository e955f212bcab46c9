// SPDX-License-Identifier: MIT
//
// Questions asked backward as JavaScript sees them: what meets a target, and its equation; and what
// a budget trains.

#include "describe.hpp"
#include "explain_turn.hpp"
#include "scaling/questions/budget_question.hpp"
#include "scaling/questions/expected_time.hpp"
#include "turns.hpp"

namespace scaling {
namespace {

val describe() { return description_of<BudgetQuestion>(); }

/// {issues}, or {absence, now, met, turns}. Null where there is no such answer.
template <class Question>
val solve_question(const Packed<Question>& given, std::size_t answer, unsigned wanted,
                   double value) {
  if (!can_want<Question>(answer, wanted)) return val::null();
  std::array<Turn, kMostTurns> turns;
  Solved solved;
  solve_target<Question>(read_input<Question>(given), {answer, static_cast<Wanted>(wanted), value},
                         turns, solved);
  return solution(solved, std::span(turns).first(solved.size));
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  bind_questions<TrainingQuestion, OperationQuestion, CollectiveQuestion, BudgetQuestion>();

  answer_expected_times<double>();

  function("describe", &describe);
  function("estimate", &estimate_question<BudgetQuestion>);
  function("budget", &explain_question<BudgetQuestion>);
  function("solveTraining", &solve_question<TrainingQuestion>);
  function("solveOperation", &solve_question<OperationQuestion>);
  function("solveCollective", &solve_question<CollectiveQuestion>);
  function("solveBudget", &solve_question<BudgetQuestion>);
  function("explainTraining", &explain_turn<TrainingQuestion>);
  function("explainOperation", &explain_turn<OperationQuestion>);
  function("explainCollective", &explain_turn<CollectiveQuestion>);
  function("explainBudget", &explain_turn<BudgetQuestion>);
}

}  // namespace scaling
