// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/network.hpp"

namespace scaling {

enum class CollectiveKind : std::uint8_t {
  kAllGather,
  kReduceScatter,
  kAllReduce,
  kAllToAll,
  kPointToPoint,
};
inline constexpr const char* kCollectiveKindNames[] = {"allGather", "reduceScatter", "allReduce",
                                                       "allToAll", "pointToPoint"};

/// A collective as a reader asks for it.
template <class R>
struct CollectiveRequest {
  static constexpr const char* kGroup = "collective";

  CollectiveKind kind;
  Quantity<kByte, R> bytes;  ///< V: the whole array, gathered or not yet reduced
  bool in_network_reduction;
  Count<R> destinations;  ///< of each row in an AllToAll, as by the router of experts; 0: all chips
  Count<R> distance_x, distance_y, distance_z;

  static constexpr auto fields() {
    using enum CollectiveKind;
    constexpr Range kDistance{0, 1e6};
    return std::tuple{
        choice(&CollectiveRequest::kind, "kind", kCollectiveKindNames).fallback(kAllGather),
        number(&CollectiveRequest::bytes, "bytes", "V", {1, 1e18}).fallback(1e9),
        flag(&CollectiveRequest::in_network_reduction, "inNetworkReduction")
            .fallback(0)
            .when("kind", kAllReduce),
        count(&CollectiveRequest::destinations, "destinations", "k", kDistance)
            .fallback(0)
            .when("kind", kAllToAll),
        count(&CollectiveRequest::distance_x, "distanceX", "d_x", kDistance)
            .fallback(1)
            .when("kind", kPointToPoint),
        count(&CollectiveRequest::distance_y, "distanceY", "d_y", kDistance)
            .fallback(0)
            .when("kind", kPointToPoint),
        count(&CollectiveRequest::distance_z, "distanceZ", "d_z", kDistance)
            .fallback(0)
            .when("kind", kPointToPoint),
    };
  }
};

/// What a collective waits for.
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
inline constexpr Term kCollectiveBound{"collectiveBound", "", kOne, "book-sharding",
                                       kCollectiveBoundNames};
inline constexpr Term kEffectiveBandwidth{"effectiveBandwidth", "V/T", kCollectiveRate,
                                          "book-sharding"};
inline constexpr Term kLatencyBytes{"latencyBytes", "V_lat", kByte, "book-sharding"};
inline constexpr Term kTorusRate{"torusRate", "W_torus", kCollectiveRate, "book-sharding"};
inline constexpr Term kDomainTime{"domainTime", "T_domain", kSecond, "book-gpus"};
inline constexpr Term kLeafTime{"leafTime", "T_leaf", kSecond, "book-gpus"};
inline constexpr Term kSpineTime{"spineTime", "T_spine", kSecond, "book-gpus"};

}  // namespace term

/// What a collective costs.
template <class R>
struct CollectiveCost {
  Quantity<kByte, R> bytes_sent;  ///< by each chip
  Count<R> steps;                 ///< hops or switch levels, one after another
  Maybe<Quantity<kSecond, R>> bandwidth_time;
  Quantity<kSecond, R> latency_time;
  Maybe<Quantity<kSecond, R>> time;
  Maybe<Count<R>> bound;                                           ///< a CollectiveBound
  Maybe<Quantity<kSecond, R>> domain_time, leaf_time, spine_time;  ///< of a switched network
};

/// Costs `request` among the chips of `mesh`.
///
/// On a torus, all axes work at once: each gathers V at its own rate (a ring of X chips in
/// floor(X/2) hops both ways, a line or a one-way ring in X - 1), and the rates add up; a reduction
/// is a gather backwards, an AllReduce both. An AllToAll is bound by its longest axis. On switches,
/// the slowest level: V (D - 1) / (D W) with D groups at a level, as what enters a group is shared
/// by its chips. Neither can be faster than its hops; point to point, hops and bytes add up.
/// Source: book ch. 2 (question 5), 3 and 12.
template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Mesh<R>& mesh,
                                  const CollectiveRequest<R>& request);

/// The chips of one of a layout's ways: along these axes of a torus, or each `stride`-th of those
/// that switches join.
template <class R>
struct Reach {
  Count<R> chips, stride;
  std::array<Axis<R>, 3> axes;
  std::size_t axis_count;
};

/// The same among the chips of `reach`, by the same rules; point to point is between neighbours.
template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Reach<R>& reach,
                                  const CollectiveRequest<R>& request);

}  // namespace scaling
