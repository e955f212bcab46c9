// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/search/search_input.hpp"

namespace scaling {

/// Gives a plan `chips` chips: on a torus in the fewest slices that have a shape, else in as many
/// as there are. With `weak`, the batch grows as the chips do, in whole sequences. Whether there is
/// a network of so many.
bool set_chips(SearchInput<double>& in, double chips, bool weak);

/// A change to a plan's input whose gain is worth knowing.
enum class Lever : std::uint8_t {
  kMoreChips,      ///< twice as many
  kLargerBatch,    ///< twice as large
  kFp8,            ///< matmuls of the layers in fp8
  kFasterNetwork,  ///< all links twice as fast
  kMoreMemory,     ///< twice as much a chip
  kFasterMemory,   ///< twice as fast
  kMoreOverlap,    ///< tensor and expert transfers overlap as far as computing can hide them
  kLessRecompute,  ///< none, as if there were memory enough
};
inline constexpr const char* kLeverNames[] = {"moreChips",     "largerBatch",  "fp8",
                                              "fasterNetwork", "moreMemory",   "fasterMemory",
                                              "moreOverlap",   "lessRecompute"};

/// Pulls a lever; whether it could be.
bool pull(SearchInput<double>& in, Lever lever);

}  // namespace scaling
