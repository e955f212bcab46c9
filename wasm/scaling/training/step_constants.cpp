// SPDX-License-Identifier: MIT
#include "scaling/training/step_constants.hpp"

// Written by web/tools/efficiency.mjs from shared/efficiency.json, into the folder of the build.
#include <efficiency_table.hpp>

namespace scaling {
namespace {

constexpr StepConstants make_constants() {
  StepConstants constants;
  constants.generations = kTrainingRates;
  set_step_constants(constants);
  return constants;
}

}  // namespace

constinit const StepConstants kStepConstants = make_constants();

}  // namespace scaling
