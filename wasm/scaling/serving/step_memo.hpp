// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

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

  FloorNumbers<double> floor_numbers(const Model<double>& model);

  /// ln of a number of chips.
  double logarithm_of(double chips);

 private:
  StepParts<double> serial(const ServingInput<double>& in, const WeightBytes<double>& weights,
                           const ServerWays<double>& ways, const StepTokens<double>& tokens);

  std::optional<FloorNumbers<double>> floor_numbers_;
  std::array<double, 257> logarithms_{};  ///< of whole numbers; 0: not computed
  using Key = std::array<double, 8>;
  template <class Kept>
  struct Place {
    Key key;  ///< all 0: nothing
    Kept kept;
  };
  template <class Kept>
  static const Kept& find(std::span<Place<Kept>> places, const Key& key, StepNeeds needs,
                          const ServingInput<double>& in, const WeightBytes<double>& weights,
                          const ServerWays<double>& ways, const StepTokens<double>& tokens);

  std::array<Place<StepParts<double>>, 1024> ranks_;
  std::array<Place<Quantity<kSecond, double>>, 1024> attention_;
  std::array<Place<Quantity<kSecond, double>>, 4096> networks_, exchanges_;
  std::array<Place<Quantity<kSecond, double>>, 16384> experts_;
};

}  // namespace scaling
