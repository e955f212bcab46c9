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

TokenTimes::TokenTimes(const Spread& spread) : excess_(spread.excess) {
  if (!(spread.once + spread.lasting > 0)) excess_ = 0;
  if (!(excess_ > 0)) return;
  const double sigma = std::sqrt(log_of(1 + spread.answers * spread.answers));
  if (sigma > 0) size_ = kSteps;
  double all = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double z = (static_cast<double>(i) - static_cast<double>(size_ - 1) / 2) / 5;
    const double length = exp_of(sigma * z - sigma * sigma / 2);
    const double variance = spread.once / length + spread.lasting / (1 + length / 2);
    shares_[i] = exp_below(z * z / 2);
    roots_[i] = 3 * excess_ / std::sqrt(variance);
    all += shares_[i];
  }
  for (double& share : shares_) share /= all;
}

/// The share of requests whose excess is no more than so many times its mean.
double TokenTimes::below(double beyond) const {
  const double root = root_of(beyond);
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    sum += shares_[i] * (1 - normal_above((root - 1) * roots_[i] + 1 / roots_[i]));
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

}  // namespace scaling
