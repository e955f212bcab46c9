// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace scaling {

/// Does `part` divide `whole`? For whole numbers below 2^53.
inline bool divides(double part, double whole) { return std::floor(whole / part) * part == whole; }

/// The divisors of a whole number, in ascending order; of one above 1e9, those that are small or
/// belong to a small one.
class Divisors {
 public:
  explicit Divisors(double number) {
    // Small ones upwards from the front, their partners downwards from the back.
    std::size_t back = items_.size();
    constexpr double kMostTries = 31623;  // the root of 1e9
    for (double i = 1; i * i <= number && i <= kMostTries && size_ < back; ++i) {
      if (!divides(i, number)) continue;
      items_[size_++] = i;
      if (i * i != number && back > size_) items_[--back] = number / i;
    }
    while (back < items_.size()) items_[size_++] = items_[back++];
  }

  std::span<const double> items() const { return std::span(items_).first(size_); }

 private:
  std::array<double, 1400> items_;  // 735,134,400 has the most, 1344
  std::size_t size_ = 0;
};

}  // namespace scaling
