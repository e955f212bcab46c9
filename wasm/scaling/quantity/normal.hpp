// SPDX-License-Identifier: MIT
//
// The normal distribution and what lengths and times that follow it need: by sums, products and
// roots alone, so that all is the same to the bit on every machine.
#pragma once

#include "scaling/quantity/logarithm.hpp"
#include "scaling/quantity/quantity.hpp"

namespace scaling {

/// ln(x) of x > 0.
inline double log_of(double x) { return x < 1 ? -logarithm(1 / x) : logarithm(x); }

/// e^-x of x >= 0.
inline double exp_below(double x) { return 1 / (1 + detail::exp_minus_one(x)); }

/// e^x.
inline double exp_of(double x) { return x < 0 ? exp_below(-x) : 1 + detail::exp_minus_one(x); }

/// The share of a normal distribution above `z`, within 1.5e-7. Source: Abramowitz and Stegun,
/// 7.1.26.
double normal_above(double z);

/// The deviation that a share `p` of a normal distribution stays above, of 0 < p < 1.
/// Source: P. J. Acklam's rational approximation, within 1.2e-9 of the value.
double normal_at(double p);

}  // namespace scaling
