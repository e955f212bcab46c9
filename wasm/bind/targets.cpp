// SPDX-License-Identifier: MIT
//
// Questions asked backward as JavaScript sees them: what meets a target, and its equation; and what
// a budget trains.

#include <optional>

#include "describe.hpp"
#include "explain_turn.hpp"
#include "scaling/questions/budget_question.hpp"
#include "scaling/questions/expected_time.hpp"

namespace scaling {
namespace {

val describe() { return description_of<BudgetQuestion>(); }

inline constexpr std::size_t kMostTurns = 128;
inline constexpr std::size_t kTurnNumbers = 6;

/// {issues}, or {absence, now, met, turns}: six numbers a turn, see Turn. Null where there is no
/// such answer.
template <class Question>
val solve_question(std::size_t answer, unsigned wanted, double value) {
  static std::array<double, kMostTurns * kTurnNumbers> rows;  // outlives the call, for the view
  if (!has_answer<Question>(answer) || wanted >= std::size(kWantedNames)) return val::null();
  std::array<Turn, kMostTurns> turns;
  Solved solved;
  solve_target<Question>(read_input<Question>(), {answer, static_cast<Wanted>(wanted), value},
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

// --- a number whose answers take a search each: one lies in the module, the last one ---

ChipCounts counts;
FieldInfo turned_field;
std::optional<LongTurn> long_turn;

/// {asks, slices}, or {effect, value, slices, reached} once it is done.
val long_turn_state() {
  val result = val::object();
  const bool of_chips = long_turn->of_chips();
  if (!long_turn->done()) {
    result.set("asks", long_turn->asks());
    if (of_chips) result.set("slices", counts.slices_for(long_turn->asks()));
    return result;
  }
  const Turn& turn = long_turn->turn();
  result.set("effect", static_cast<unsigned>(turn.effect));
  result.set("value", turn.value);
  if (of_chips) result.set("slices", counts.slices_for(turn.value));
  result.set("reached", turn.reached);
  return result;
}

/// Begins to turn a number from `now` within its range. `of_chips`: those of the input's network,
/// in its slices; else a count if it is `whole`, best a multiple. Null where nothing is wanted so.
val start_turn(bool of_chips, bool whole, double minimum, double maximum, double multiple,
               unsigned wanted, double value, double now) {
  if (wanted >= std::size(kWantedNames)) return val::null();
  auto input = read_input<TrainingQuestion>();
  Issues issues;
  TrainingQuestion::check_fields(input, issues);
  if (!issues.empty()) return val::null();
  const auto typed = TrainingQuestion::read<double>(input);
  counts = ChipCounts(typed.chip, typed.run.slices.value());
  turned_field = {};
  turned_field.kind = whole ? Kind::kCount : Kind::kNumber;
  turned_field.minimum = minimum;
  turned_field.maximum = maximum;
  TurnedField field{turned_field};
  if (of_chips) field.chips = &counts;
  field.multiple = multiple;
  field.doublings = kSearchedDoublings;
  long_turn.emplace(field, Target{0, static_cast<Wanted>(wanted), value}, now);
  return long_turn_state();
}

/// The answer at the number that was asked for, NaN where there is none. Null without a turn.
val tell_turn(double answered) {
  if (!long_turn.has_value()) return val::null();
  if (!long_turn->done()) long_turn->tell(answered);
  return long_turn_state();
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  answer_expected_times<double>();

  function("describe", &describe);
  function("estimate", &estimate_question<BudgetQuestion>);
  function("budget", &explain_question<BudgetQuestion>);
  function("solveTraining", &solve_question<TrainingQuestion>);
  function("solveOperation", &solve_question<OperationQuestion>);
  function("solveCollective", &solve_question<CollectiveQuestion>);
  function("solveBudget", &solve_question<BudgetQuestion>);
  function("startTurn", &start_turn);
  function("tellTurn", &tell_turn);
  function("explainTraining", &explain_turn<TrainingQuestion>);
  function("explainOperation", &explain_turn<OperationQuestion>);
  function("explainCollective", &explain_turn<CollectiveQuestion>);
  function("explainBudget", &explain_turn<BudgetQuestion>);
}

}  // namespace scaling
