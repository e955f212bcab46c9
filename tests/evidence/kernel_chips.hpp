// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel_rows.hpp"

namespace scaling::evidence {

/// A chip whose kernels may be priced.
struct PricedChip {
  KernelChip<double> chip;
  ChipGeneration generation;
};

/// All chips of shared/chips.json by id, with the constants of their generations; empty, with a
/// message in `error`, if they can't be read.
std::map<std::string, PricedChip> read_kernel_chips(const std::string& shared, std::string& error);

/// The tables (*.csv) of a folder in order; empty, with a message in `error`, if there is none.
std::vector<std::string> tables_of(const std::string& folder, std::string& error);

}  // namespace scaling::evidence
