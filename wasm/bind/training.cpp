// SPDX-License-Identifier: MIT
//
// One question alone, for an element that shows nothing else: training.

#include "describe.hpp"

namespace scaling {
namespace {

val describe() {
  return description(describe_groups<Chip, Model, Run>(), describe_questions<TrainingQuestion>());
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  bind_groups<Chip, Model, Run>();
  bind_input<TrainingQuestion>();

  function("describe", &describe);
  function("estimateTraining", &estimate_question<TrainingQuestion>);
}

}  // namespace scaling
