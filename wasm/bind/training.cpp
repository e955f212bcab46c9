// SPDX-License-Identifier: MIT
//
// One question alone, for an element that shows nothing else: training.

#include "describe.hpp"

namespace scaling {
namespace {

val describe() { return description_of(QuestionList<TrainingQuestion>()); }

}  // namespace

EMSCRIPTEN_BINDINGS(training) {
  using emscripten::function;

  function("describe", &describe);
  function("estimateTraining", &estimate_question<TrainingQuestion>);
}

}  // namespace scaling
