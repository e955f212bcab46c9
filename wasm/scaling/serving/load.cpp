// SPDX-License-Identifier: MIT
#include "scaling/serving/load.hpp"

#include <algorithm>
#include <cmath>

#include "scaling/quantity/crossing.hpp"
#include "scaling/serving/load_parts.hpp"

namespace scaling {
namespace {

/// How near to the batch at which as many requests come as are answered.
constexpr Nearness kNearEnough{.rounds = 32, .width = 1e-7, .value = 1e-7};

double at_least(double least, double x) { return x > least ? x : least; }

/// The batch of up to `held` at which `coming(batch)` is as many: a cycle is longer with a larger
/// batch, but not in proportion, so the smallest one and the largest enclose it.
template <class Coming>
double balanced_batch(Coming coming, double held) {
  const double low = 1;
  const double above = coming(low) - low;
  if (above <= 0) return above + low;
  const double below = coming(held) - held;
  if (below >= 0) return held;
  return crossing([&](double batch) { return coming(batch) - batch; }, {low, above, held, below},
                  kNearEnough);
}

/// Requests that come at a rate: sets the batch at which a cycle takes as long as so many take to
/// come; `wanted` are those that each finds, of which less than one counts as one.
void choose_open(const ServingInput<double>& in, const WeightBytes<double>& weights, double held,
                 LoadChoice& choice) {
  const double rate = in.serving.request_rate.value() / choice.groups;
  const auto time_of = [&](double batch) {
    return serving_cycle(in, weights, Count<double>(batch)).time.value();
  };
  choice.saturated = rate * time_of(held) > in.constants.most_busy * held;
  choice.wanted = held;
  if (choice.saturated) {
    choice.batch = held;
    return;
  }
  const LoadParts<double> of(in, weights, choice);
  const auto coming = [&](double others) {
    const Count<double> batch(at_least(1, others));
    const auto cycle = serving_cycle(in, weights, batch);
    const auto prompts = open_prompts(of, cycle, batch);
    return rate * open_answer(in, weights, cycle, Count<double>(others), prompts).value();
  };
  choice.wanted = balanced_batch(coming, held);
  choice.batch = at_least(1, choice.wanted);
}

/// Users of a group of `users` that wait or are answered at a time, while the others pause: as many
/// as the share of a round that is no pause.
double asking_now(const ServingInput<double>& in, const WeightBytes<double>& weights, double users,
                  double held) {
  const double pause = in.serving.think.value();
  const auto asking = [&](double batch) {
    const double served = std::fmin(batch, held);
    const double time = serving_cycle(in, weights, Count<double>(served)).time.value();
    const double round = time * batch / served;
    return users * round / (round + pause);
  };
  return at_least(1, balanced_batch(asking, users));
}

}  // namespace

void limit_to_prompts(const ServingInput<double>& in, const WeightBytes<double>& weights,
                      double prompts, LoadChoice& choice) {
  const auto& serving = in.serving;
  if (serving.load == ServingLoad::kOpen) {
    choice.saturated |= serving.request_rate.value() > in.constants.most_busy * prompts;
  }
  if (serving.load != ServingLoad::kClosed || choice.batch <= 1) return;
  const auto coming = [&](double batch) {
    return prompts / choice.groups * serving_cycle(in, weights, Count<double>(batch)).time.value();
  };
  if (coming(choice.batch) < choice.batch) choice.batch = balanced_batch(coming, choice.batch);
}

LoadChoice choose_answers(const ServingInput<double>& in, const WeightBytes<double>& weights) {
  LoadChoice choice;
  const auto& serving = in.serving;
  const auto servers = servers_of(serving, ServerRole::kAnswers);
  const auto& ways = servers.ways;
  const auto room = cache_room(in, weights, servers);
  if (serving.apart) choice.prefillers = servers_of(serving, ServerRole::kPrefills).count();
  choice.servers = servers.count();
  choice.groups = choice.servers * ways.data.value() * ways.pipeline.value();
  choice.most = room.sequences.value() / ways.pipeline.value();
  choice.fits = choice.most >= 1;
  const double held = std::fmin(at_least(1, choice.most), in.server.most_sequences.value());
  if (serving.by_users()) choice.wanted = at_least(1, serving.users.value() / choice.groups);
  if (serving.pauses()) choice.wanted = asking_now(in, weights, choice.wanted, held);
  switch (serving.load) {
    case ServingLoad::kStatic:
      choice.batch = choice.wanted;
      choice.fits = room.sequences.value() >= choice.wanted * ways.pipeline.value();
      break;
    case ServingLoad::kClosed:
      choice.batch = std::fmin(choice.wanted, held);
      break;
    case ServingLoad::kMost:
      choice.batch = std::floor(held);
      choice.wanted = choice.batch;
      break;
    case ServingLoad::kOpen:
      choose_open(in, weights, held, choice);
      break;
  }
  return choice;
}

LoadChoice choose_load(const ServingInput<double>& in, const WeightBytes<double>& weights) {
  auto choice = choose_answers(in, weights);
  if (!in.serving.apart) return choice;
  const auto servers = servers_of(in.serving, ServerRole::kPrefills);
  const auto& ways = servers.ways;
  choice.fits = choice.fits && cache_room(in, weights, servers).holds_one(ways);
  if (choice.fits) {
    const double prompt = prefill_time(in, weights, ways, 1).value();
    limit_to_prompts(in, weights, choice.prefillers * ways.data.value() / prompt, choice);
  }
  return choice;
}

}  // namespace scaling
