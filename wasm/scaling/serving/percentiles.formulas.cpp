// SPDX-License-Identifier: MIT
#include "scaling/serving/percentiles.hpp"

#include <cmath>

#include "scaling/serving/load_parts.hpp"

namespace scaling {
namespace {

/// The growth of a step by `batch` sequences more, over the step, at the slope from half of it.
/// Steps of one sequence are compared with those of two.
template <class R>
double step_growth(const LoadParts<R>& of, const ServingCycle<R>& cycle, double batch) {
  const double most = std::fmax(2, batch);
  const auto time_of = [&](double sequences) {
    return decode_time(of.in, of.weights, scalar<R>(sequences), cycle.decode_tokens.context)
        .value();
  };
  const double slope = (time_of(most) - time_of(most / 2)) / (most / 2);
  const double share = batch * slope / cycle.step.value();
  return std::fmax(0, std::fmin(share, of.in.constants.most_busy));
}

/// Requests that come at a rate, of which each takes `steps` seconds of steps. Each prompt that
/// comes while a request is answered delays it by itself, and by a longer step for as long as both
/// are answered; the variance of the sum is that of Poisson arrivals, widened as delays let more
/// requests come.
template <class R>
TokenTimes::Spread open_spread(const LoadParts<R>& of, const Served<R>& served, double steps,
                               double square) {
  const double arriving = of.in.serving.request_rate.value() / of.choice.groups;
  const double busy = of.in.serving.apart ? 0 : served.busy.value();
  const double batch = arriving * steps / (1 - busy);
  const double growth = step_growth(of, served.cycle, batch);
  const double prompt = busy / (arriving * steps);  // over the steps of an answer
  TokenTimes::Spread spread;
  spread.excess = busy + growth * (1 - busy);
  spread.once = batch * prompt * prompt * square / (1 - growth);
  spread.lasting = growth * (1.5 * prompt + growth / batch) / (1 - growth);
  return spread;
}

/// Requests that come as others end, whose answers differ by `varying`.
template <class R>
TokenTimes::Spread closed_spread(const LoadParts<R>& of, const Served<R>& served, double steps,
                                 double square, double varying) {
  TokenTimes::Spread spread;
  const double others = served.batch.value() - 1;
  if (of.in.serving.apart || !(others > 0)) return spread;
  spread.excess = std::fmax(0, 1 - steps / served.answering.value());
  // The mean deviation of a normal distribution, over its standard deviation.
  constexpr double kMeanDeviation = 0.797884560802865;
  const double counted = std::fmin(1, kMeanDeviation * varying);
  spread.once = counted * spread.excess * spread.excess * square / others;
  return spread;
}

template <class R>
TokenTimes token_times(const LoadParts<R>& of, const Served<R>& served, double steps) {
  const auto& serving = of.in.serving;
  const RequestLengths answers =
      serving.answers_differ() ? RequestLengths(serving.answer_list, serving.answer_spread.value())
                               : RequestLengths(0);
  const double square = of.unlike.has_value() ? of.unlike->square() : 1;
  TokenTimes::Spread spread;
  switch (serving.load) {
    case ServingLoad::kOpen:
      spread = open_spread(of, served, steps, square);
      break;
    case ServingLoad::kClosed:
    case ServingLoad::kMost:
      spread = closed_spread(of, served, steps, square, answers.spread());
      break;
    case ServingLoad::kStatic:
      break;
  }
  return TokenTimes(spread, answers);
}

/// The plain numbers of what first tokens and their waits are made of.
template <class R>
Served<double> plain(const Served<R>& of) {
  const auto time = [](const Quantity<kSecond, R>& seconds) {
    return Quantity<kSecond, double>(seconds.value());
  };
  Served<double> served{};
  served.prefill = time(of.prefill);
  served.first = time(of.first);
  served.first_floor = time(of.first_floor);
  served.wait = time(of.wait);
  served.queued = time(of.queued);
  served.wave = time(of.wave);
  served.clear = time(of.clear);
  served.ahead = time(of.ahead);
  served.together = Count<double>(of.together.value());
  served.busy = Count<double>(of.busy.value());
  served.token = time(max(of.token, of.token_floor));
  served.token_floor = time(of.token_floor);
  return served;
}

}  // namespace

template <class R>
RequestTimes::RequestTimes(const LoadParts<R>& of, const Served<R>& served)
    : load_(of.in.serving.load),
      apart_(of.in.serving.apart),
      unlike_(of.unlike),
      served_(plain(served)),
      answering_(served.answering.value()),
      steps_(served.cycle.steps.value() * served.cycle.step.value()),
      further_(std::fmax(0, of.in.serving.answer.value() - 1)),
      times_(token_times(of, served, steps_)) {}

template RequestTimes::RequestTimes(const LoadParts<SCALING_REP>&, const Served<SCALING_REP>&);

}  // namespace scaling
