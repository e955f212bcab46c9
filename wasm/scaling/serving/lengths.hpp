// SPDX-License-Identifier: MIT
//
// The lengths of prompts and answers that are not all alike: their means by moments, the times that
// a share of prompts keeps to, and the share of a batch of answers that is left when they are so
// long.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "scaling/input/serving.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

namespace term {

inline constexpr Term kRunningAnswer{"runningAnswer", "E[a^2]/E[a]", kToken, "length-bias"};
inline constexpr Term kListedSquare{"listedSquare", "E[l^2]/E[l]^2", kOne, "length-bias"};
inline constexpr Term kPromptSquare{"promptSquare", "E[p^2]/E[p]^2", kOne, "length-bias"};

}  // namespace term

/// Lengths of prompts or of answers, over their mean.
class RequestLengths {
 public:
  /// Points at most: steps of the normal distribution, or two of each bin.
  static constexpr std::size_t kSteps = 49;  ///< 1/5 of a deviation each
  static constexpr std::size_t kMost = 2 * LengthList::kMostBins;
  static_assert(kSteps <= kMost);

  /// A share of requests whose length is so many times the mean.
  struct Point {
    double share, length;
  };

  /// Log-normal ones, of a deviation over their mean; 0: all are alike.
  explicit RequestLengths(double spread);

  /// Lengths of a list, or else log-normal ones.
  RequestLengths(const LengthList& list, double spread);

  /// Few that stand for all: sums over them are means over all requests.
  std::span<const Point> points() const { return std::span(points_).first(size_); }

  /// The share of requests that are no longer.
  double shorter(double length) const;

  /// The deviation over the mean.
  double spread() const { return spread_; }

 private:
  LengthList list_;  ///< over its mean; empty: log-normal
  double spread_, sigma_ = 0, longest_ = std::numeric_limits<double>::infinity();
  std::size_t size_ = 1;
  std::array<Point, kMost> points_{{{1, 1}}};
};

/// The mean square of lengths over the square of their mean: of a list, or else for a deviation of
/// so much of the mean. Source: definition of the variance.
template <class R>
Count<R> mean_square(const LengthList& list, Count<R> spread) {
  if (!list.empty()) return named_number<term::kListedSquare, R>(list.square);
  return scalar<R>(1) + spread * spread;
}

/// Tokens that an answer which is being given has in the end, on average: long ones are being given
/// for longer, so that each counts by its tokens. Source: inspection paradox of renewal theory.
template <class R>
Quantity<kToken, R> running_answer(const Serving<R>& serving) {
  if (!serving.answers_differ()) return serving.answer;
  return named<term::kRunningAnswer>(serving.answer *
                                     mean_square(serving.answer_list, serving.answer_spread));
}

/// Prompts whose lengths differ. One that is r times as long as the mean takes
/// (1 - s) r + s r^2 of a time, as attention grows with its square.
class UnlikePrompts {
 public:
  /// `attention` is the part s of the mean prompt's time, and `longest` r where prompts are cut,
  /// above 0.
  UnlikePrompts(const RequestLengths& lengths, double attention, double longest);

  /// E[T^2] / E[T]^2 of their times.
  double square() const { return square_; }

  /// The time that this share of prompts keeps to, where they take `mean` on average [s].
  double tail(double share, double mean) const;

  /// The same with the wait for a server that is busy for a share of the time: `wait` on average.
  /// It is for what is left of one prompt, often a long one, and exponential for those before that;
  /// no sooner than that for prompts that are alike, which is exponential alone.
  double tail_in_queue(double share, double mean, double busy, double wait) const;

  /// The same with waits that lie evenly between none and twice their mean.
  double tail_in_wave(double share, double mean, double wait) const;

 private:
  double time_of(double length) const { return length * (1 - attention_ + attention_ * length); }
  double shorter(double time) const;

  /// A share of prompts, and their time over the mean.
  struct Point {
    double share, time;
  };
  std::span<const Point> points() const { return std::span(points_).first(size_); }

  double waited(double busy, double time) const;
  template <class Waited>
  double tail_of_sum(double share, double mean, double at_once, Waited waited) const;

  RequestLengths lengths_;
  double attention_, longest_, mean_ = 0, square_ = 0;
  std::size_t size_;
  std::array<Point, RequestLengths::kMost> points_{};
};

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

/// The lengths of `together` answers that begin at once. The last of them ends with the longest of
/// `all`, as the slowest replica decides: the quantile 1 - 1 / (2 all).
AnswerLengths lengths_of(const LengthSpread& spread, double together, double all);
AnswerLengths lengths_of(const LengthList& list, double together, double all);

}  // namespace scaling
