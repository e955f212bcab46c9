// SPDX-License-Identifier: MIT
#include "scaling/training/recompute.hpp"

#include <cmath>

namespace scaling {

DroppedShares selective_drops(Selective selective) {
  DroppedShares drops{};
  const auto drop = [&](Dropped kind) { drops[static_cast<std::size_t>(kind)] = 1; };
  switch (selective) {
    case Selective::kScores:
      break;
    case Selective::kAttention:
      drop(Dropped::kAttention);
      break;
    case Selective::kMatmuls:
      drop(Dropped::kAttention);
      drop(Dropped::kNorms);
      drop(Dropped::kProduct);
      break;
    case Selective::kExperts:
      drop(Dropped::kResults);
      [[fallthrough]];
    case Selective::kOperators:
      drop(Dropped::kHidden);
      [[fallthrough]];
    case Selective::kActivations:
      drop(Dropped::kNorms);
      drop(Dropped::kProduct);
      break;
  }
  return drops;
}

namespace {

/// Layers that have to drop a kind that frees `bytes` in each, so that all free `lacking` more.
double layers_that_drop(double lacking, double bytes, double in_flight) {
  return std::ceil((lacking / bytes + 1) / in_flight);
}

/// The cost of one choice that is enough: kinds that free the most for their cost go first. An
/// upper bound of the cheapest; infinite if the last of them can't be divided by layers.
double cost_of_cheapest_first(const std::array<DropOption, kDroppedKinds>& options, double layers,
                              double in_flight, double needed) {
  const double times = layers * in_flight - 1;
  std::array<std::size_t, kDroppedKinds> order{};
  std::size_t size = 0;
  for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
    if (!(options[kind].bytes > 0)) continue;
    const auto later = [&](std::size_t other) {
      return options[other].cost * options[kind].bytes > options[kind].cost * options[other].bytes;
    };
    std::size_t place = size++;
    for (; place > 0 && later(order[place - 1]); --place) order[place] = order[place - 1];
    order[place] = kind;
  }
  double cost = 0;
  double lacking = needed;
  for (std::size_t i = 0; i < size; ++i) {
    const DropOption& option = options[order[i]];
    const double some = layers_that_drop(lacking, option.bytes, in_flight);
    if (some <= layers) return cost + std::fmax(some, 0) * option.cost;
    cost += option.cost * layers;
    lacking -= option.bytes * times;
  }
  return HUGE_VAL;
}

}  // namespace

DroppedShares cheapest_drops(const std::array<DropOption, kDroppedKinds>& options, double layers,
                             double in_flight, double needed) {
  DroppedShares best{};
  if (needed <= 0) return best;
  constexpr unsigned kSets = 1u << kDroppedKinds;
  constexpr double kFarMore = 1 + 1e-9;
  const double times = layers * in_flight - 1;  // each is there once
  double all = 0;
  for (const DropOption& option : options) all += option.bytes * times;
  if (all < needed) {
    best.fill(1);
    return best;
  }
  const double enough = kFarMore * cost_of_cheapest_first(options, layers, in_flight, needed);
  std::array<double, kSets> freed, cost;  // indexed by the kinds in the set
  freed[0] = cost[0] = 0;
  double least = 1e300;
  unsigned there = 0;
  for (unsigned kind = 0; kind < kDroppedKinds; ++kind) {
    if (options[kind].bytes > 0) there |= 1u << kind;
  }
  for (unsigned set = 0; set < kSets; ++set) {
    if ((set & there) != set) continue;
    if (set > 0) {
      unsigned first = 0;
      while (((set >> first) & 1u) == 0) ++first;
      const unsigned rest = set & (set - 1);
      freed[set] = freed[rest] + options[first].bytes * times;
      cost[set] = cost[rest] + options[first].cost * layers;
    }
    if (cost[set] >= least || cost[set] > enough) continue;
    const double lacking = needed - freed[set];
    for (unsigned kind = 0; kind < kDroppedKinds; ++kind) {
      const double bytes = options[kind].bytes;
      if (((set >> kind) & 1u) != 0 || bytes <= 0) continue;
      // Seen without a division where it is far from enough.
      if (lacking > kFarMore * bytes * times) continue;
      const double some = layers_that_drop(lacking, bytes, in_flight);
      if (some > layers) continue;
      const double total = cost[set] + std::fmax(some, 0) * options[kind].cost;
      if (total >= least) continue;
      least = total;
      for (unsigned k = 0; k < kDroppedKinds; ++k) best[k] = (set >> k) & 1u;
      best[kind] = std::fmax(some, 0) / layers;
    }
  }
  return best;
}

}  // namespace scaling
