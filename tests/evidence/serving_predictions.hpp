// SPDX-License-Identifier: MIT
//
// Writes the page's evidence of serving: shared/serving-predictions.json, which is generated.
#pragma once

#include <string>
#include <vector>

#include "serving_runs.hpp"

namespace scaling::evidence {

/// One in so many silicon points with a prediction is shown, of each model, chip and mode, in the
/// order of the file: all would take a reader four times as long to load.
inline constexpr std::size_t kShownOneIn = 3;

/// The text of shared/serving-predictions.json: of each run that is shown its input, and of each of
/// its measures the value as measured and as predicted [tokens/s; s; four digits], the likely range
/// as parts of what is expected [three digits], and the bound that none can beat. Numbers stand as
/// columns, values that runs share once. Runs without a prediction, or that a rule keeps out of the
/// errors, are counted by the reason. The file itself names its columns.
std::string serving_predictions_text(const std::vector<ServingRun>& runs,
                                     const ServingPresets& presets);

/// The rows of both files in `shared`, those of shared/serving-silicon.csv last. Empty, with a
/// message in `error`, if one can't be read.
std::vector<ServingRun> all_serving_runs(const std::string& shared, const ServingPresets& presets,
                                         std::string& error);

/// Renews the file in `shared`. Returns the program's exit code.
int write_serving_predictions(const std::string& shared);

}  // namespace scaling::evidence
