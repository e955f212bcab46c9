// SPDX-License-Identifier: MIT
#include "scaling/hardware/collective_time.hpp"

#include "scaling/hardware/network.hpp"

namespace scaling {
namespace {

constexpr double kMeasuredRanks = 8;
/// Bytes for each rank from which on a message goes in large pieces.
constexpr double kLargeMessage = 1 << 20;
/// Ranks from which on switches add up an AllReduce.
constexpr double kNetworkRanks = 8;

/// Steps of a ring. Only up to 8 were measured; among more, as a tree's grow.
double ring_steps(double ranks) {
  return ranks <= kMeasuredRanks ? ranks - 1 : kMeasuredRanks - 1 + 2 * (tree_steps(ranks) - 3);
}

}  // namespace

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const CollectiveKernel<R>& kernel) {
  using enum CollectiveKind;
  const auto& ranks = kernel.ranks;
  if (ranks.value() <= 1) return {};
  const CollectiveRates& rates = chip.rates->collective;
  const bool all_reduce = kernel.kind == kAllReduce;
  const bool all_to_all = kernel.kind == kAllToAll;
  const bool hop = kernel.kind == kPointToPoint;

  double share = rates.reduce;
  double few = all_reduce ? rates.all_reduce_few : rates.reduce_few;
  if (kernel.kind == kAllGather || hop) {
    share = rates.gather;
    few = rates.gather_few;
  } else if (all_to_all) {
    share = rates.all_to_all;
    few = rates.all_to_all_few;
  }
  const auto others = ranks - scalar<R>(1);
  auto sent = hop ? kernel.bytes : kernel.bytes * (others / ranks);
  if (all_reduce) sent = 2.0 * sent;
  auto rate = chip.link * scalar<R>(share);
  if (!hop && few > 0) rate = rate * (scalar<R>(1) - scalar<R>(few) / (ranks * ranks));
  const auto moving = sent / rate;

  double steps = hop ? 1 : ring_steps(ranks.value());
  if (all_reduce) steps *= 2;
  auto latency = seconds_of<R>(rates.start);
  if (all_to_all) {
    latency = latency + seconds_of<R>(rates.all_to_all_start);
  } else {
    latency = latency + scalar<R>(steps) * seconds_of<R>(rates.step);
  }
  const bool large = !all_to_all && kernel.bytes.value() >= kLargeMessage * ranks.value();
  const auto piece = seconds_of<R>(large ? rates.large_pipeline : rates.pipeline);
  const auto in_pieces = [&](auto time) {
    return time + 2.0 * as<kSecond>(sqrt(as<kOne>(piece * time)));
  };
  auto expected = latency + in_pieces(moving);
  if (all_reduce && kernel.in_network && ranks.value() >= kNetworkRanks && rates.in_network > 0) {
    expected = min(expected, latency + seconds_of<R>(rates.in_network_start) +
                                 in_pieces(moving / scalar<R>(rates.in_network)));
  }

  const SmallAllReduceRates& small = chip.rates->small_all_reduce;
  if (all_reduce && kernel.small && small.bandwidth > 0) {
    const auto first = seconds_of<R>(small.start) + others * seconds_of<R>(small.step);
    const auto link = chip.link * scalar<R>(small.bandwidth);
    expected = min(expected, min(first + others * kernel.bytes / link,
                                 first + seconds_of<R>(small.second) + sent / link));
  }
  // Each chip sends its part and receives the sum if the network reduces.
  const auto least = all_reduce && kernel.in_network ? min(sent, kernel.bytes) : sent;
  const auto floor = least / chip.link;
  return {floor, max(expected, floor)};
}

template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const CollectiveKernel<SCALING_REP>&);

}  // namespace scaling
