// SPDX-License-Identifier: MIT
#include "kernel_chips.hpp"

#include "training_runs.hpp"

namespace scaling::evidence {

std::map<std::string, PricedChip> read_kernel_chips(const std::string& shared, std::string& error) {
  const Presets presets = read_presets(shared, error);
  std::map<std::string, PricedChip> chips;
  for (const auto& [id, raw] : presets.chips) {
    const auto chip = read_group<Chip, double>(raw);
    chips[id] = {kernel_chip(chip, chip.multiprocessors, kernel_rates(chip.generation)),
                 chip.generation};
  }
  return chips;
}

}  // namespace scaling::evidence
