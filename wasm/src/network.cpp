// SPDX-License-Identifier: MIT
#include "scaling/network.hpp"

namespace scaling {

double ways_inside(double ways, double stride, double size) {
  const double places = std::floor(size / stride);
  if (places * stride != size || places < 1) return 1;
  double a = std::floor(ways);
  double b = places;
  if (a != ways) return std::fmin(ways, places);  // a continuous way, as rules of thumb have it
  while (b > 0) {
    const double rest = a - std::floor(a / b) * b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace scaling
