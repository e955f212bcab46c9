// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

namespace scaling {

/// ln(x) of x >= 1: by halving, and the series of atanh, so that it is the same to the bit on every
/// machine.
inline double logarithm(double x) {
  if (x > std::numeric_limits<double>::max()) return x;
  constexpr double kLnTwo = 0.693147180559945309417;
  double halvings = 0;
  while (x >= 2) {
    x /= 2;
    ++halvings;
  }
  const double y = (x - 1) / (x + 1);
  double sum = 0;
  double power = y;
  for (int n = 1; n < 40; n += 2) {
    sum += power / n;
    power *= y * y;
  }
  return halvings * kLnTwo + 2 * sum;
}

}  // namespace scaling
