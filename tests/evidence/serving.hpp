// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "errors.hpp"
#include "serving_runs.hpp"

namespace scaling::evidence {

using ServingRuns = std::vector<const ServingRun*>;

/// One figure of one run: measured and predicted.
struct ServingFigure {
  const ServingRun* run;
  ServingMeasure measure;
  double measured = 0;
  ServingPrediction predicted;

  double ratio() const { return predicted.expected / measured; }
  /// Whether the measurement is on the right side of the bound.
  bool sound() const {
    return measure == ServingMeasure::kSpeed ? measured <= predicted.bound
                                             : measured >= predicted.bound;
  }
  bool in_band() const { return measured >= predicted.low && measured <= predicted.high; }
};

/// All figures that are both measured and predicted; with `all`, also those that a rule keeps out.
std::vector<ServingFigure> serving_figures(const ServingRuns& runs, bool all,
                                           const ServingConstants& constants = kServingConstants);

/// Groups of figures by which errors are told.
struct ServingSlice {
  std::string name;
  std::function<bool(const ServingFigure&)> holds;
};
std::vector<ServingSlice> serving_slices();

/// The error of a slice's figures [%], and the shares that are sound and in the band [%].
struct ServingError {
  Error error;
  double sound = 0, band = 0;
};
ServingError serving_error(const std::vector<ServingFigure>& figures, const ServingSlice& slice);

/// Whether a file holds rows of serving.
bool holds_serving_rows(const std::string& file);

}  // namespace scaling::evidence
