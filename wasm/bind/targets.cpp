// SPDX-License-Identifier: MIT
//
// Questions asked backward: what meets a target.

#include <optional>

#include "bind.hpp"
#include "questions.hpp"
#include "rows.hpp"
#include "scaling/questions/budget/question.hpp"
#include "scaling/views/searched_turns.hpp"
#include "scaling/views/solved.hpp"

namespace scaling {
namespace {

inline constexpr std::size_t kMostTurns = 128;
inline constexpr Column<Turn> kTurnColumns[] = {
    {"group", [](const auto& turn) { return static_cast<double>(turn.place.group); }},
    {"field", [](const auto& turn) { return static_cast<double>(turn.place.field); }},
    {"effect", [](const auto& turn) { return static_cast<double>(turn.effect); }},
    {"value", [](const auto& turn) { return turn.value; }},
    {"slices", [](const auto& turn) { return turn.slices; }},
    {"reached", [](const auto& turn) { return turn.reached; }},
};
inline constexpr std::size_t kTurnNumbers = std::size(kTurnColumns);

/// The names behind the numbers of targets and turns.
val turn_names() {
  val object = val::object();
  object.set("wanted", string_list(kWantedNames));
  object.set("effects", string_list(kEffectNames));
  object.set("turn", column_names(kTurnColumns));
  return object;
}

/// {issues}, or {absence, now, met, turns}: a row a turn. Null where there is no such answer.
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
  for (const Turn& turn : std::span(turns).first(solved.size))
    n = put_row(kTurnColumns, turn, rows, n);
  result.set("absence", static_cast<unsigned>(solved.absence));
  result.set("now", solved.now);
  result.set("met", solved.met);
  result.set("turns", typed_memory_view(n, rows.data()));
  return result;
}

// --- a field whose answers take a search each: one lies in the module, the last one ---

ChipCounts counts;
const SearchedField* searched_field = nullptr;
std::optional<SearchedTurns> searched_turns;

/// {group, field, divides, asks, slices}; or {divides, turns} once it is done, in the numbers of
/// `solve`.
val searched_state() {
  static std::array<double, 32 * kTurnNumbers> rows;  // outlives the call, for the view
  const FieldInfo* info = &searched_field->info();
  const bool of_chips = info == &field_of<Run>("chips") || info == &field_of<Serving>("chips");
  val result = val::object();
  result.set("divides", searched_field->divides);
  if (searched_turns.has_value() && !searched_turns->done()) {
    result.set("group", static_cast<unsigned>(searched_field->place.group));
    result.set("field", static_cast<unsigned>(searched_field->place.field));
    result.set("asks", searched_turns->asks());
    if (of_chips) result.set("slices", counts.slices_for(searched_turns->asks()));
    return result;
  }
  std::size_t n = 0;
  if (searched_turns.has_value()) {
    for (Turn turn : searched_turns->turns()) {
      turn.place = searched_field->place;
      if (of_chips) turn.slices = counts.slices_for(turn.value);
      n = put_row(kTurnColumns, turn, rows, n);
    }
  }
  result.set("turns", typed_memory_view(n, rows.data()));
  return result;
}

/// Begins to turn the field at `index` of those that may meet a target of the question, whose
/// present answer is `answered`. Null beyond the last one, and where chip, model or run are not
/// valid.
template <class Question>
val start_turns(std::size_t index, unsigned wanted, double value, double answered) {
  constexpr auto kAll = kSearchedFields<Question>;
  if (index >= kAll.size() || wanted >= std::size(kWantedNames)) return val::null();
  auto input = read_input<Question>();
  TrainingQuestion::Input run{raw_group<Chip>(input), raw_group<Model>(input),
                              Raw<Run>::defaults()};
  if constexpr (detail::HasRun<typename Question::Input>) run.run = input.run;
  Issues issues;
  TrainingQuestion::check_fields(run, issues);
  if (!issues.empty()) return val::null();
  const auto typed = TrainingQuestion::read<double>(run);
  counts = std::is_same_v<Question, ServingQuestion>
               ? ChipCounts(typed.chip)
               : ChipCounts(typed.chip, typed.run.slices.value(), typed.run.chips.value());
  searched_field = &kAll[index];
  searched_turns.reset();
  const auto [group, field] = searched_field->place;
  const std::span<const double> values = Question::groups(input)[group];
  if (!std::isnan(values[field]) &&
      field_matters(searched_field->group, searched_field->info(), values)) {
    const TurnedField turned =
        turned_field(*searched_field, counts, typed.run.sequence_length.value());
    searched_turns.emplace(turned, Target{0, static_cast<Wanted>(wanted), value}, values[field],
                           answered);
  }
  return searched_state();
}

/// The answer at the value that was asked for, NaN where there is none. Null without a field.
val tell_turns(double answered) {
  if (!searched_turns.has_value()) return val::null();
  if (!searched_turns->done()) searched_turns->tell(answered);
  return searched_state();
}

bool is_met(unsigned wanted, double value, double answered) {
  return Target{0, static_cast<Wanted>(wanted), value}.is_met_by(answered);
}

}  // namespace

EMSCRIPTEN_BINDINGS(targets) {
  using emscripten::function;

  CoreQuestions::With<BudgetQuestion>::each(
      []<class Question>() { bind_of<"solve", Question>(&solve_question<Question>); });
  function("isMet", &is_met);
  function("turnNames", &turn_names);
  bind_of<"startTurnsOf", PlanQuestion>(&start_turns<PlanQuestion>);
  bind_of<"startTurnsOf", ServingQuestion>(&start_turns<ServingQuestion>);
  function("tellTurns", &tell_turns);
}

}  // namespace scaling
