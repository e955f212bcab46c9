// SPDX-License-Identifier: MIT
//
// Questions asked backward as JavaScript sees them: what meets a target, and its equation; and what
// a budget trains.

#include "derivations.hpp"
#include "describe.hpp"
#include "scaling/questions/budget_question.hpp"
#include "scaling/questions/expected_time.hpp"
#include "scaling/views/solved.hpp"

namespace scaling {
namespace {

val describe() { return description_of<BudgetQuestion>(); }

inline constexpr std::size_t kMostTurns = 128;
inline constexpr std::size_t kTurnNumbers = 6;

/// {issues}, or {absence, now, met, turns}: six numbers a turn, see Turn. Null where there is no
/// such answer.
template <class Question>
val solve_question(const Packed<Question>& given, std::size_t answer, unsigned wanted,
                   double value) {
  static std::array<double, kMostTurns * kTurnNumbers> rows;  // outlives the call, for the view
  if (!has_answer<Question>(answer) || wanted >= std::size(kWantedNames)) return val::null();
  std::array<Turn, kMostTurns> turns;
  Solved solved;
  solve_target<Question>(read_input<Question>(given), {answer, static_cast<Wanted>(wanted), value},
                         turns, solved);
  val result = val::object();
  if (!solved.issues.empty()) {
    result.set("issues", issue_list(solved.issues));
    return result;
  }
  std::size_t n = 0;
  for (const Turn& turn : std::span(turns).first(solved.size)) {
    for (const double number :
         {static_cast<double>(turn.place.group), static_cast<double>(turn.place.field),
          static_cast<double>(turn.effect), turn.value, turn.slices, turn.reached}) {
      rows[n++] = number;
    }
  }
  result.set("absence", static_cast<unsigned>(solved.absence));
  result.set("now", solved.now);
  result.set("met", solved.met);
  result.set("turns", typed_memory_view(n, rows.data()));
  return result;
}

/// {issues} or {root, nodes} as explain_question has them: the equation of an answer solved for a
/// field.
template <class Question>
val explain_turn(const Packed<Question>& given, std::size_t answer, std::size_t group,
                 std::size_t field, double value) {
  if (!has_field<Question>({group, field})) return val::null();
  const FieldInfo& info = Question::kGroups[group][field];
  // The page knows a field by its group, too, which is said beside the key.
  static Term turned{"", "", kOne, "definition"};
  turned = {info.key, info.symbol, info.dimension, "definition"};
  Tape tape(storage);
  Issues issues;
  const NodeId root = explain_solved<Question>(read_input<Question>(given), {group, field}, answer,
                                               value, turned, tape, needed, issues);
  return explained(tape, root, issues);
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
