// SPDX-License-Identifier: MIT
//
// The errors of predictions against measurements.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "training_runs.hpp"

namespace scaling::evidence {

using Runs = std::vector<const TrainingRun*>;

/// The runs that can be predicted.
Runs predictable(const std::vector<TrainingRun>& runs);
using Predicted = std::map<const TrainingRun*, double>;  ///< seconds of a step
using Predictions = std::map<const TrainingRun*, Prediction>;

/// Quantile of `values` between the nearest two; 0 of none.
double quantile(std::vector<double> values, double share);

/// The shares [%] that `share` of `count` rows [%] would come to among all such rows, in 19 of 20
/// cases if the rows were drawn by chance, after Wilson (1927): few rows tell little of a band.
struct ShareRange {
  double low = 0, high = 100;
};
ShareRange range_of_share(double share, std::size_t count);

/// |predicted / measured - 1| in percent: median and 90th percentile; and the median of the ratio
/// less 1.
struct Error {
  double median = 0, ninth = 0, bias = 0;
  std::size_t count = 0;
};

/// A figure as the evidence's file has it, with one digit behind the point.
double to_tenth(double percent);

/// A ratio as the file has it, with three.
double with_percent(double ratio);

/// Replaces a member of the evidence's file. Returns the program's exit code.
int add_to_golden(const std::string& golden, const char* name, const Json& result);

Error error_of_ratios(const std::vector<double>& ratios);

Error error_of(const Runs& runs, const Predicted& predicted,
               const std::function<bool(const TrainingRun&)>& which);

/// Groups by which errors are told: a name, and whether a run belongs to it.
struct Slice {
  std::string name;
  std::function<bool(const TrainingRun&)> holds;
};
std::vector<Slice> kinds_of_runs();
std::vector<Slice> sources_of(const Runs& runs);
std::vector<Slice> chips_and_formats_of(const Runs& runs);
std::vector<Slice> chips_of(const Runs& runs);
std::vector<Slice> software_of(const Runs& runs);

/// Compares runs that differ in their layout alone, and in nothing the planner knows not at all:
/// the share of pairs, a tenth or more apart, that are predicted in the right order [%]; and by how
/// much the layout that is predicted best takes longer than the best one [%].
struct Order {
  double right = 0, regret = 0, ninth_regret = 0;
  std::size_t pairs = 0, tasks = 0;
};
Order order_of(const Runs& runs, const Predicted& predicted);

/// Shares of runs [%] that lie above the lower bound, below the upper one, and inside the band.
struct Coverage {
  double lower = 0, upper = 0, band = 0;
  std::size_t count = 0;
};
Coverage coverage_of(const Runs& runs, const Predictions& predictions,
                     const std::function<bool(const TrainingRun&)>& which);

/// Memory that was measured over that predicted: between `low` and `high` for 9 of 10 rows; and the
/// shares of rows [%] in the band of the product, and in the one that all other sources come to.
struct MemoryCoverage {
  double low = 0, high = 0, band = 0, left_out = 0;
};
/// How many of the trainings that ran are said to fit, to be tight or not to fit; how many ran out
/// of memory, and how many of these are not told so.
struct Verdicts {
  std::size_t fits = 0, tight = 0, over = 0, ran_out = 0, missed = 0;
};

Verdicts verdicts_of(const std::vector<TrainingRun>& runs, const StepConstants& constants,
                     bool torus);

/// The runs of both lists that tell of their memory: one range is for trainings and fine-tunings.
Runs runs_with_memory(const std::vector<TrainingRun>& trainings,
                      const std::vector<TrainingRun>& tunings);

MemoryCoverage memory_coverage(const Runs& runs, const StepConstants& constants);

/// Error of the memory that is predicted, over runs that tell of theirs.
Error memory_error(const std::vector<TrainingRun>& runs, const StepConstants& constants,
                   const std::string& source = "");

}  // namespace scaling::evidence
