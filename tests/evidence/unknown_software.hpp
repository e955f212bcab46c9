// SPDX-License-Identifier: MIT
//
// Trainings with software that neither the constants nor the presets know.
#pragma once

#include <string>
#include <vector>

#include "errors.hpp"
#include "fit.hpp"

namespace scaling::evidence {

/// A training as one of unknown software: its prediction with the range of known software and with
/// that of other, and how many times wider in logarithms the first would have to be to hold it.
struct UnknownRun {
  const TrainingRun* run = nullptr;  ///< as its source tells of it
  Prediction as_known, as_other;
  double widening = 0;
};

/// Each of `runs` predicted by constants fitted without the trainings of its software, from
/// `start`, and with what it does taken from the usual software of the others. `file`: of the runs.
std::vector<UnknownRun> with_software_left_out(const std::string& file, const Presets& presets,
                                               const Runs& runs, const std::vector<Fitted>& list,
                                               const std::vector<double>& start);

/// How many times wider in logarithms a range would have to be to hold a measurement of a software.
struct Needed {
  std::string software;
  double times = 0;
};
std::vector<Needed> needed_of(const std::vector<UnknownRun>& unknown, bool sparse);

/// How many times wider a range from `low` to `high` around `expected` would have to be, on the
/// side of the measurement.
double widening_for(double measured, double low, double expected, double high);

/// How many times wider ranges hold nine of ten such measurements; and the share of them [%] that
/// is held where those of each software are left out of that, too.
struct Widening {
  double times = 1, held = 0;
  std::size_t count = 0;
};
Widening widening_of(const std::vector<Needed>& all);

}  // namespace scaling::evidence
