// SPDX-License-Identifier: MIT
//
// The times per token of requests that are served alike and yet differ: by the prompts of others
// that come while they are answered, by the batch that they share, and by the lengths of answers.
#pragma once

#include <array>
#include <cstddef>

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
    double answers = 0;  ///< deviation of the lengths of answers over their mean
  };

  explicit TokenTimes(const Spread& spread);

  /// The time that a share of requests stays below, over the mean; 0 < share < 1.
  double at(double share) const;

  /// The least of them.
  double least() const { return 1 - excess_; }

 private:
  static constexpr std::size_t kSteps = 49;  ///< of the lengths, 1/5 of a deviation each

  double below(double beyond) const;

  double excess_;
  std::size_t size_ = 1;
  std::array<double, kSteps> shares_{}, roots_{};  ///< of lengths; root of 9 shapes of the gamma
};

}  // namespace scaling
