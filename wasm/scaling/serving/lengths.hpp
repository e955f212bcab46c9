// SPDX-License-Identifier: MIT
//
// The lengths of prompts and answers that are not all alike: their means by moments, and the share
// of a batch of answers that is left when they are so long.
#pragma once

#include <array>
#include <cstddef>

#include "scaling/input/serving.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

namespace term {

inline constexpr Term kRunningAnswer{"runningAnswer", "E[a^2]/E[a]", kToken, "length-bias"};
inline constexpr Term kPromptSquare{"promptSquare", "E[p^2]/E[p]^2", kOne, "length-bias"};

}  // namespace term

/// The mean square of lengths over the square of their mean, for a deviation of so much of the
/// mean. Source: definition of the variance.
template <class R>
Count<R> mean_square(Count<R> spread) {
  return scalar<R>(1) + spread * spread;
}

/// Tokens that an answer which is being given has in the end, on average: long ones are being given
/// for longer, so that each counts by its tokens. Source: inspection paradox of renewal theory.
template <class R>
Quantity<kToken, R> running_answer(const Serving<R>& serving) {
  if (!(serving.answer_spread.value() > 0)) return serving.answer;
  return named<term::kRunningAnswer>(serving.answer * mean_square(serving.answer_spread));
}

/// Answers whose logarithms are normal, cut at the longest.
struct LengthSpread {
  double mean;     ///< of what is left after the cut [tokens]
  double longest;  ///< where answers are cut; never below the mean
  double sigma;    ///< deviation of the logarithm; 0: all are of the mean
};

/// A batch that begins together and ends answer by answer, as stretches between lengths.
struct AnswerLengths {
  /// Few will do, as they are spaced evenly in the logarithm of what is left: within 1.1 % of a
  /// simulation of each answer.
  static constexpr std::size_t kStretches = 8;

  struct Stretch {
    double until;   ///< length at its end [tokens]
    double active;  ///< share of the batch that is at work, on average
    bool tail;      ///< whether less than a tenth is
  };
  std::array<Stretch, kStretches> stretches;
  double weighted;  ///< mean length that a token of an answer sees: E[a^2] / E[a] [tokens]
};

/// The spread of `together` answers that begin at once. The last of them ends with the longest of
/// `all`, as the slowest replica decides: the quantile 1 - 1 / (2 all).
AnswerLengths lengths_of(const LengthSpread& spread, double together, double all);

}  // namespace scaling
