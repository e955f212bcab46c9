// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace scaling {

/// The notation of a number, and the steps from one to the next.
enum class Shown : std::uint8_t {
  kPlain,
  kPercent,   ///< a fraction, in percent
  kDoubling,  ///< a count that is doubled and halved rather than raised by a digit
  kStep,      ///< the time of a step: in seconds or parts of one, as training logs have it
};
inline constexpr const char* kShownNames[] = {"plain", "percent", "doubling", "step"};

}  // namespace scaling
