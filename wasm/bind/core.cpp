// SPDX-License-Identifier: MIT
//
// The core as JavaScript sees it: all descriptions, and the questions of the page's first views.

#include "describe.hpp"
#include "scaling/questions/plan_question.hpp"
#include "scaling/views/collective_steps.hpp"
#include "scaling/views/roofs.hpp"
#include "scaling/views/sweep.hpp"

namespace scaling {
namespace {

// --- many at once: JavaScript writes the values of an axis into `axis_values` and reads the
// samples from views ---

inline constexpr std::size_t kAxisValues = 4096;   // of both axes of a map together
inline constexpr std::size_t kSamples = 1u << 16;  // a map of 256 x 256

std::array<double, kAxisValues> axis_values;
std::array<double, kSamples> sample_values;
std::array<Absence, kSamples> sample_absences;
std::array<Border, 4096> map_borders;

val axis_view() { return val(typed_memory_view(axis_values.size(), axis_values.data())); }

val sample_views(std::size_t count) {
  using Byte = std::underlying_type_t<Absence>;
  val result = val::object();
  result.set("values", typed_memory_view(count, sample_values.data()));
  result.set("absences",
             typed_memory_view(count, reinterpret_cast<const Byte*>(sample_absences.data())));
  return result;
}

/// Crossings in one call.
inline constexpr std::size_t kCrossings = 64;

/// Samples of `answer` at the first `count` axis values of a field; null where there is no such
/// field or answer, or no room for so many.
template <class Question>
val sweep_question(const typename Question::Input& input, std::size_t group, std::size_t field,
                   std::size_t count, std::size_t answer) {
  if (count > kAxisValues) return val::null();
  const bool sampled = sample<Question>(input, {group, field}, std::span(axis_values).first(count),
                                        answer, {sample_values, sample_absences});
  return sampled ? sample_views(count) : val::null();
}

/// Samples of `answer` over two fields: the first `x_count` axis values are the columns', the next
/// `y_count` the rows'; null as above. Of a choice also `borders`, three numbers each; see Border.
template <class Question>
val map_question(const typename Question::Input& input, std::size_t x_group, std::size_t x_field,
                 std::size_t x_count, std::size_t y_group, std::size_t y_field, std::size_t y_count,
                 std::size_t answer) {
  if (x_count > kAxisValues || y_count > kAxisValues - x_count) return val::null();
  const auto xs = std::span(axis_values).first(x_count);
  const auto ys = std::span(axis_values).subspan(x_count, y_count);
  const FieldPlace x{x_group, x_field};
  const FieldPlace y{y_group, y_field};
  const SampleSpace samples{sample_values, sample_absences};
  if (!sample_map<Question>(input, x, xs, y, ys, answer, samples)) return val::null();
  const bool is_choice = !Question::template Answers<double>::kList[answer]->choices.empty();
  const std::size_t found =
      is_choice ? find_borders<Question>(input, x, xs, y, ys, answer, samples, map_borders) : 0;
  val result = sample_views(x_count * y_count);
  result.set("borders", typed_memory_view(3 * found, &map_borders[0].sample));
  return result;
}

/// [at, before, after, ...] of the places where the choice `answer` changes along a field: the
/// first of them where they are very many. Null where there is no such field or answer.
template <class Question>
val crossings_question(const typename Question::Input& input, std::size_t group, std::size_t field,
                       double from, double to, std::size_t answer) {
  if (!has_field<Question>({group, field}) || !has_answer<Question>(answer)) return val::null();
  std::array<Crossing, kCrossings> crossings;
  const std::size_t found =
      find_crossings<Question>(input, {group, field}, from, to, answer, crossings);
  val list = val::array();
  unsigned index = 0;
  for (const Crossing& crossing : std::span(crossings).first(found)) {
    list.set(index++, crossing.at);
    list.set(index++, crossing.before);
    list.set(index++, crossing.after);
  }
  return list;
}

/// {peaks, slopes, ridges} of a chip and a mesh; see Roofs.
val roofs(const CollectiveQuestion::Input& input) {
  static Roofs result;  // outlives the call, for the views
  return with_input<CollectiveQuestion>(input, [](const auto& typed, val& object) {
    result = make_roofs(typed.chip, typed.mesh);
    object.set("peaks", typed_memory_view(result.peaks.size(), result.peaks.data()));
    object.set("slopes", typed_memory_view(result.slopes.size(), result.slopes.data()));
    object.set("ridges", typed_memory_view(result.ridges.size(), result.ridges.data()));
  });
}

/// {chips, steps, holds}; see CollectiveSteps.
val collective_steps(const CollectiveQuestion::Input& input) {
  static CollectiveSteps result;  // outlives the call, for the view
  return with_input<CollectiveQuestion>(input, [](const auto& typed, val& object) {
    result = make_collective_steps(typed.chip, typed.mesh, typed.collective);
    const std::size_t size = (result.steps + 1) * result.chips * result.chips;
    object.set("chips", result.chips);
    object.set("steps", result.steps);
    object.set("holds", typed_memory_view(size, result.holds.data()));
  });
}

val describe() {
  return description_of<TrainingQuestion, OperationQuestion, CollectiveQuestion, PlanQuestion>();
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  bind_questions<TrainingQuestion, OperationQuestion, CollectiveQuestion>();

  function("describe", &describe);
  function("axis", &axis_view);
  function("estimateTraining", &estimate_question<TrainingQuestion>);
  function("estimateOperation", &estimate_question<OperationQuestion>);
  function("estimateCollective", &estimate_question<CollectiveQuestion>);
  function("sweepTraining", &sweep_question<TrainingQuestion>);
  function("sweepOperation", &sweep_question<OperationQuestion>);
  function("sweepCollective", &sweep_question<CollectiveQuestion>);
  function("mapTraining", &map_question<TrainingQuestion>);
  function("mapOperation", &map_question<OperationQuestion>);
  function("mapCollective", &map_question<CollectiveQuestion>);
  function("crossingsTraining", &crossings_question<TrainingQuestion>);
  function("crossingsOperation", &crossings_question<OperationQuestion>);
  function("crossingsCollective", &crossings_question<CollectiveQuestion>);
  function("roofs", &roofs);
  function("schedule", &collective_steps);
}

}  // namespace scaling
