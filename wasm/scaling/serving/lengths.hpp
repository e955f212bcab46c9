// SPDX-License-Identifier: MIT
//
// The lengths of a batch of answers, and the share of it that is left when they are so long.
#pragma once

#include <array>
#include <cstddef>

namespace scaling {

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
