// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace scaling::evidence {

/// Predicts the kernels of all tables (*.csv) in `folder`, prints the errors by kind, chip and
/// format, and writes to `out`, if it is not empty, a list with an object for each row: kind, chip,
/// row, measured, floor, expected [s]; or the reason why not. `shared` is the folder of presets.
/// Returns the program's exit code.
int kernel_evidence(const std::string& shared, const std::string& folder, const std::string& out);

/// Fits the constants of shared/efficiency.json to the tables in `folder`, cross-validates them
/// over shapes, prints the errors and writes the constants to `out`.
int fit_kernels(const std::string& shared, const std::string& folder, const std::string& out);

}  // namespace scaling::evidence
