// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace scaling {

/// Two places with the values there, which have different signs.
struct Bracket {
  double low, at_low, high, at_high;
};

/// When a search for a crossing ends.
struct Nearness {
  int rounds;    ///< at most
  double width;  ///< of the bracket, over its upper end
  double value;  ///< over the place; 0: the width alone decides
};

/// The place above 0 where a function crosses 0: the upper end of the last bracket, or a place
/// whose value is near enough. Each secant halves the value of the end that stays (Illinois), so
/// that both ends move. Source: Dowell and Jarratt 1971.
template <class Function>
double crossing(Function value_at, Bracket bracket, const Nearness& near) {
  auto& [low, at_low, high, at_high] = bracket;
  for (int round = 0; round < near.rounds && high - low > near.width * high; ++round) {
    const double middle = low + (high - low) * at_low / (at_low - at_high);
    if (!(middle > low && middle < high)) break;
    const double value = value_at(middle);
    if (std::fabs(value) < near.value * middle) return middle;
    if (at_low > 0 ? value > 0 : value < 0) {
      low = middle;
      at_low = value;
      at_high /= 2;
    } else {
      high = middle;
      at_high = value;
      at_low /= 2;
    }
  }
  return high;
}

}  // namespace scaling
