// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/network.hpp"
#include "scaling/input/collective_request.hpp"

namespace scaling {

/// The bound of a collective.
enum class CollectiveBound : std::uint8_t { kBandwidth, kLatency };
inline constexpr const char* kCollectiveBoundNames[] = {"bandwidth", "latency"};

namespace term {

inline constexpr Dimension kCollectiveRate = kByte / kSecond;

inline constexpr Term kCollectiveChips{"collectiveChips", "n", kOne, "book-sharding"};
inline constexpr Term kShardBytes{"shardBytes", "V/n", kByte, "book-sharding"};
inline constexpr Term kBytesSent{"bytesSent", "b_sent", kByte, "book-sharding"};
inline constexpr Term kCollectiveSteps{"collectiveSteps", "n_steps", kOne, "book-sharding"};
inline constexpr Term kCollectiveBandwidthTime{"collectiveBandwidthTime", "T_bw", kSecond,
                                               "book-sharding"};
inline constexpr Term kCollectiveLatencyTime{"collectiveLatencyTime", "T_lat", kSecond,
                                             "book-sharding"};
inline constexpr Term kCollectiveTime{"collectiveTime", "T", kSecond, "book-sharding"};
inline constexpr Term kCollectiveExpected{"collectiveExpected", "T_sum", kSecond, "nccl-tuning"};
inline constexpr Term kTimeExpected{"timeExpected", "T_exp", kSecond, "measured-kernels"};
inline constexpr Term kCollectiveBound{"collectiveBound", "", kOne, "book-sharding",
                                       kCollectiveBoundNames};
inline constexpr Term kEffectiveBandwidth{"effectiveBandwidth", "V/T", kCollectiveRate,
                                          "book-sharding"};
inline constexpr Term kLatencyBytes{"latencyBytes", "V_lat", kByte, "book-sharding"};
inline constexpr Term kTorusRate{"torusRate", "W_torus", kCollectiveRate, "book-sharding"};
inline constexpr Term kDomainTime{"domainTime", "T_domain", kSecond, "book-gpus"};
inline constexpr Term kLeafTime{"leafTime", "T_leaf", kSecond, "book-gpus"};
inline constexpr Term kSpineTime{"spineTime", "T_spine", kSecond, "book-gpus"};
inline constexpr Term kDomainBytes{"domainBytes", "b_domain", kByte, "book-gpus"};
inline constexpr Term kLeafBytes{"leafBytes", "b_leaf", kByte, "book-gpus"};
inline constexpr Term kSpineBytes{"spineBytes", "b_spine", kByte, "book-gpus"};
inline constexpr Term kSpineRate{"spineRate", "W_spine", kCollectiveRate, "book-gpus"};
inline constexpr Term kAxisTimeX{"axisTimeX", "T_x", kSecond, "book-sharding"};
inline constexpr Term kAxisTimeY{"axisTimeY", "T_y", kSecond, "book-sharding"};
inline constexpr Term kAxisTimeZ{"axisTimeZ", "T_z", kSecond, "book-sharding"};
inline constexpr Term kAxisBytesX{"axisBytesX", "b_x", kByte, "book-sharding"};
inline constexpr Term kAxisBytesY{"axisBytesY", "b_y", kByte, "book-sharding"};
inline constexpr Term kAxisBytesZ{"axisBytesZ", "b_z", kByte, "book-sharding"};
inline constexpr Term kAxisShapeX{"axisShapeX", "", kOne, "book-tpus", kAxisShapeNames};
inline constexpr Term kAxisShapeY{"axisShapeY", "", kOne, "book-tpus", kAxisShapeNames};
inline constexpr Term kAxisShapeZ{"axisShapeZ", "", kOne, "book-tpus", kAxisShapeNames};
inline constexpr Term kLeaves{"leaves", "n_leaves", kOne, "definition"};
inline constexpr Term kDomains{"domains", "n_domains", kOne, "definition"};
inline constexpr Term kDomainUsed{"domainUsed", "n_used", kOne, "definition"};
inline constexpr Term kDomainIdle{"domainIdle", "n_idle", kOne, "definition"};

}  // namespace term

/// The cost of a collective.
template <class R>
struct CollectiveCost {
  Quantity<kByte, R> bytes_sent;  ///< by each chip
  Count<R> steps;                 ///< hops, or steps of a tree at each level of switches
  Maybe<Quantity<kSecond, R>> bandwidth_time;
  Quantity<kSecond, R> latency_time;
  Maybe<Quantity<kSecond, R>> time;      ///< at least: the longer of both, as they may overlap
  Maybe<Quantity<kSecond, R>> expected;  ///< their sum
  Maybe<Count<R>> bound;                 ///< a CollectiveBound
  Maybe<Quantity<kSecond, R>> domain_time, leaf_time, spine_time;  ///< of a switched network
};

/// Costs `request` among the chips of `mesh`.
///
/// On a torus, all axes work at once. A gather takes what the worst-placed chip needs to receive,
/// V (n - 1) / n, over its links: one of a line, which ends there, or of a one-way ring, two of a
/// ring that sends both ways. No cut of a product of lines and rings is narrower than such a chip's
/// links, so nothing is slower than this, either: parts of the array that take the axes in
/// different orders, with as many bytes along each as it has links, use all of them all the time.
/// If all axes are rings of even length, it is the book's V / (links W): the farthest shard
/// comes whole, on both ways. A reduction is a gather backwards, an AllReduce both, an AllToAll is
/// bound by the middle of its longest axis (of routes along one axis after the other, which no cut
/// beats).
///
/// On switches, the slowest level: V (D - 1) / (D W) with D groups at a level, as what enters a
/// group is shared by its chips. The D of a level counts what lies below the same switch only, as
/// the book does: what comes from beyond makes it up to D / (D - 1) more. Other shards lie inside,
/// next to each other, and count to the D of a gather or a reduction, as in the book; a layout's
/// ways are given by their own places (Reach). Both are found by fill_groups.
///
/// Latency is a hop's times hops on a torus; on switches, of each level that has D groups, a step's
/// times min(D - 1, ceil(log2 D)), once up where switches add, if the request asks for it and
/// those of the level do (Chip::adds_up). Point to point, latency and bytes
/// add up. Source: book ch. 2 (question 5), 3 and 12; ForestColl (Zhao et al., 2024) 4 for cuts;
/// NCCL's tuning model for latency.
template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Mesh<R>& mesh,
                                  const CollectiveRequest<R>& request);

