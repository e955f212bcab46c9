// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/hardware/collective.hpp"
#include "scaling/model/operation_request.hpp"

namespace scaling {

/// Figures of a chip that a roofline chart draws: 0 where a figure is not listed. The last peak is
/// that of the vector units.
struct Roofs {
  static constexpr std::size_t kPeaks = std::size(kFormatNames) + 1;
  static constexpr std::size_t kSlopes = std::size(kMemoryLevelNames) + 1;  ///< and the network

  std::array<double, kPeaks> peaks{};             ///< FLOPs/s
  std::array<double, kSlopes> slopes{};           ///< B/s
  std::array<double, kPeaks * kSlopes> ridges{};  ///< FLOPs/B where a slope meets a peak
};

/// The roofs of `chip`; the network's slope is what a chip sends in a second of an AllGather over
/// `mesh`. Source: book ch. 1.
Roofs make_roofs(const Chip<double>& chip, const Mesh<double>& mesh);

}  // namespace scaling
