// SPDX-License-Identifier: MIT
#include "scaling/serving/token_times.hpp"

#include <cmath>

#include "scaling/quantity/crossing.hpp"
#include "scaling/quantity/normal.hpp"

namespace scaling {
namespace {

/// The cube root of x > 0.
double root_of(double x) { return x < 1 ? 1 / detail::cube_root(1 / x) : detail::cube_root(x); }

}  // namespace

TokenTimes::TokenTimes(const Spread& spread, const RequestLengths& answers)
    : excess_(spread.excess), answers_(answers) {
  if (!(spread.once + spread.lasting > 0)) excess_ = 0;
  if (!(excess_ > 0)) return;
  for (std::size_t i = 0; i < answers_.points().size(); ++i) {
    const double length = answers_.points()[i].length;
    const double variance = spread.once / length + spread.lasting / (1 + length / 2);
    roots_[i] = 3 * excess_ / std::sqrt(variance);
  }
}

/// The share of requests whose excess is no more than so many times its mean.
double TokenTimes::below(double beyond) const {
  const double root = root_of(beyond);
  double sum = 0;
  for (std::size_t i = 0; i < answers_.points().size(); ++i) {
    sum += answers_.points()[i].share * (1 - normal_above((root - 1) * roots_[i] + 1 / roots_[i]));
  }
  return sum;
}

double TokenTimes::at(double share) const {
  if (!(excess_ > 0)) return 1;
  const auto over = [&](double beyond) { return below(beyond) - share; };
  constexpr double kLeast = 1e-9;
  double low = kLeast;
  double at_low = over(low);
  if (at_low >= 0) return least();
  double high = 1;
  double at_high = over(high);
  for (int round = 0; round < 64 && at_high < 0; ++round) {
    low = high;
    at_low = at_high;
    high *= 2;
    at_high = over(high);
  }
  const double beyond =
      crossing(over, {low, at_low, high, at_high}, {.rounds = 60, .width = 1e-9, .value = 0});
  return least() + excess_ * beyond;
}

double TokenTimes::of(std::size_t point, double deviation) const {
  if (!(excess_ > 0)) return 1;
  const double root = 1 + (deviation - 1 / roots_[point]) / roots_[point];
  return least() + excess_ * (root > 0 ? root * root * root : 0);
}

}  // namespace scaling
