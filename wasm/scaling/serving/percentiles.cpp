// SPDX-License-Identifier: MIT
#include "scaling/serving/percentiles.hpp"

#include <cmath>

#include "scaling/quantity/crossing.hpp"
#include "scaling/serving/load_parts.hpp"
#include "scaling/serving/token_times.hpp"

namespace scaling {
namespace {

/// The growth of a step by `batch` sequences more, over the step, at the slope from half of it.
/// Steps of one sequence are compared with those of two.
double step_growth(const ServingInput<double>& in, const WeightBytes<double>& weights,
                   const ServingCycle<double>& cycle, double batch) {
  const double most = std::fmax(2, batch);
  const auto time_of = [&](double sequences) {
    return decode_time(in, weights, Count<double>(sequences), cycle.decode_tokens.context).value();
  };
  const double slope = (time_of(most) - time_of(most / 2)) / (most / 2);
  const double share = batch * slope / cycle.step.value();
  return std::fmax(0, std::fmin(share, in.constants.most_busy));
}

/// Requests that come at a rate. Each prompt that comes while a request is answered delays it by
/// itself, and by a longer step for as long as both are answered; the variance of the sum is that
/// of Poisson arrivals, widened as delays let more requests come.
TokenTimes::Spread open_spread(const LoadParts<double>& of, const Served<double>& served,
                               double square) {
  const double arriving = of.in.serving.request_rate.value() / of.choice.groups;
  const double busy = of.in.serving.apart ? 0 : served.busy.value();
  const double steps = (served.cycle.steps * served.cycle.step).value();
  const double batch = arriving * steps / (1 - busy);
  const double growth = step_growth(of.in, of.weights, served.cycle, batch);
  const double prompt = busy / (arriving * steps);  // over the steps of an answer
  TokenTimes::Spread spread;
  spread.excess = busy + growth * (1 - busy);
  spread.once = batch * prompt * prompt * square / (1 - growth);
  spread.lasting = growth * (1.5 * prompt + growth / batch) / (1 - growth);
  return spread;
}

/// Requests that come as others end.
TokenTimes::Spread closed_spread(const LoadParts<double>& of, const Served<double>& served,
                                 double square) {
  TokenTimes::Spread spread;
  const double others = served.batch.value() - 1;
  const double steps = (served.cycle.steps * served.cycle.step).value();
  if (of.in.serving.apart || !(others > 0)) return spread;
  spread.excess = std::fmax(0, 1 - steps / served.answering.value());
  // The mean deviation of a normal distribution, over its standard deviation.
  constexpr double kMeanDeviation = 0.797884560802865;
  const double varying = std::fmin(1, kMeanDeviation * of.in.serving.answer_spread.value());
  spread.once = varying * spread.excess * spread.excess * square / others;
  return spread;
}

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

}  // namespace

Percentiles percentiles_of(const ServingInput<double>& in, const WeightBytes<double>& weights,
                           const LoadChoice& choice, const Served<double>& served) {
  const LoadParts<double> of(in, weights, choice);
  const auto& serving = in.serving;
  Percentiles result;
  const bool in_cycles = serving.load == ServingLoad::kClosed && !serving.apart;
  result.opposed = in_cycles && !(serving.answer_spread.value() > 0);
  TokenTimes::Spread spread;
  const double square = of.unlike.has_value() ? of.unlike->square() : 1;
  if (serving.load == ServingLoad::kOpen) spread = open_spread(of, served, square);
  if (serving.load == ServingLoad::kClosed || serving.load == ServingLoad::kMost) {
    spread = closed_spread(of, served, square);
  }
  if (serving.load != ServingLoad::kStatic) spread.answers = serving.answer_spread.value();
  const TokenTimes times(spread);
  const double answering = served.answering.value();
  const double least = (served.cycle.steps * served.cycle.step).value() / answering;
  const auto token_at = [&](double share) {
    const double deviation = times.at(share) - 1;
    if (!in_cycles) return 1 + deviation;
    // This wait is that for the prompts of others, whatever its own.
    const auto wait = of.first_tail(served, Count<double>(1 - share), {}) - served.clear;
    const double earlier = (served.wait - wait).value() / answering;
    return std::fmax(std::fmin(1, least), 1 + together(deviation, earlier));
  };
  const auto first_at = [&](double share) {
    const double first = of.first_tail(served, Count<double>(share), of.unlike).value();
    return std::fmax(first, served.first_floor.value());
  };
  const double mean = std::fmax(served.first.value(), served.first_floor.value());
  for (std::size_t i = 0; i < kPercentiles.size(); ++i) {
    result.first[i] = first_at(kPercentiles[i]) / mean;
    result.token[i] = token_at(kPercentiles[i]);
  }
  if (serving.first_target.present()) {
    result.first_within = share_within(first_at, serving.first_target.value.value());
  }
  if (serving.token_target.present()) {
    const double token = served.token.value();
    const double floor = served.token_floor.value();
    result.token_within =
        share_within([&](double share) { return std::fmax(token * token_at(share), floor); },
                     serving.token_target.value.value());
  }
  return result;
}

}  // namespace scaling
