// SPDX-License-Identifier: MIT
#include "scaling/questions/collective/question.hpp"

#include "scaling/input/read_groups.hpp"

namespace scaling {
namespace {

/// Answers how much each level of switches or each axis of a torus carries.
template <class R, class Answers>
void put_loads(Answers& sheet, const Chip<R>& chip, const LinkLoads<R>& loads) {
  const auto& [first, second, third] = loads;
  if (chip.network == Network::kTorus) {
    sheet.template put<term::kAxisTimeX>(first.time);
    sheet.template put<term::kAxisTimeY>(second.time);
    sheet.template put<term::kAxisTimeZ>(third.time);
    sheet.template put<term::kAxisBytesX>(first.bytes);
    sheet.template put<term::kAxisBytesY>(second.bytes);
    sheet.template put<term::kAxisBytesZ>(third.bytes);
    sheet.template put<term::kAxisShapeX>(first.shape);
    sheet.template put<term::kAxisShapeY>(second.shape);
    sheet.template put<term::kAxisShapeZ>(third.shape);
    return;
  }
  sheet.template put<term::kDomainTime>(first.time);
  sheet.template put<term::kLeafTime>(second.time);
  sheet.template put<term::kSpineTime>(third.time);
  sheet.template put<term::kDomainBytes>(first.bytes);
  sheet.template put<term::kLeafBytes>(second.bytes);
  sheet.template put<term::kSpineBytes>(third.bytes);
  sheet.template put<term::kSpineRate>(third.rate);
}

}  // namespace

template <class R>
CollectiveQuestion::Answers<R> CollectiveQuestion::answer(const Typed<R>& in) {
  const auto& mesh = in.mesh;
  const auto& request = in.collective;
  Answers<R> sheet;
  const auto chips = sheet.template put<term::kCollectiveChips>(mesh.chips());
  if (chips.value() <= 1) return sheet;
  if (in.chip.network != Network::kTorus) {
    const auto use = switch_use(in.chip, mesh);
    sheet.template put<term::kDomains>(use.domain.groups);
    sheet.template put<term::kDomainUsed>(use.domain.most);
    // A remainder: no share of it belongs to one input.
    sheet.template put<term::kDomainIdle>(Count<R>(R(use.idle.value())));
    sheet.template put<term::kLeaves>(use.leaf.groups);
  }
  const auto cost = collective_cost(in.chip, mesh, request);
  const bool send = request.kind == CollectiveKind::kPointToPoint;
  if (!send) {
    sheet.template put<term::kShardBytes>(request.bytes / (chips * mesh.other_shards));
  }
  sheet.template put<term::kBytesSent>(cost.bytes_sent);
  sheet.template put<term::kCollectiveSteps>(cost.steps);
  const auto moving = sheet.template put<term::kCollectiveBandwidthTime>(cost.bandwidth_time);
  const auto waiting = sheet.template put<term::kCollectiveLatencyTime>(cost.latency_time);
  const auto time = sheet.template put<term::kCollectiveTime>(cost.time);
  sheet.template put<term::kCollectiveExpected>(cost.expected);
  if (expected_collective<R> != nullptr) {
    sheet.template put<term::kTimeExpected>(expected_collective<R>(in.chip, mesh, request));
  }
  sheet.template put<term::kCollectiveBound>(cost.bound);
  put_loads(sheet, in.chip, link_loads(in.chip, mesh, request, cost));
  if (cost.steps.value() <= 0) return sheet;  // to where it is
  sheet.template put<term::kEffectiveBandwidth>(
      when_present([&](auto t) { return request.bytes / t; }, time));
  // Moving takes longer in proportion to the bytes; the steps stay.
  sheet.template put<term::kLatencyBytes>(
      when_present([&](auto t) { return request.bytes * (waiting / t); }, moving));
  return sheet;
}

template CollectiveQuestion::Typed<SCALING_REP> CollectiveQuestion::Input::read<SCALING_REP>()
    const;
template CollectiveQuestion::Answers<SCALING_REP> CollectiveQuestion::answer(
    const Typed<SCALING_REP>&);

}  // namespace scaling
