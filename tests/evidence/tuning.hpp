// SPDX-License-Identifier: MIT
//
// The errors of predicted fine-tunings on measured ones.
#pragma once

#include <map>
#include <vector>

#include "errors.hpp"
#include "tuning_runs.hpp"

namespace scaling::evidence {

/// Groups by which errors of fine-tunings are told: what is trained on one chip, several chips, and
/// those of MLPerf.
std::vector<Slice> kinds_of_tunings();

/// The prediction of each run.
using Tunings = std::map<const TrainingRun*, Prediction>;
Tunings predict_all(const Runs& runs, const StepConstants& constants);

/// Errors by group and by source, with the shares of rows [%] in the likely range and, of steps,
/// above the lower bound.
Json errors_of(const Tunings& predictions, Measured measured);

/// Errors as shipped of steps and of memory, how many that ran are said to fit, and how many that
/// ran out of memory are said to fit, too.
Json tuning_errors(const TuningRuns& runs);

}  // namespace scaling::evidence
