// SPDX-License-Identifier: MIT
//
// Published measurements of serving as inputs of the question.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "csv.hpp"
#include "rows.hpp"
#include "scaling/questions/serving/question.hpp"

namespace scaling::evidence {

/// The measures of serving.
enum class ServingMeasure { kSpeed, kToken, kFirst };  // tokens/s; s; s
inline constexpr std::size_t kServingMeasures = 3;
inline constexpr std::array<const char*, kServingMeasures> kServingMeasureNames{
    {"tokensPerSecond", "timePerToken", "timeToFirstToken"}};

/// The project's presets: chips, models, and software that serves (shared/servers.json).
struct ServingPresets {
  Presets presets;
  std::map<std::string, Raw<Model>> models;
  Json servers;
  std::vector<CsvRow> recipes;  ///< of servers that split prefill from decoding
};

ServingPresets read_serving_presets(const std::string& folder, std::string& error);

/// A published measurement, or the reason why it can't be predicted.
struct ServingRun {
  std::string id, group, family;  ///< family: all that are alike but for load and lengths
  std::string software, chip, model, precision, citation;
  std::string preset,
      server,          ///< of the chip, and of software that serves; empty: none of the list
      engine;          ///< that all its versions have in common
  std::string reason;  ///< empty: it is predicted
  std::string unfit;   ///< not empty: predicted, but a rule keeps it out of errors and fits
  bool silicon = false, sparse = false, apart = false, loaded = false;
  double token_limit = 0;  ///< requests come as fast as this time for a token allows; 0: as stated
  std::array<double, kServingMeasures> measured{};  ///< 0: not said
  ServingQuestion::Input input;
  ServingQuestion::Typed<double> typed;
};

/// Reads a row of shared/serving-runs.json or of a file of its form. Never throws.
ServingRun read_serving_run(const Json& row, const ServingPresets& presets);

/// Reads a row of shared/serving-silicon.csv, values by column. Never throws.
ServingRun read_silicon_run(const CsvRow& row, const ServingPresets& presets);

/// Whether a row of JSON is of serving, not of training.
bool is_serving_row(const Json& row);

/// All rows of a file of either form. Empty, with a message in `error`, if it is neither.
std::vector<ServingRun> read_serving_runs(const std::string& file, const ServingPresets& presets,
                                          std::string& error);

/// The prediction of one measure; a time has no value below `lower`, a speed none above `upper`.
struct ServingPrediction {
  bool present = false;
  double bound = 0, low = 0, expected = 0, high = 0;
};

std::array<ServingPrediction, kServingMeasures> predict(
    const ServingRun& run, const ServingConstants& constants = kServingConstants);

}  // namespace scaling::evidence
