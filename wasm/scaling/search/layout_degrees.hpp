// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/input/layout.hpp"
#include "scaling/quantity/divisors.hpp"

namespace scaling {

/// The values of a degree: divisors of a number up to a most, or the one that is pinned.
class DegreeValues {
 public:
  void pin(double value);
  void divide(double number, double most);
  /// Orders ascending values from the middle outwards.
  void order_from_middle();
  std::span<const double> items() const { return std::span(items_).first(size_); }
  bool complete() const { return complete_; }

 private:
  std::array<double, Divisors::kMost> items_;
  std::size_t size_ = 0;
  bool complete_ = true;
};

/// All ways to divide a model among chips, valid or not, one after another.
class LayoutDegrees {
 public:
  /// The last one changes fastest: layouts with the same of the others share the most.
  enum Degree : std::size_t { kTensor, kExpertTensor, kExpert, kContext, kPipeline };
  static constexpr std::size_t kDegrees = kPipeline + 1;

  DegreeValues& values_of(Degree degree) { return values_[degree]; }

  /// Goes on to the next, from the start to the first; whether there is one.
  bool next();
  void restart() { started_ = false; }
  /// The share that is done, by the outermost degrees.
  double fraction() const;

  /// Sets the degrees in hand.
  void set(Layout<double>& layout) const;

 private:
  std::array<DegreeValues, kDegrees> values_;
  std::array<std::size_t, kDegrees> at_{};  ///< of the degrees in hand
  bool started_ = false;
};

}  // namespace scaling
