// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scaling/hardware/collective.hpp"

namespace scaling {

/// The chips' holdings before and after each step of a collective: `holds` has, for each moment,
/// chip and part of the array, how many chips' pieces of that part the chip has. A part is complete
/// with 1 of a gather or a transfer, and with as many as there are chips of a reduction or an
/// AllToAll. Axes follow one another here, where the cost has them work at once: over several axes,
/// a link carries more in all than that takes time for.
struct CollectiveSteps {
  static constexpr std::size_t kMostChips = 16;
  static constexpr std::size_t kMostSteps = 2 * (kMostChips - 1);  ///< of an AllReduce on a line

  std::size_t chips = 0;  ///< 0: too many to tell
  std::size_t steps = 0;
  std::array<std::uint8_t, (kMostSteps + 1) * kMostChips * kMostChips> holds{};

  std::span<std::uint8_t> moment(std::size_t step) {
    return std::span(holds).subspan(step * chips * chips, chips * chips);
  }
};

CollectiveSteps make_collective_steps(const Chip<double>& chip, const Mesh<double>& mesh,
                                      const CollectiveRequest<double>& request);

}  // namespace scaling
