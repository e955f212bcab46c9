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
    if (cost[set] >= least) continue;
    const double lacking = needed - freed[set];
    for (unsigned kind = 0; kind < kDroppedKinds; ++kind) {
      const double bytes = options[kind].bytes;
      if (((set >> kind) & 1u) != 0 || bytes <= 0) continue;
      // Seen without a division where it is far from enough.
      if (lacking > kFarMore * bytes * times) continue;
      const double some = std::ceil((lacking / bytes + 1) / in_flight);
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
