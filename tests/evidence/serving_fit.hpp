// SPDX-License-Identifier: MIT
//
// A fit of the constants of serving to published measurements.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "serving.hpp"

namespace scaling::evidence {

/// The constants as fitted to `runs` from `constants`, one after another, in steps that shrink.
ServingConstants fit_serving(const ServingRuns& runs, ServingConstants constants, int rounds);

/// The constants that are fitted, by name, with their values.
std::vector<std::pair<std::string, double>> fitted_values(const ServingConstants& constants);

}  // namespace scaling::evidence
