// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace scaling::evidence {

/// Predicts the trainings of `file`, a list of rows as in shared/runs.json; writes to `out`, if it
/// is not empty, a row for each: id, measured, lower, low, expected, high, upper [s], memory [B]
/// and the planner's input; or the reason why not. `shared` is the folder of presets. Returns the
/// program's exit code.
int predict_rows(const std::string& shared, const std::string& file, const std::string& out);

/// Fits the constants of step times to shared/runs.json, and writes to `out` the value of each by
/// its place in shared/efficiency.json.
int fit_steps(const std::string& shared, const std::string& out);

/// Fits the constants of step times to shared/runs.json, cross-validates them, prints the errors
/// and writes them to `golden`.
int training_evidence(const std::string& shared, const std::string& golden);

}  // namespace scaling::evidence
