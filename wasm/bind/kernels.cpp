// SPDX-License-Identifier: MIT
//
// Questions about operations and collectives once more, with the constants of measured kernels: the
// answers of the core, and what is expected.

#include "questions.hpp"
#include "sampling.hpp"
#include "scaling/questions/expected_time.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  answer_expected_times<double>();
  function("axis", &axis_view);
  KernelQuestions::each([]<class Question>() {
    bind_of<"estimate", Question>(&estimate_question<Question>);
    bind_of<"sweep", Question>(&sweep_question<Question>);
    bind_of<"map", Question>(&map_question<Question>);
  });
}

}  // namespace scaling
