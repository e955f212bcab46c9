// SPDX-License-Identifier: MIT
#include "scaling/serving/lengths.hpp"

#include <algorithm>
#include <cmath>

#include "scaling/quantity/crossing.hpp"
#include "scaling/quantity/normal.hpp"

namespace scaling {
namespace {

/// The mean of answers over the longest, whose median is `exp(shift)` times the longest.
double mean_share(double shift, double sigma) {
  const double cut = -shift / sigma;
  return exp_of(shift + sigma * sigma / 2) * normal_above(sigma - cut) + normal_above(cut);
}

/// The mean of their squares over that of the longest.
double square_share(double shift, double sigma) {
  const double cut = -shift / sigma;
  return exp_of(2 * (shift + sigma * sigma)) * normal_above(2 * sigma - cut) + normal_above(cut);
}

/// The shift at which the mean is this share of the longest.
double shift_for(double share, double sigma) {
  double low = log_of(share) - sigma * sigma / 2;  // the mean without a cut
  double high = 10 * sigma;                        // all but none are cut
  for (int round = 0; round < 60; ++round) {
    const double middle = (low + high) / 2;
    (mean_share(middle, sigma) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The tail of a batch begins where less than this share of it is at work.
constexpr double kTail = 0.1;

/// The shares of a batch that are left at the ends of its stretches but the last, down to half of
/// an answer: a third of them, evenly in the logarithm, before the tail.
std::array<double, AnswerLengths::kStretches - 1> shares_left(double together) {
  constexpr std::size_t kAll = AnswerLengths::kStretches - 1;
  constexpr std::size_t kBefore = 3;
  const double end = 0.5 / together;
  const bool has_tail = end < kTail;
  const std::size_t before = has_tail ? kBefore : kAll;
  const double first = log_of(has_tail ? kTail : end) / static_cast<double>(before);
  std::array<double, kAll> shares;
  for (std::size_t i = 0; i < before; ++i) shares[i] = exp_of(first * static_cast<double>(i + 1));
  if (!has_tail) return shares;
  shares[kBefore - 1] = kTail;
  const double later = log_of(end / kTail) / static_cast<double>(kAll - kBefore);
  for (std::size_t i = kBefore; i < kAll; ++i) {
    shares[i] = kTail * exp_of(later * static_cast<double>(i - kBefore + 1));
  }
  return shares;
}

/// The stretches of a batch. `length_at(share)` is the length that a share of answers stays above,
/// and `working` the share that is at work on average between two shares at two lengths.
template <class LengthAt, class Working>
AnswerLengths stretches_of(double together, double all, LengthAt length_at, Working working) {
  AnswerLengths lengths;
  const auto shares = shares_left(together);
  const double alone = std::fmin(1, 1 / together);
  double left = 1;
  double from = 0;
  for (std::size_t i = 0; i < AnswerLengths::kStretches; ++i) {
    const bool last = i == shares.size();
    const double next = last ? 0 : shares[i];
    const double until = last ? std::fmax(length_at(0.5 / all), from) : length_at(next);
    lengths.stretches[i] = {until, std::fmax(alone, working(left, next, from, until)),
                            left <= kTail};
    left = next;
    from = until;
  }
  return lengths;
}

/// The mean of a list's lengths where they are cut at `length` [tokens].
double tokens_up_to(const LengthList& list, double length) {
  double sum = 0;
  for (const LengthList::Bin& bin : list.bins()) {
    const double reached = std::fmin(bin.to, std::fmax(bin.from, length));
    const double whole = std::fmin(bin.from, length);
    const double width = bin.to - bin.from;
    const double more = reached - bin.from;
    sum += bin.share * (width > 0 ? whole + more - more * more / (2 * width) : whole);
  }
  return sum;
}

/// The least variance of a logarithm: a smaller one would be lost in rounding.
constexpr double kLeastVariance = 1e-12;

}  // namespace

RequestLengths::RequestLengths(double spread) : spread_(spread) {
  if (!(spread > 0)) {
    longest_ = 1;
    return;
  }
  sigma_ = std::sqrt(std::fmax(kLeastVariance, log_of(1 + spread * spread)));
  size_ = kSteps;
  double all = 0;
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double z = (static_cast<double>(i) - (kSteps - 1) / 2.0) / 5;
    points_[i] = {exp_below(z * z / 2), exp_of(sigma_ * z - sigma_ * sigma_ / 2)};
    all += points_[i].share;
  }
  for (Point& point : points_) point.share /= all;
}

RequestLengths::RequestLengths(const LengthList& list, double spread)
    : RequestLengths(list.empty() ? spread : 0) {
  if (list.empty()) return;
  list_ = list;
  spread_ = std::sqrt(list.square - 1);
  longest_ = list.longest / list.mean;
  size_ = 0;
  // The two points of Gauss in each part of a bin: exact for cubes.
  const std::size_t parts = LengthList::kMostBins / list.size;
  const double near = 0.5 - std::sqrt(1.0 / 12);
  for (LengthList::Bin& bin : std::span(list_.items).first(list.size)) {
    bin.from /= list.mean;
    bin.to /= list.mean;
    if (!(bin.to > bin.from)) {
      points_[size_++] = {bin.share, bin.from};
      continue;
    }
    const double width = (bin.to - bin.from) / static_cast<double>(parts);
    for (std::size_t part = 0; part < parts; ++part) {
      const double from = bin.from + width * static_cast<double>(part);
      const double share = bin.share / static_cast<double>(2 * parts);
      points_[size_++] = {share, from + near * width};
      points_[size_++] = {share, from + (1 - near) * width};
    }
  }
}

double RequestLengths::shorter(double length) const {
  if (length >= longest_) return 1;
  if (list_.empty()) {
    return sigma_ > 0 ? 1 - normal_above(log_of(length) / sigma_ + sigma_ / 2) : 0;
  }
  double sum = 0;
  for (const LengthList::Bin& bin : list_.bins()) {
    if (length >= bin.to) {
      sum += bin.share;
    } else if (length > bin.from) {
      sum += bin.share * (length - bin.from) / (bin.to - bin.from);
    }
  }
  return sum;
}

UnlikePrompts::UnlikePrompts(const RequestLengths& lengths, double attention, double longest)
    : lengths_(lengths), attention_(attention), longest_(longest), size_(lengths.points().size()) {
  for (std::size_t i = 0; i < size_; ++i) {
    const auto& [share, length] = lengths.points()[i];
    points_[i] = {share, time_of(std::fmin(longest_, length))};
    mean_ += share * points_[i].time;
  }
  for (Point& point : std::span(points_).first(size_)) {
    point.time /= mean_;
    square_ += point.share * point.time * point.time;
  }
}

/// The share of prompts that take no longer than `time` over the mean.
double UnlikePrompts::shorter(double time) const {
  const double rest = 1 - attention_;
  const double all = time * mean_;
  const double length = 2 * all / (rest + std::sqrt(rest * rest + 4 * attention_ * all));
  return length >= longest_ ? 1 : lengths_.shorter(length);
}

/// The share of requests that wait, but for no longer than `time` over the mean: for what is left
/// of a prompt, which a time-weighted one of them is evenly, and for those that wait before it.
/// Source: Pollaczek-Khinchine, whose first term is whole and whose others are an exponential.
double UnlikePrompts::waited(double busy, double time) const {
  const double before = square_ / 2 / (1 - busy);
  const double later = exp_below(time / before);
  double sum = 0;
  for (const auto& [share, whole] : points()) {
    const double left = std::fmin(whole, time);
    sum += share * (left - busy * before * (exp_below((time - left) / before) - later));
  }
  return busy * sum;
}

/// The time that a share of requests keeps to, of which a share finds no one `at_once` and
/// `waited(time)` wait no longer than that, whatever prompts take.
template <class Waited>
double UnlikePrompts::tail_of_sum(double share, double mean, double at_once, Waited waited) const {
  if (!std::isfinite(mean)) return mean;
  const auto beyond = [&](double time) {
    double sum = at_once > 0 ? at_once * shorter(time / mean) : 0;
    for (const Point& point : points()) {
      const double left = time - mean * point.time;
      if (left > 0) sum += point.share * waited(left);
    }
    return sum - share;
  };
  double low = 0;
  double under = -share;
  double high = mean;
  double over = beyond(high);
  for (int round = 0; round < 64 && over < 0; ++round) {
    low = high;
    under = over;
    high *= 2;
    over = beyond(high);
  }
  return crossing(beyond, {low, under, high, over}, {.rounds = 40, .width = 1e-9, .value = 0});
}

double UnlikePrompts::tail(double share, double mean) const {
  return tail_of_sum(share, mean, 1, [](double) { return 0.0; });
}

double UnlikePrompts::tail_in_queue(double share, double mean, double busy, double wait) const {
  if (!(busy > 0 && wait > 0)) return tail(share, mean);
  // Work may come in other units than that of a prompt alone.
  const double unit = 2 * (1 - busy) * wait / (busy * square_);
  return tail_of_sum(share, mean, 1 - busy, [&](double time) {
    return std::fmin(waited(busy, time / unit),
                     busy * (1 - exp_below(time * busy * square_ / wait)));
  });
}

double UnlikePrompts::tail_in_wave(double share, double mean, double wait) const {
  if (!(wait > 0)) return tail(share, mean);
  return tail_of_sum(share, mean, 0, [&](double time) { return std::fmin(1, time / (2 * wait)); });
}

AnswerLengths lengths_of(const LengthList& list, double together, double all) {
  const RequestLengths requests(list, 0);
  const auto length_at = [&](double left) {
    double low = 0;
    double high = list.longest;
    for (int round = 0; round < 60; ++round) {
      const double middle = (low + high) / 2;
      (1 - requests.shorter(middle / list.mean) > left ? low : high) = middle;
    }
    return high;
  };
  const auto working = [&](double left, double, double from, double until) {
    if (!(until > from)) return left;
    return (tokens_up_to(list, until) - tokens_up_to(list, from)) / (until - from);
  };
  auto lengths = stretches_of(together, all, length_at, working);
  lengths.weighted = list.mean * list.square;
  return lengths;
}

AnswerLengths lengths_of(const LengthSpread& spread, double together, double all) {
  const double mean = spread.mean;
  const double longest = spread.longest;
  const double sigma = spread.sigma;
  if (!(sigma > 0) || !(mean < longest)) {
    AnswerLengths lengths;
    lengths.stretches.fill({mean, 1, false});
    lengths.weighted = mean;
    return lengths;
  }
  const double shift = shift_for(mean / longest, sigma);
  // The length that a share of answers stays above.
  const auto length_at = [&](double left) {
    return longest * exp_of(std::fmin(0, shift + sigma * normal_at(left)));
  };
  const auto working = [](double left, double next, double, double) {
    return next > 0 ? std::sqrt(left * next) : left / 2;
  };
  auto lengths = stretches_of(together, all, length_at, working);
  lengths.weighted = longest * square_share(shift, sigma) / mean_share(shift, sigma);
  return lengths;
}

}  // namespace scaling
