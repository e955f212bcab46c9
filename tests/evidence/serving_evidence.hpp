// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace scaling::evidence {

/// Predicts the rows of `file`, of either form, and writes them to `out`; the program's exit code.
int predict_serving_rows(const std::string& shared, const std::string& file,
                         const std::string& out);

/// Prints the errors on shared/serving-runs.json and shared/serving-silicon.csv, as the product has
/// its constants and fitted with each family of runs left out; adds them to `golden`.
int serving_evidence(const std::string& shared, const std::string& golden);

}  // namespace scaling::evidence
