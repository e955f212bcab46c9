// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace scaling {

/// Chips whose kernels reach the same shares of their data sheets.
enum class ChipGeneration : std::uint8_t {
  kGeneral,  ///< no kernels of it were measured: shares that hold on most chips
  kAmpere,
  kAda,
  kHopper,
  kBlackwell,
  kBlackwellUltra,
  kAmd,
  kTpu,  ///< v2 to v5p: matrix units of 128 x 128
  kTrillium,
  kIronwood,
  kTrainium,
};
inline constexpr const char* kChipGenerationNames[] = {
    "general", "ampere", "ada",      "hopper",   "blackwell", "blackwellUltra",
    "amd",     "tpu",    "trillium", "ironwood", "trainium"};
inline constexpr std::size_t kChipGenerations = std::size(kChipGenerationNames);

}  // namespace scaling
