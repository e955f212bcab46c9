// SPDX-License-Identifier: MIT
#include "scaling/training/loss_law.hpp"

#include <limits>

namespace scaling {

double parameters_for_life(LossFit fit, double most, double tokens, double served) {
  const auto law = loss_law<double>(fit);
  const double alpha = law.alpha.value();
  const double beta = law.beta.value();
  const auto of = [](double amount, double size, double exponent) {
    return amount / rep::power(size, exponent);
  };
  const double above =
      of(law.of_parameters.value(), most, alpha) + of(law.of_tokens.value(), tokens, beta);
  const auto cost = [&](double parameters) {
    const double rest = above - of(law.of_parameters.value(), parameters, alpha);
    if (!(rest > 0)) return std::numeric_limits<double>::infinity();
    return parameters * (6 * rep::power(law.of_tokens.value() / rest, 1 / beta) + 2 * served);
  };
  // Along the logarithm of the parameters, the cost falls to one place and rises from there.
  const auto at = [&](double smaller) { return most / (1 + rep::exp_minus_one(smaller)); };
  double low = 0;
  double high = rep::logarithm(most);
  for (int n = 0; n < 60; ++n) {
    const double third = (high - low) / 3;
    if (cost(at(low + third)) <= cost(at(high - third))) {
      high -= third;
    } else {
      low += third;
    }
  }
  return at((low + high) / 2);
}

}  // namespace scaling
