// SPDX-License-Identifier: MIT
#include "scaling/serving/percentiles.hpp"

#include <algorithm>
#include <cmath>

#include "scaling/quantity/crossing.hpp"
#include "scaling/quantity/normal.hpp"
#include "scaling/serving/load_parts.hpp"

namespace scaling {
namespace {

/// The sum of deviations of independent causes.
double together(double one, double other) {
  const double sum = one * std::fabs(one) + other * std::fabs(other);
  return sum < 0 ? -std::sqrt(-sum) : std::sqrt(sum);
}

/// The share that keeps to a target, of a time that rises with the share: none or all beyond one in
/// ten thousand.
template <class Time>
double share_within(Time time_at, double target) {
  constexpr double kEnd = 1e-4;
  // A time that is just the target keeps to it.
  const auto over = [&](double share) { return time_at(share) - target * (1 + 1e-12); };
  const double above = over(1 - kEnd);
  if (above < 0) return 1;
  const double under = over(kEnd);
  if (under > 0) return 0;
  return crossing(over, {kEnd, under, 1 - kEnd, above}, {.rounds = 40, .width = 1e-9, .value = 0});
}

/// Times that lie evenly between those of some shares of requests.
class EvenTimes {
 public:
  template <class Time>
  explicit EvenTimes(Time time_at) {
    for (std::size_t i = 0; i < kShares.size(); ++i) times_[i] = time_at(kShares[i]);
  }

  double least() const { return times_.front(); }
  double most() const { return times_.back(); }

  /// The share of requests with no longer a time.
  double below(double time) const {
    if (time >= times_.back()) return 1;
    if (time < times_.front()) return 0;
    const auto next = std::upper_bound(times_.begin(), times_.end(), time);
    const auto i = static_cast<std::size_t>(next - times_.begin());
    return kShares[i - 1] +
           (kShares[i] - kShares[i - 1]) * (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  }

 private:
  static constexpr std::array kShares{0.001, 0.1, 0.3, 0.5, 0.7, 0.85, 0.93, 0.97, 0.99, 0.999};
  std::array<double, kShares.size()> times_;
};

}  // namespace

double RequestTimes::first_at(double share) const {
  const double first = first_tail(load_, apart_, served_, Count<double>(share), unlike_).value();
  return std::fmax(first, served_.first_floor.value());
}

double RequestTimes::token_at(double share) const {
  const double deviation = times_.at(share) - 1;
  if (!in_cycles()) return 1 + deviation;
  // This wait is that for the prompts of others, whatever its own.
  const auto wait =
      first_tail(load_, apart_, served_, Count<double>(1 - share), {}) - served_.clear;
  const double earlier = (served_.wait - wait).value() / answering_;
  return std::fmax(std::fmin(1, steps_ / answering_), 1 + together(deviation, earlier));
}

/// The first token of a request that waits as long as the mean, if prompts are so long.
double RequestTimes::own_first_at(double share) const {
  const auto own = long_prefill(served_, Count<double>(share), unlike_) - served_.prefill;
  return (served_.first + own).value();
}

std::array<double, kPercentiles.size()> RequestTimes::wholes() const {
  const EvenTimes firsts(
      [&](double share) { return in_cycles() ? own_first_at(share) : first_at(share); });
  // Further tokens, by the lengths of answers and by normal deviations of what is beside them.
  constexpr std::size_t kDeviations = 33;
  constexpr double kStep = 0.25;
  const std::size_t count = times_.differ() ? kDeviations : 1;
  std::array<double, kDeviations> shares{};
  double all = 0;
  const auto deviation = [&](std::size_t i) {
    return kStep * (static_cast<double>(i) - static_cast<double>(count - 1) / 2);
  };
  for (std::size_t i = 0; i < count; ++i) {
    all += shares[i] = exp_below(deviation(i) * deviation(i) / 2);
  }
  const auto answers = times_.answers().points();
  const double further = further_ * served_.token.value();
  // Prompts that came before an answer delay a short one as much as a long one.
  const double ahead = std::fmin(served_.ahead.value(), further);
  std::array<std::array<double, kDeviations>, RequestLengths::kMost> later{};
  double longest = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      later[i][j] = ahead + (further - ahead) * answers[i].length * times_.of(i, deviation(j));
      longest = std::fmax(longest, later[i][j]);
    }
  }
  const auto below = [&](double time) {
    double sum = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      double of_length = 0;
      for (std::size_t j = 0; j < count; ++j)
        of_length += shares[j] * firsts.below(time - later[i][j]);
      sum += answers[i].share * of_length / all;
    }
    return sum;
  };
  const double mean = std::fmax(served_.first.value(), served_.first_floor.value()) + further;
  std::array<double, kPercentiles.size()> result;
  const double least = firsts.least() * (1 - 1e-9);
  const double most = firsts.most() + longest;
  for (std::size_t i = 0; i < kPercentiles.size(); ++i) {
    const double share = kPercentiles[i];
    const auto over = [&](double time) { return below(time) - share; };
    result[i] = crossing(over, {least, -share, most, 1 - share},
                         {.rounds = 60, .width = 1e-6, .value = 0}) /
                mean;
  }
  return result;
}

double RequestTimes::first_within(double target) const {
  return share_within([&](double share) { return first_at(share); }, target);
}

double RequestTimes::token_within(double target) const {
  const double token = served_.token.value();
  const double floor = served_.token_floor.value();
  return share_within([&](double share) { return std::fmax(token * token_at(share), floor); },
                      target);
}

}  // namespace scaling
