// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/collective.hpp"
#include "scaling/input/question.hpp"

namespace scaling {

/// "How long does this collective take among these chips?"
struct CollectiveQuestion : QuestionOf<Chip, Mesh, CollectiveRequest> {
  static constexpr const char* kName = "collective";

  template <class R>
  using Answers =
      Sheet<R, term::kCollectiveChips, term::kShardBytes, term::kBytesSent, term::kCollectiveSteps,
            term::kCollectiveBandwidthTime, term::kCollectiveLatencyTime, term::kCollectiveTime,
            term::kCollectiveExpected, term::kTimeExpected, term::kCollectiveBound,
            term::kEffectiveBandwidth, term::kLatencyBytes, term::kDomainTime, term::kLeafTime,
            term::kSpineTime, term::kDomainBytes, term::kLeafBytes, term::kSpineBytes,
            term::kSpineRate, term::kAxisTimeX, term::kAxisTimeY, term::kAxisTimeZ,
            term::kAxisBytesX, term::kAxisBytesY, term::kAxisBytesZ, term::kAxisShapeX,
            term::kAxisShapeY, term::kAxisShapeZ, term::kDomains, term::kDomainUsed,
            term::kDomainIdle, term::kLeaves>;

  static constexpr const Term* kFirst[] = {&term::kCollectiveTime, &term::kCollectiveBound,
                                           &term::kBytesSent, &term::kCollectiveSteps};
  static constexpr AnswerBound kBounds[] = {
      {&term::kCollectiveTime, BoundKind::kLower, &term::kTimeExpected}};

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);
};

/// The source of the expected time; none in modules that do without (answer_expected_times).
template <class R>
inline Maybe<Quantity<kSecond, R>> (*expected_collective)(const Chip<R>&, const Mesh<R>&,
                                                          const CollectiveRequest<R>&) = nullptr;

}  // namespace scaling
