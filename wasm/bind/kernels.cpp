// SPDX-License-Identifier: MIT
//
// Questions about operations and collectives once more, with the constants of measured kernels: the
// answers of the core, and what is expected.

#include "sampling.hpp"
#include "scaling/questions/expected_time.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(scaling) {
  using emscripten::function;

  function("input", &input_view);

  answer_expected_times<double>();
  function("estimateOperation", &estimate_question<OperationQuestion>);
  function("estimateCollective", &estimate_question<CollectiveQuestion>);
  function("axis", &axis_view);
  function("sweepOperation", &sweep_question<OperationQuestion>);
  function("sweepCollective", &sweep_question<CollectiveQuestion>);
  function("mapOperation", &map_question<OperationQuestion>);
  function("mapCollective", &map_question<CollectiveQuestion>);
}

}  // namespace scaling
