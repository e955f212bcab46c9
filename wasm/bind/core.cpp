// SPDX-License-Identifier: MIT
//
// The core as JavaScript sees it: all descriptions, and the questions of the page's first views.

#include "bind.hpp"
#include "scaling/plan_question.hpp"
#include "scaling/roofs.hpp"
#include "scaling/schedule.hpp"
#include "scaling/sweep.hpp"

namespace scaling {
namespace {

// --- many at once: JavaScript writes the values of an axis into `axis_values` and reads the
// samples from views ---

inline constexpr std::size_t kAxisValues = 4096;   // of both axes of a map together
inline constexpr std::size_t kSamples = 1u << 16;  // a map of 256 x 256

std::array<double, kAxisValues> axis_values;
std::array<double, kSamples> sample_values;
std::array<Absence, kSamples> sample_absences;

inline constexpr std::size_t kTapeNodes = 4096;

val axis_view() { return val(typed_memory_view(axis_values.size(), axis_values.data())); }

val sample_views(std::size_t count) {
  using Byte = std::underlying_type_t<Absence>;
  val result = val::object();
  result.set("values", typed_memory_view(count, sample_values.data()));
  result.set("absences",
             typed_memory_view(count, reinterpret_cast<const Byte*>(sample_absences.data())));
  return result;
}

/// Samples of `answer` at the first `count` axis values of a field.
template <class Question>
val sweep_question(const typename Question::Input& input, std::size_t group, std::size_t field,
                   std::size_t count, std::size_t answer) {
  sample<Question>(input, {group, field}, std::span(axis_values).first(count), answer,
                   {sample_values, sample_absences});
  return sample_views(count);
}

/// Samples of `answer` over two fields: the first `x_count` axis values are the columns', the next
/// `y_count` the rows'.
template <class Question>
val map_question(const typename Question::Input& input, std::size_t x_group, std::size_t x_field,
                 std::size_t x_count, std::size_t y_group, std::size_t y_field, std::size_t y_count,
                 std::size_t answer) {
  const std::span values(axis_values);
  sample_map<Question>(input, {x_group, x_field}, values.first(x_count), {y_group, y_field},
                       values.subspan(x_count, y_count), answer, {sample_values, sample_absences});
  return sample_views(x_count * y_count);
}

/// [at, before, after, ...] of the places where the choice `answer` changes along a field.
template <class Question>
val crossings_question(const typename Question::Input& input, std::size_t group, std::size_t field,
                       double from, double to, std::size_t answer) {
  std::array<Crossing, 16> crossings;
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
  Issues issues;
  Issues notices;
  CollectiveQuestion::Input checked = input;
  val object = val::object();
  check<CollectiveQuestion>(checked, issues, notices, [&](const auto& typed) {
    result = make_roofs(typed.chip, typed.mesh);
    object.set("peaks", typed_memory_view(result.peaks.size(), result.peaks.data()));
    object.set("slopes", typed_memory_view(result.slopes.size(), result.slopes.data()));
    object.set("ridges", typed_memory_view(result.ridges.size(), result.ridges.data()));
  });
  if (!issues.empty()) object.set("issues", issue_list(issues));
  return object;
}

/// {chips, steps, holds}; see Schedule.
val schedule(const CollectiveQuestion::Input& input) {
  static Schedule result;  // outlives the call, for the view
  Issues issues;
  Issues notices;
  CollectiveQuestion::Input checked = input;
  val object = val::object();
  check<CollectiveQuestion>(checked, issues, notices, [&](const auto& typed) {
    result = make_schedule(typed.chip, typed.mesh, typed.collective);
    const std::size_t size = (result.steps + 1) * result.chips * result.chips;
    object.set("chips", result.chips);
    object.set("steps", result.steps);
    object.set("holds", typed_memory_view(size, result.holds.data()));
  });
  if (!issues.empty()) object.set("issues", issue_list(issues));
  return object;
}

// --- about ---

val describe_field(const FieldInfo& info, std::span<const FieldInfo> group) {
  val object = val::object();
  object.set("key", val(info.key));
  object.set("symbol", val(info.symbol));
  object.set("unit", unit_string(info.dimension));
  object.set("kind", val(kKindNames[static_cast<std::size_t>(info.kind)]));
  object.set("optional", info.optional);
  object.set("min", info.minimum);
  object.set("max", info.maximum);
  val fallback = val::null();
  if (info.has_fallback) {
    if (info.kind == Kind::kChoice) {
      fallback = val(info.choices[static_cast<std::size_t>(info.fallback)]);
    } else if (info.kind == Kind::kFlag) {
      fallback = val(info.fallback != 0);
    } else {
      fallback = val(info.fallback);
    }
  }
  object.set("default", fallback);
  object.set("choices", string_list(info.choices));
  val when = val::null();
  if (info.when_index >= 0) {
    const FieldInfo& other = group[static_cast<std::size_t>(info.when_index)];
    val choices = val::array();
    unsigned index = 0;
    for (std::size_t i = 0; i < other.choices.size(); ++i) {
      if (((info.when_mask >> i) & 1u) != 0) choices.set(index++, val(other.choices[i]));
    }
    when = val::object();
    when.set("field", val(other.key));
    when.set("choices", choices);  // empty: while the number is above 0
  }
  object.set("when", when);
  return object;
}

template <template <class> class Group>
void describe_group(val& groups) {
  val list = val::array();
  unsigned index = 0;
  for (const FieldInfo& info : kFields<Group>) {
    list.set(index++, describe_field(info, kFields<Group>));
  }
  groups.set(Group<double>::kGroup, list);
}

template <class Question>
void describe_question(val& questions) {
  val answers = val::array();
  unsigned index = 0;
  for (const Term* term : Question::template Answers<double>::kList) {
    val object = val::object();
    object.set("key", val(term->key));
    object.set("symbol", val(term->symbol));
    object.set("unit", unit_string(term->dimension));
    object.set("kind", val(term->choices.empty() ? "number" : "choice"));
    object.set("choices", string_list(term->choices));
    object.set("source", val(term->source));
    answers.set(index++, object);
  }
  val groups = val::array();
  index = 0;
  for (const auto& fields : Question::kGroups) groups.set(index++, val(fields[0].group));
  val object = val::object();
  object.set("groups", groups);
  object.set("answers", answers);
  questions.set(Question::kName, object);
}

val describe() {
  val groups = val::object();
  describe_group<Chip>(groups);
  describe_group<Model>(groups);
  describe_group<Run>(groups);
  describe_group<Mesh>(groups);
  describe_group<OperationRequest>(groups);
  describe_group<CollectiveRequest>(groups);
  describe_group<Layout>(groups);
  describe_group<Assumptions>(groups);
  describe_group<SearchSpace>(groups);

  val questions = val::object();
  describe_question<TrainingQuestion>(questions);
  describe_question<OperationQuestion>(questions);
  describe_question<CollectiveQuestion>(questions);
  describe_question<PlanQuestion>(questions);

  val codes = val::array();
  unsigned index = 0;
  for (const IssueName& name : kIssueNames) codes.set(index++, val(name.code));

  val result = val::object();
  result.set("groups", groups);
  result.set("questions", questions);
  result.set("issueCodes", codes);
  result.set("absences", string_list(std::span(kAbsenceNames).subspan(1)));  // without "present"
  return result;
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;
  using emscripten::value_object;

  bind_group<Chip>();
  bind_group<Model>();
  bind_group<Run>();
  bind_group<Mesh>();
  bind_group<OperationRequest>();
  bind_group<CollectiveRequest>();
  value_object<TrainingQuestion::Input>("TrainingInput")
      .field("chip", &TrainingQuestion::Input::chip)
      .field("model", &TrainingQuestion::Input::model)
      .field("run", &TrainingQuestion::Input::run);
  value_object<OperationQuestion::Input>("OperationInput")
      .field("chip", &OperationQuestion::Input::chip)
      .field("model", &OperationQuestion::Input::model)
      .field("mesh", &OperationQuestion::Input::mesh)
      .field("operation", &OperationQuestion::Input::operation);
  value_object<CollectiveQuestion::Input>("CollectiveInput")
      .field("chip", &CollectiveQuestion::Input::chip)
      .field("mesh", &CollectiveQuestion::Input::mesh)
      .field("collective", &CollectiveQuestion::Input::collective);

  function("describe", &describe);
  function("axis", &axis_view);
  function("estimateTraining", &estimate_question<TrainingQuestion>);
  function("estimateOperation", &estimate_question<OperationQuestion>);
  function("estimateCollective", &estimate_question<CollectiveQuestion>);
  function("explainTraining", &explain_question<TrainingQuestion, kTapeNodes>);
  function("explainOperation", &explain_question<OperationQuestion, kTapeNodes>);
  function("explainCollective", &explain_question<CollectiveQuestion, kTapeNodes>);
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
  function("schedule", &schedule);
}

}  // namespace scaling
