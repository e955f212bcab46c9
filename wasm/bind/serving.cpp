// SPDX-License-Identifier: MIT
//
// Serving as JavaScript sees it: one load, how its answers came about, and the frontier of time
// against throughput.

#include <array>

#include "describe.hpp"
#include "sampling.hpp"
#include "scaling/questions/serving_question.hpp"
#include "scaling/search/serving_frontier.hpp"

namespace scaling {
namespace {

/// Of serving alone: an element that shows nothing else does without the core.
val describe() { return description_of<ServingQuestion>(); }

/// {points}: seven numbers a point; see ServingPoint.
val frontier(const ServingQuestion::Input& input) {
  static std::array<double, ServingFrontier::kMost * 7> rows;  // outlives the call, for the view
  return with_input<ServingQuestion>(input, [](const auto& typed, val& object) {
    const ServingFrontier found{ServingInput<double>(typed.plain)};
    std::size_t n = 0;
    for (const ServingPoint& point : found.points()) {
      for (const double number : {point.token, point.speed, point.sequences, point.chips,
                                  point.tensor, point.data, point.expert}) {
        rows[n++] = number;
      }
    }
    object.set("points", typed_memory_view(n, rows.data()));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  bind_questions<ServingQuestion>();

  function("describe", &describe);
  function("estimate", &estimate_question<ServingQuestion>);
  function("frontier", &frontier);
  function("axis", &axis_view);
  function("sweep", &sweep_question<ServingQuestion>);
}

}  // namespace scaling
