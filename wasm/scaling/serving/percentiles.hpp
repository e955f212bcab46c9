// SPDX-License-Identifier: MIT
//
// How requests of one load differ: percentiles of their times, and the shares that keep to targets.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "scaling/serving/load.hpp"
#include "scaling/serving/token_times.hpp"

namespace scaling {

template <class R>
struct LoadParts;

/// The percentiles that are answered.
inline constexpr std::array kPercentiles{0.5, 0.9, 0.99};

/// The times of the requests of a load that is served so. First tokens differ by their waits and,
/// where they are unlike, their prompts (see `serve`). Times per token differ
/// - in an open loop by the prompts that come meanwhile, as in a busy period that the steps of an
///   answer begin, and by the batch: it varies as requests come by chance, and more so as a larger
///   batch takes longer;
/// - in a closed loop, where a request takes a cycle from its first prompt to its last answer, by
///   how long it has waited; and by the number of prompts of others, which varies by the mean
///   deviation of answers, as in a renewal process that is watched for one mean interval.
/// Deviations of several causes add as squares. Requests of one batch are alike. Whole requests
/// differ by all of these and by the lengths of their answers; in a closed loop, what a request
/// waits for before its first token does not come between its others.
/// Source: delay busy periods, Conway, Maxwell and Miller 1967; checked against servers that are
/// played step by step.
class RequestTimes {
 public:
  /// Finds them on plain numbers, whatever the load is in.
  template <class R>
  RequestTimes(const LoadParts<R>& of, const Served<R>& served);

  /// The time to the first token that a share of requests keeps to [s], of 0 < share < 1.
  double first_at(double share) const;

  /// The time for each further token, over its mean.
  double token_at(double share) const;

  /// The times from request to last token at `kPercentiles`, over their mean.
  std::array<double, kPercentiles.size()> wholes() const;

  /// The shares of requests that keep to targets [s].
  double first_within(double target) const;
  double token_within(double target) const;

  /// Whether requests that wait the longest for the first token are answered the fastest after it:
  /// prompts that they waited for do not come between. Then the fewest miss both targets.
  bool opposed() const { return in_cycles() && !(times_.answers().spread() > 0); }

 private:
  bool in_cycles() const { return load_ == ServingLoad::kClosed && !apart_; }
  double own_first_at(double share) const;

  ServingLoad load_;
  bool apart_;
  std::optional<UnlikePrompts> unlike_;
  Served<double> served_;  ///< what waits and first tokens are made of
  double answering_;       ///< time that the steps of an answer take [s]
  double steps_;           ///< the same without prompts of others [s]
  double further_;         ///< tokens of a mean answer after its first
  TokenTimes times_;
};

}  // namespace scaling
