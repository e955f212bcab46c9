// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "training_runs.hpp"

namespace scaling::evidence {

/// Prints how far predictions of fine-tunings are off, as shipped and with the constants of
/// fine-tunings fitted without each source in turn, and adds it to `golden`, if that is not empty.
/// Returns the program's exit code.
int tuning_evidence(const std::string& shared, const std::string& golden);

/// The same of a file of the form of shared/tuning-runs.json, after a line for each row.
int predict_tuning_rows(const std::string& shared, const std::string& file);

/// Prints the memory of each run, beside what was measured, and its parts.
void print_memory(const std::vector<TrainingRun>& runs);

/// Whether a file has the form of shared/tuning-runs.json.
bool holds_tuning_rows(const std::string& file);

}  // namespace scaling::evidence
