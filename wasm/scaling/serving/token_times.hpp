// SPDX-License-Identifier: MIT
//
// The times per token of requests that are served alike and yet differ: by the prompts of others
// that come while they are answered, by the batch that they share, and by the lengths of answers.
#pragma once

#include <array>
#include <cstddef>

#include "scaling/serving/lengths.hpp"

namespace scaling {

/// Times per token over their mean. The part beyond what no request is spared of is gamma
/// distributed, with a variance that falls with the length of the answer: a request that is
/// answered r times as long as the mean sees r times as many prompts. Source: first two moments of
/// a busy period that a delay begins; gamma by Wilson and Hilferty.
class TokenTimes {
 public:
  struct Spread {
    double excess = 0;   ///< part of the mean that some requests are spared of, 0 to 1
    double once = 0;     ///< variance that falls as 1 / r
    double lasting = 0;  ///< variance that falls as 1 / (1 + r / 2)
  };

  TokenTimes(const Spread& spread, const RequestLengths& answers);

  /// The time that a share of requests stays below, over the mean; 0 < share < 1.
  double at(double share) const;

  /// The time of a request whose answer has a length of `answers().points()`, so many normal
  /// deviations from the median of such requests, over the mean.
  double of(std::size_t point, double deviation) const;

  const RequestLengths& answers() const { return answers_; }

  /// Whether it differs among requests with answers of one length.
  bool differ() const { return excess_ > 0; }

  /// The least of them.
  double least() const { return 1 - excess_; }

 private:
  double below(double beyond) const;

  double excess_;
  RequestLengths answers_;
  std::array<double, RequestLengths::kMost>
      roots_{};  ///< of their points: root of 9 shapes of the gamma
};

}  // namespace scaling
