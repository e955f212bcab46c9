// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace scaling {

/// Does `part` divide `whole`? For whole numbers below 2^53.
inline bool divides(double part, double whole) { return std::floor(whole / part) * part == whole; }

/// The divisors of a whole number up to `most`, in ascending order; of one above 1e9, those that
/// are small or belong to a small one.
class Divisors {
 public:
  static constexpr std::size_t kMost = 1400;  // 735,134,400 has 1344, the most of all up to 1e9

  explicit Divisors(double number, double most = 1e300) {
    // Small ones upwards from the front, their partners downwards from the back.
    std::size_t back = items_.size();
    constexpr double kMostTries = 31623;  // the root of 1e9
    const double last = std::min(kMostTries, most);
    double i = 1;
    for (; i * i <= number && i <= last && size_ < back; ++i) {
      if (!divides(i, number)) continue;
      items_[size_++] = i;
      const double partner = number / i;
      if (i == partner || partner > most) continue;
      if (back > size_) {
        items_[--back] = partner;
      } else {
        complete_ = false;
      }
    }
    // A number that was not tried can divide only if it is no larger than the wanted one.
    if (i * i <= number && i <= most) complete_ = false;
    while (back < items_.size()) items_[size_++] = items_[back++];
  }

  std::span<const double> items() const { return std::span(items_).first(size_); }

  /// Whether these are all; false where the number is too large or has too many.
  bool complete() const { return complete_; }

 private:
  std::array<double, kMost> items_;
  std::size_t size_ = 0;
  bool complete_ = true;
};

}  // namespace scaling
