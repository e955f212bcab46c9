// SPDX-License-Identifier: MIT
//
// Operations and collectives as JavaScript sees them: their answers, many of them at once, and what
// their charts draw.

#include "questions.hpp"
#include "sampling.hpp"
#include "scaling/questions/expected_time.hpp"
#include "scaling/views/collective_steps.hpp"
#include "scaling/views/roofs.hpp"

namespace scaling {
namespace {

/// Crossings in one call.
inline constexpr std::size_t kCrossings = 64;

/// [{at, before, after}, ...] of the places where the choice `answer` changes along a field: the
/// first of them where they are very many. Null where there is no such field or answer.
template <class Question>
val crossings_question(std::size_t group, std::size_t field, double from, double to,
                       std::size_t answer) {
  if (!has_field<Question>({group, field}) || !has_answer<Question>(answer)) return val::null();
  std::array<Crossing, kCrossings> crossings;
  const std::size_t found =
      find_crossings<Question>(read_input<Question>(), {group, field}, from, to, answer, crossings);
  val list = val::array();
  unsigned index = 0;
  for (const Crossing& crossing : std::span(crossings).first(found)) {
    val object = val::object();
    object.set("at", crossing.at);
    object.set("before", crossing.before);
    object.set("after", crossing.after);
    list.set(index++, object);
  }
  return list;
}

/// {formats, levels, peaks, slopes, ridges} of a chip and a mesh; see Roofs.
val roofs() {
  static Roofs result;  // outlives the call, for the views
  return with_input<CollectiveQuestion>([](const auto& typed, val& object) {
    result = make_roofs(typed.chip, typed.mesh);
    val formats = string_list(kFormatNames);
    formats.set(std::size(kFormatNames), val("vector"));
    object.set("formats", formats);
    val levels = string_list(kMemoryLevelNames);
    levels.set(std::size(kMemoryLevelNames), val("network"));
    object.set("levels", levels);
    object.set("peaks", typed_memory_view(result.peaks.size(), result.peaks.data()));
    object.set("slopes", typed_memory_view(result.slopes.size(), result.slopes.data()));
    object.set("ridges", typed_memory_view(result.ridges.size(), result.ridges.data()));
  });
}

/// {chips, steps, holds}; see CollectiveSteps.
val collective_steps() {
  static CollectiveSteps result;  // outlives the call, for the view
  return with_input<CollectiveQuestion>([](const auto& typed, val& object) {
    result = make_collective_steps(typed.chip, typed.mesh, typed.collective);
    const std::size_t size = (result.steps + 1) * result.chips * result.chips;
    object.set("chips", result.chips);
    object.set("steps", result.steps);
    object.set("holds", typed_memory_view(size, result.holds.data()));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(operations) {
  using emscripten::function;

  answer_expected_times<double>();
  function("axis", &axis_view);
  OperationQuestions::each(
      []<class Question>() { bind_of<"estimate", Question>(&estimate_question<Question>); });
  OperationQuestions::each(
      []<class Question>() { bind_of<"sweep", Question>(&sweep_question<Question>); });
  OperationQuestions::each(
      []<class Question>() { bind_of<"map", Question>(&map_question<Question>); });
  OperationQuestions::each(
      []<class Question>() { bind_of<"crossings", Question>(&crossings_question<Question>); });
  function("roofs", &roofs);
  function("schedule", &collective_steps);
}

}  // namespace scaling
