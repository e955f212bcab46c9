// SPDX-License-Identifier: MIT
#include "scaling/serving/load.hpp"

#include <algorithm>
#include <cmath>

namespace scaling {
namespace {

/// Steps towards the batch at which as many requests come as are answered.
constexpr int kRounds = 24;

double at_least(double least, double x) { return x > least ? x : least; }

}  // namespace

LoadChoice choose_load(const ServingInput<double>& in) {
  LoadChoice choice;
  const auto& serving = in.serving;
  const auto ways = server_ways(serving);
  const auto weights = weight_bytes(in);
  const auto room = cache_room(in, weights, ways);
  double chips = serving.chips.value();
  if (serving.apart) {
    const auto first = prefill_ways(serving);
    choice.prefillers =
        at_least(1, std::floor(serving.prefill_chips.value() / first.chips().value()));
    chips -= serving.prefill_chips.value();
  }
  choice.servers = at_least(1, std::floor(chips / ways.chips().value()));
  choice.groups = choice.servers * ways.data.value() * ways.pipeline.value();
  choice.most = room.sequences.value() / ways.pipeline.value();
  choice.fits = choice.most >= 1;
  const double held = std::fmin(at_least(1, choice.most), in.server.most_sequences.value());

  switch (serving.load) {
    case ServingLoad::kStatic:
      choice.wanted = at_least(1, serving.users.value() / choice.groups);
      choice.batch = choice.wanted;
      choice.fits = room.sequences.value() >= choice.wanted * ways.pipeline.value();
      break;
    case ServingLoad::kClosed:
      choice.wanted = at_least(1, serving.users.value() / choice.groups);
      choice.batch = std::fmin(choice.wanted, held);
      break;
    case ServingLoad::kMost:
      choice.batch = std::floor(held);
      choice.wanted = choice.batch;
      break;
    case ServingLoad::kOpen: {
      const double rate = serving.request_rate.value() / choice.groups;
      const double answer = serving.answer.value();
      const auto busiest = serving_cycle(in, weights, Count<double>(held));
      const double longest = busiest.time.value();
      choice.saturated = rate * longest > in.constants.most_busy * held;
      // The batch at which a cycle takes as long as so many requests take to come: by bisection, as
      // a cycle is longer with a larger batch, but not in proportion.
      double low = 1e-9;
      double high = held;
      for (int round = 0; round < kRounds && !choice.saturated; ++round) {
        const double middle = std::sqrt(low * high);
        const auto cycle = serving_cycle(in, weights, Count<double>(at_least(1, middle)));
        const double served = middle / cycle.time.value();
        (served < rate ? low : high) = middle;
      }
      choice.wanted = high;
      choice.batch = at_least(1, high);
      static_cast<void>(answer);
      break;
    }
  }
  return choice;
}

}  // namespace scaling
