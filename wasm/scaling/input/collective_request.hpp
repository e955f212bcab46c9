// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

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
  static constexpr const char* kPrefix = "coll.";
  template <class T>
  struct Slot {
    T collective;
    static constexpr T Slot::*kMember = &Slot::collective;
  };

  CollectiveKind kind;
  Quantity<kByte, R> bytes;  ///< V: the whole array, gathered or not yet reduced
  bool in_network_reduction;
  Count<R> destinations;  ///< of each row in an AllToAll, as by the router of experts; 0: all chips
  Count<R> distance_x, distance_y, distance_z;

  static constexpr auto fields() {
    using enum CollectiveKind;
    constexpr Range kDistance{0, 1e6};
    return Fields{
        choice(&CollectiveRequest::kind, "kind", kCollectiveKindNames).asked().fallback(kAllGather),
        number(&CollectiveRequest::bytes, "bytes", "V", {1, 1e18})
            .asked()
            .for_targets()
            .fallback(1e9),
        flag(&CollectiveRequest::in_network_reduction, "inNetworkReduction")
            .fallback(0)
            .when("kind", kAllReduce),
        count(&CollectiveRequest::destinations, "destinations", "k", kDistance)
            .rare()
            .fallback(0)
            .when("kind", kAllToAll),
        count(&CollectiveRequest::distance_x, "distanceX", "d_x", kDistance)
            .asked()
            .fallback(1)
            .when("kind", kPointToPoint),
        count(&CollectiveRequest::distance_y, "distanceY", "d_y", kDistance)
            .asked()
            .fallback(0)
            .when("kind", kPointToPoint),
        count(&CollectiveRequest::distance_z, "distanceZ", "d_z", kDistance)
            .asked()
            .fallback(0)
            .when("kind", kPointToPoint),
    };
  }
};

}  // namespace scaling
