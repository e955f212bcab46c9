// SPDX-License-Identifier: MIT
//
// Published trainings as inputs of the planner.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scaling/questions/plan/question.hpp"
#include "scaling/training/step_constants.hpp"

namespace scaling::evidence {

using Json = nlohmann::json;

/// The project's chips, models and software (shared/chips.json, shared/models.json,
/// shared/stacks.json), and how rows tell of it (shared/runs-software.json).
struct Presets {
  std::map<std::string, Raw<Chip>> chips;
  std::map<std::string, Raw<Model>> models;
  std::map<std::string, std::string> model_names;
  Json stacks, software, recipes;
};

/// Reads them from a folder; empty, with a message in `error`, if that fails.
Presets read_presets(const std::string& folder, std::string& error);

/// A published training, or the reason why it can't be predicted.
struct TrainingRun {
  std::string task;  ///< all that runs have in common which differ in their layout alone
  std::string id, source, configuration, chip, precision;
  std::string model, citation;  ///< what the source calls the model, and where it says so
  std::string reason;           ///< empty: it can
  bool readable = false;        ///< whether the planner takes it
  std::string preset;           ///< of the chip
  double measured = 0;          ///< seconds of a step; 0: not said
  double memory = 0;            ///< bytes of a chip; 0: not said
  bool ran = true;              ///< rather than out of memory
  bool sparse = false, torus = false;
  std::string stack;  ///< the software that the row or its source states; empty: none
  PlanQuestion::Input input;
  // The results of the check:
  SearchInput<double> groups;
  LayoutChoice choice;
  std::string generation;
};

/// The software that a row is taken to have run: that of its source, or the usual one of its chip.
enum class Software { kOfSource, kUsual };

/// Reads a row of shared/runs.json or of a file of its form. A source whose software is not known
/// is taken to have run the usual one. Never throws.
TrainingRun read_training_run(const Json& row, const Presets& presets,
                              Software software = Software::kOfSource);

/// What was measured of runs: their steps [s], or their memory [B].
using Measured = double TrainingRun::*;

/// Starts a run's input on a chip's preset, with all but the model as by default.
void start_on(TrainingRun& run, const std::string& id, const Presets& presets);

/// Sets what a software of shared/stacks.json sets.
void take_software(PlanQuestion::Input& input, const Json& stack);

/// Checks a run's input as the page would, and makes it ready to be predicted. Throws `Unusable` if
/// the planner refuses it.
void take_input(TrainingRun& run);

/// Reads all rows of a file: a list, or an object that has one under "runs". Empty, with a message
/// in `error`, if it is neither.
std::vector<TrainingRun> read_runs(const std::string& file, const Presets& presets,
                                   std::string& error, Software software = Software::kOfSource);

/// The prediction of a run: its step [s] and the memory of its fullest chip [B].
struct Prediction {
  double lower = 0, low = 0, expected = 0, high = 0, upper = 0;
  double memory = 0, memory_low = 0, memory_high = 0;
  MemoryState state = MemoryState::kOver;  ///< whether it is said to fit
};

Prediction predict(const TrainingRun& run, const StepConstants& constants);

}  // namespace scaling::evidence
