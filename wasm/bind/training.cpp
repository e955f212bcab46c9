// SPDX-License-Identifier: MIT
//
// One question alone, for an element that shows nothing else: training.

#include "describe.hpp"

namespace scaling {
namespace {

val describe() {
  val groups = val::object();
  describe_group<Chip>(groups);
  describe_group<Model>(groups);
  describe_group<Run>(groups);
  val questions = val::object();
  describe_question<TrainingQuestion>(questions);
  return description(groups, questions);
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  bind_group<Chip>();
  bind_group<Model>();
  bind_group<Run>();
  bind_input<TrainingQuestion>();

  function("describe", &describe);
  function("estimateTraining", &estimate_question<TrainingQuestion>);
}

}  // namespace scaling