/// The use of domains by the chips of a mesh and the other shards inside it.
template <class R>
SwitchUse<R> switch_use(const Chip<R>& chip, const Mesh<R>& mesh);

/// The work of the busiest links of one level of switches, out of each chip, or of one axis of a
/// torus, one way.
template <class R>
struct LinkLoad {
  Maybe<Quantity<kSecond, R>> time = Absence::kNotApplicable;
  Maybe<Quantity<kByte, R>> bytes = Absence::kNotApplicable;
  Maybe<Quantity<kByte / kSecond, R>> rate = Absence::kNotApplicable;
  Maybe<Count<R>> shape = Absence::kNotApplicable;  ///< an AxisShape
};

/// The loads of domain, leaf and spine, or of X, Y and Z. Levels and axes that are not used have
/// none.
template <class R>
using LinkLoads = std::array<LinkLoad<R>, 3>;

/// The loads of a collective among the chips of `mesh` that costs `cost`.
template <class R>
LinkLoads<R> link_loads(const Chip<R>& chip, const Mesh<R>& mesh,
                        const CollectiveRequest<R>& request, const CollectiveCost<R>& cost);

/// The chips of one of a layout's ways: along these axes of a torus, or at these places of a
/// network of switches.
template <class R>
struct Reach {
  Count<R> chips;
  SwitchPlaces<R> places;
  std::array<Axis<R>, 3> axes;
  std::size_t axis_count;
};

/// The same among the chips of `reach`, by the same rules; point to point is between neighbours.
template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Reach<R>& reach,
                                  const CollectiveRequest<R>& request);

}  // namespace scaling
