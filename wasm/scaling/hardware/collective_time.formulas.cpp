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
template <class R>
Count<R> ring_steps(Count<R> ranks) {
  const auto one = scalar<R>(1);
  if (ranks.value() <= kMeasuredRanks) return ranks - one;
  return scalar<R>(kMeasuredRanks - 1) + 2.0 * scalar<R>(tree_steps(ranks.value()) - 3);
}

/// The share of the link that a kind reaches among many ranks, and what it loses among few.
struct Reached {
  const Constant &share, &few;
};

Reached reached_by(const CollectiveRates& rates, CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return {rates.reduce, rates.all_reduce_few};
    case CollectiveKind::kReduceScatter:
      return {rates.reduce, rates.reduce_few};
    case CollectiveKind::kAllToAll:
      return {rates.all_to_all, rates.all_to_all_few};
    case CollectiveKind::kAllGather:
    case CollectiveKind::kPointToPoint:
      break;
  }
  return {rates.gather, rates.gather_few};
}

/// The bytes that a rank of a ring sends.
template <class R>
Quantity<kByte, R> sent_by_rank(CollectiveKind kind, Quantity<kByte, R> bytes, Count<R> ranks) {
  const auto others = bytes * ((ranks - scalar<R>(1)) / ranks);
  return kind == CollectiveKind::kAllReduce ? 2.0 * others : others;
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

  const auto [share, few] = reached_by(rates, kernel.kind);
  const auto others = ranks - scalar<R>(1);
  const auto sent = hop ? kernel.bytes : sent_by_rank(kernel.kind, kernel.bytes, ranks);
  auto rate = chip.link * scalar<R>(share);
  if (!hop && few > 0) rate = rate * (scalar<R>(1) - scalar<R>(few) / (ranks * ranks));
  const auto moving = sent / rate;

  auto steps = hop ? scalar<R>(1) : ring_steps(ranks);
  if (all_reduce) steps = 2.0 * steps;
  auto latency = seconds_of<R>(rates.start);
  if (all_to_all) {
    latency = latency + seconds_of<R>(rates.all_to_all_start);
  } else {
    latency = latency + steps * seconds_of<R>(rates.step);
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

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const FarCollectiveKernel<R>& kernel) {
  const CollectiveRates& rates = chip.rates->collective;
  const FarCollectiveRates& far = chip.rates->far_collective;
  const auto& [kind, bytes, ranks, in_network, small] = kernel.of;
  const bool all_reduce = kind == CollectiveKind::kAllReduce;
  const bool inside = kernel.in_domain.value() > 1;
  const auto floor = max(kernel.near, kernel.far);
  const Constant& share = reached_by(rates, kind).share;
  const auto start = seconds_of<R>(rates.start);
  const auto after = [&](Quantity<kSecond, R> moving, Count<R> near, Count<R> hops,
                         const Constant& hop) {
    return start + (near * seconds_of<R>(far.near_hop) + hops * seconds_of<R>(hop)) + moving;
  };
  const auto one = scalar<R>(1);
  const Count<R> none{};
  if (kind == CollectiveKind::kPointToPoint) {
    return {floor, max(after(kernel.far / scalar<R>(far.ring), none, one, far.ring_hop), floor)};
  }
  if (kind == CollectiveKind::kAllToAll) {
    auto moving = kernel.far / scalar<R>(far.all_to_all);
    if (inside) moving = max(moving, kernel.near / scalar<R>(share));
    const auto expected =
        seconds_of<R>(rates.all_to_all_start) + after(moving, none, one, far.ring_hop);
    return {floor, max(expected, floor)};
  }

  const double times = all_reduce ? 2 : 1;
  const auto domains = ceil(ranks / kernel.in_domain);
  auto rate = kernel.out * scalar<R>(far.ring);
  if (inside) rate = min(rate, chip.link * scalar<R>(share));
  const auto ring = sent_by_rank(kind, bytes, ranks) / rate;
  const auto in_low_latency = [&](auto moving) { return moving / scalar<R>(far.small); };
  auto expected = min(after(ring, none, times * (ranks - one), far.step),
                      after(in_low_latency(ring), times * (ranks - domains),
                            times * (domains - one), far.ring_hop));
  if (!all_reduce) return {floor, max(expected, floor)};

  const auto hops = times * (kernel.in_domain - one);
  const auto levels = times * scalar<R>(tree_steps(domains.value()));
  const auto add_tree = [&](Quantity<kSecond, R> moving) {
    expected = min(expected, min(after(moving, hops, levels, far.step),
                                 after(in_low_latency(moving), hops, levels, far.tree_hop)));
  };
  const auto sums =
      domains.value() > 2 && !kernel.adds ? max(kernel.far, 2.0 * bytes / kernel.out) : kernel.far;
  const auto beyond = sums / scalar<R>(far.tree);
  if (!inside) {
    add_tree(beyond);
  } else {
    const auto link = chip.link * scalar<R>(share);
    add_tree(max(beyond, 2.0 * bytes / link));
    if (in_network && rates.in_network > 0 && kernel.in_domain.value() >= kNetworkRanks) {
      const auto around =
          sent_by_rank(kind, bytes, kernel.in_domain) / (link * scalar<R>(rates.in_network));
      add_tree(seconds_of<R>(rates.in_network_start) + max(beyond, around));
    }
  }
  return {floor, max(expected, floor)};
}

template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const CollectiveKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const FarCollectiveKernel<SCALING_REP>&);

}  // namespace scaling
