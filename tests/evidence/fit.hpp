// SPDX-License-Identifier: MIT
//
// A robust fit of the constants of step times to measured steps.
#pragma once

#include <string>
#include <vector>

#include "training_runs.hpp"

namespace scaling::evidence {

/// A constant that is fitted: its logarithm has a normal prior.
struct Fitted {
  std::string name;
  double prior, sigma;
  /// Its places in shared/efficiency.json: `step.exposedTensor`, or `hopper.sustainedFp8` of a
  /// generation; `general` is for all of them but those that a later constant sets.
  std::vector<std::string> places;
  std::string times;  ///< the place of what it counts in, if it is a ratio
};

/// The constants that steps are fitted with, in the order of shared/efficiency.json.
std::vector<Fitted> fitted_constants();

/// The constant at a place.
double constant_at(const StepConstants& constants, const std::string& place);

StepConstants with_constants(const std::vector<Fitted>& list, const std::vector<double>& logs);

/// What is predicted of a run over what was measured: of its step, unless another is asked for.
using RatioOf = double (*)(const TrainingRun&, const StepConstants&);
double step_ratio(const TrainingRun& run, const StepConstants& constants);

/// Minimises, over the logarithms of the constants relative to their priors, the sum over `runs` of
/// a pseudo-Huber loss of ln(predicted / measured), each configuration weighted alike, and of the
/// priors. Levenberg-Marquardt, with differences for derivatives.
std::vector<double> fit(const std::vector<const TrainingRun*>& runs,
                        const std::vector<Fitted>& list, std::vector<double> start, int rounds,
                        RatioOf ratio_of = step_ratio);

}  // namespace scaling::evidence
