// SPDX-License-Identifier: MIT
//
// Servers with an engine that neither the constants nor the presets know.
#pragma once

#include <string>
#include <vector>

#include "serving.hpp"
#include "unknown_software.hpp"

namespace scaling::evidence {

/// Each of `runs`, of files in `shared`, predicted by constants fitted without the runs of its
/// engine, from `start`, and with what it does taken from the defaults. Runs without a named engine
/// are not among them.
std::vector<ServingFigure> with_engine_left_out(const std::string& shared,
                                                const ServingPresets& presets,
                                                const ServingRuns& runs,
                                                const ServingConstants& start);

/// How many times wider the ranges of a measure would have to be, of dense models or others.
std::vector<Needed> needed_of(const std::vector<ServingFigure>& unknown, ServingMeasure measure,
                              bool sparse);

}  // namespace scaling::evidence
