// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/collective.hpp"
#include "scaling/quantity/sheet.hpp"

namespace scaling {

/// "How long does this collective take among these chips?"
struct CollectiveQuestion {
  static constexpr const char* kName = "collective";

  struct Input {
    Raw<Chip> chip;
    Raw<Mesh> mesh;
    Raw<CollectiveRequest> collective;
  };

  /// The fields and, of an input, the values of its groups, in one order.
  static constexpr std::span<const FieldInfo> kGroups[] = {kFields<Chip>, kFields<Mesh>,
                                                           kFields<CollectiveRequest>};
  static std::array<std::span<double>, 3> groups(Input& in) {
    return {in.chip.values, in.mesh.values, in.collective.values};
  }

  template <class R>
  struct Typed {
    Chip<R> chip;
    Mesh<R> mesh;
    CollectiveRequest<R> collective;
  };

  template <class R>
  using Answers =
      Sheet<R, term::kCollectiveChips, term::kShardBytes, term::kBytesSent, term::kCollectiveSteps,
            term::kCollectiveBandwidthTime, term::kCollectiveLatencyTime, term::kCollectiveTime,
            term::kCollectiveExpected, term::kCollectiveBound, term::kEffectiveBandwidth,
            term::kLatencyBytes, term::kDomainTime, term::kLeafTime, term::kSpineTime,
            term::kDomains, term::kDomainUsed, term::kDomainIdle>;

  static void check_fields(Input& input, Issues& issues);

  template <class R>
  static Typed<R> read(const Input& input);

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);
};

}  // namespace scaling
