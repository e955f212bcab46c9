// SPDX-License-Identifier: MIT
#include "scaling/quantity/normal.hpp"

#include <cmath>
#include <cstddef>

namespace scaling {
namespace {

template <std::size_t kSize>
double polynomial(const double (&coefficients)[kSize], double x) {
  double sum = 0;
  for (const double coefficient : coefficients) sum = sum * x + coefficient;
  return sum;
}

}  // namespace

double normal_above(double z) {
  constexpr double kTerms[] = {1.061405429,  -1.453152027, 1.421413741,
                               -0.284496736, 0.254829592,  0};
  const double x = std::fabs(z) / std::sqrt(2.0);
  const double upper = polynomial(kTerms, 1 / (1 + 0.3275911 * x)) * exp_of(-x * x) / 2;
  return z < 0 ? 1 - upper : upper;
}

double normal_at(double p) {
  constexpr double kMiddle[] = {-3.969683028665376e+01, 2.209460984245205e+02,
                                -2.759285104469687e+02, 1.383577518672690e+02,
                                -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double kMiddleUnder[] = {-5.447609879822406e+01, 1.615858368580409e+02,
                                     -1.556989798598866e+02, 6.680131188771972e+01,
                                     -1.328068155288572e+01, 1};
  constexpr double kEnd[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                             -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double kEndUnder[] = {7.784695709041462e-03, 3.224671290700398e-01,
                                  2.445134137142996e+00, 3.754408661907416e+00, 1};
  constexpr double kEnds = 0.02425;
  if (p > 1 - kEnds) return -normal_at(1 - p);
  if (p < kEnds) {
    const double q = std::sqrt(-2 * log_of(p));
    return -polynomial(kEnd, q) / polynomial(kEndUnder, q);
  }
  const double q = 0.5 - p;
  return polynomial(kMiddle, q * q) * q / polynomial(kMiddleUnder, q * q);
}

}  // namespace scaling
