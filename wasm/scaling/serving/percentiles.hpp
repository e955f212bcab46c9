// SPDX-License-Identifier: MIT
//
// How requests of one load differ: percentiles of their times, and the shares that keep to targets.
#pragma once

#include <array>
#include <cstddef>

#include "scaling/serving/load.hpp"

namespace scaling {

/// The percentiles that are answered.
inline constexpr std::array kPercentiles{0.5, 0.9, 0.99};

struct Percentiles {
  std::array<double, kPercentiles.size()> first;  ///< time to the first token over its mean
  std::array<double, kPercentiles.size()> token;  ///< time for each further token over its mean
  /// Shares of requests that keep to the target of each; 1 without one.
  double first_within = 1, token_within = 1;
  /// Whether requests that wait the longest for the first token are answered the fastest after it:
  /// prompts that they waited for do not come between. Then the fewest miss both targets.
  bool opposed = false;
};

/// Finds them for a load that is served so. First tokens differ by their waits and, where they are
/// unlike, their prompts (see `serve`). Times per token differ
/// - in an open loop by the prompts that come meanwhile, as in a busy period that the steps of an
///   answer begin, and by the batch: it varies as requests come by chance, and more so as a larger
///   batch takes longer;
/// - in a closed loop, where a request takes a cycle from its first prompt to its last answer, by
///   how long it has waited; and by the number of prompts of others, which varies by the mean
///   deviation of answers, as in a renewal process that is watched for one mean interval.
/// Deviations of several causes add as squares. Requests of one batch are alike.
/// Source: delay busy periods, Conway, Maxwell and Miller 1967; checked against servers that are
/// played step by step.
Percentiles percentiles_of(const ServingInput<double>& in, const WeightBytes<double>& weights,
                           const LoadChoice& choice, const Served<double>& served);

}  // namespace scaling
