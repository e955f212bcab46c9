// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "scaling/serving/forward.hpp"

namespace scaling {

/// Remembers the parts of steps of one input, whose ways a search changes: most ways share what
/// they do by themselves. Gives the very bits that `step_parts` gives. A place is overwritten by
/// the next part that falls on it.
class StepMemo {
 public:
  /// Forgets all; before another chip, model, load or software.
  void clear();

  /// The parts of steps; without some of them, steps never take longer.
  enum class Depth : std::uint8_t {
    kRanks,  ///< the work of a rank of attention by itself
    kAll,    ///< and transfers and experts
  };
  Depth depth = Depth::kAll;

  StepParts<double> step(const ServingInput<double>& in, const WeightBytes<double>& weights,
                         const ServerWays<double>& ways, const StepTokens<double>& tokens);

 private:
  template <std::size_t kNumbers, class Kept>
  struct Place {
    std::array<double, kNumbers> key;  ///< all 0: nothing
    Kept kept;
  };

  std::array<Place<7, StepParts<double>>, 1024> ranks_;
  std::array<Place<6, Quantity<kSecond, double>>, 4096> networks_;
  std::array<Place<3, Quantity<kSecond, double>>, 16384> experts_;
};

}  // namespace scaling
