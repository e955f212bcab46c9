// SPDX-License-Identifier: MIT
//
// Writes the data of the page's evidence: shared/predictions.json, which is generated, and the
// predictions in shared/kernels.json.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel_chips.hpp"
#include "training_runs.hpp"
#include "written.hpp"

namespace scaling::evidence {

/// The planner's input for the same run: the chip's preset under `chip`, and under
/// `group.field` every field that differs from the preset or from its default.
Json input_of(const TrainingRun& run, const Presets& presets);

/// The text of shared/predictions.json and of its like for fine-tunings: of each run its step, or
/// its memory, as measured and as predicted [s or B, five digits] with the input that the planner
/// was asked with, or the reason why it is not predicted. Values that many runs share stand once.
/// The file itself names its columns.
std::string predictions_text(const std::vector<TrainingRun>& runs, const Presets& presets,
                             Measured measured = &TrainingRun::measured);

/// A kernel file with what is predicted of its rows renewed, as a text; `kernels` is the content of
/// shared/kernels.json. Empty, with a message in `error`, if a row can't be predicted.
std::string kernels_text(const Json& kernels, const std::map<std::string, PricedChip>& chips,
                         std::string& error);

/// Renews both files, and that of serving, in `shared`. Returns the program's exit code.
int write_predictions(const std::string& shared);

/// A kernel file's text: the members of `head`, and a line for each row.
std::string kernel_file(const Json& head, const Json& rows);

/// FLOPs of a matmul for each byte that it reads and writes once.
double intensity_of(const MatmulKernel<double>& kernel);

/// Samples the matmuls of all tables in `folder` into `out`, in the form of shared/kernels.json,
/// whose own head it keeps: of each chip and format, in the order of arithmetic intensity, the
/// middle row of each of `kSampled` parts of equal size. Returns the program's exit code.
inline constexpr std::size_t kSampled = 40;
int sample_kernels(const std::string& shared, const std::string& folder, const std::string& out);

}  // namespace scaling::evidence
