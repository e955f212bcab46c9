// SPDX-License-Identifier: MIT
//
// Published fine-tunings as inputs of the planner.
#pragma once

#include <string>
#include <vector>

#include "training_runs.hpp"

namespace scaling::evidence {

/// A fine-tuning that ran, or that ran out of memory.
struct CardRun {
  TrainingRun run;
  bool ran = true;
};

/// Published fine-tunings, by what was measured of them. A row may be in each list, as its steps
/// are as long as its mean sequences and its memory is that of the longest.
struct TuningRuns {
  std::vector<TrainingRun> steps;   ///< with the seconds of a step
  std::vector<TrainingRun> memory;  ///< with the bytes of a chip, counted as the source does
  std::vector<CardRun> cards;       ///< with all that a chip holds
};

/// Reads shared/tuning-runs.json or a file of its form. Empty, with a message in `error`, if it is
/// none. A row that can't be used has its reason.
TuningRuns read_tuning_runs(const std::string& file, const Presets& presets, std::string& error);

/// The same of a file's content.
TuningRuns tuning_runs_of(const Json& file, const Presets& presets);

}  // namespace scaling::evidence
