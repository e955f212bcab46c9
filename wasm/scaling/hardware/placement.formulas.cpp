// SPDX-License-Identifier: MIT
#include "scaling/hardware/placement.hpp"

#include <iterator>

namespace scaling {
namespace {

template <class R>
Count<R> count(double x) {
  return Count<R>(R(x));
}

template <class R>
Fill<R> constants(const Fill<double>& fill) {
  return {named_number<term::kFillMost, R>(fill.most.value()),
          named_number<term::kFillLeast, R>(fill.least.value()),
          named_number<term::kFillGroups, R>(fill.groups.value())};
}

/// The place of a way on a network of switches; if its layout does not say, as if it were alone.
template <class R>
SwitchPlaces<R> places_of(const Chip<R>& chip, const Way& way) {
  if (way.places.domain.most.value() > 0) {
    return {constants<R>(way.places.domain), constants<R>(way.places.leaf)};
  }
  const auto chips = named_number<term::kWayChips, R>(way.chips);
  const auto stride = named_number<term::kWayStride, R>(way.stride);
  const Count<R> nested[] = {stride, stride * chips};
  return scaling::places_of(chip, chips, stride, SwitchUse<R>(chip, nested));
}

template <class R>
Reach<R> reach_of(const Chip<R>& chip, const Way& way) {
  Reach<R> reach{named_number<term::kWayChips, R>(way.chips), {}, {}, 0};
  if (chip.network != Network::kTorus) {
    reach.places = places_of(chip, way);
    return reach;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (way.lengths[i] <= 1) continue;
    const AxisShape shape = way.rings[i] ? AxisShape::kRing : AxisShape::kLine;
    reach.axes[reach.axis_count++] = {named_number<term::kWayLength, R>(way.lengths[i]), shape,
                                      named_number<term::kWayStride, R>(way.strides[i])};
  }
  return reach;
}

/// The number of `places` that are picked at least once if each of `picks` may fall on any of them:
/// n (1 - (1 - 1/n)^k) on average. Source: book ch. 12, footnote on AllToAlls.
template <class R>
Count<R> distinct_places(double places, Count<R> picks) {
  if (places <= 1) return one<R>();
  // ln(n / (n - 1)) = 2 artanh(1 / (2n - 1)): by its series, so that it is the same to the bit on
  // every machine.
  const double z = 1 / (2 * places - 1);
  double logarithm = 0;
  double power = 2 * z;
  for (int n = 1; n < 40; n += 2) {
    logarithm += power / n;
    power *= z * z;
  }
  constexpr double kMost = 500;  // more changes nothing
  const auto grown = exp_minus_one(
      min(named_number<term::kPlacesLogarithm, R>(logarithm) * picks, count<R>(kMost)));
  return named_number<term::kPlaces, R>(places) * (grown / (grown + one<R>()));
}

}  // namespace

template <class R>
Transfer<R> make_transfer(const Chip<R>& chip, const Way& way, CollectiveKind kind,
                          bool in_network_reduction, Count<R> destinations) {
  if (way.chips <= 1) return {};
  const auto one_byte = constant<kByte, R>(1);
  const CollectiveRequest<R> request{kind, one_byte, in_network_reduction, destinations, {},
                                     {},   {}};
  const auto cost = collective_cost(chip, reach_of(chip, way), request);
  // Bandwidths are there: check_plan asks for them.
  return {cost.bandwidth_time.value / one_byte, cost.latency_time, {}, {}};
}

template <class R>
Transfer<R> make_expert_swap(const Chip<R>& chip, const Way& way, Count<R> experts_per_token,
                             Count<R> nodes) {
  if (way.chips <= 1) return {};
  // An AllToAll counts an array with a row for each token and each place that it could go to.
  const auto swap = [&](Count<R> most, double places) {
    const auto destinations = min(most, distinct_places(places, experts_per_token));
    auto transfer = make_transfer(chip, way, CollectiveKind::kAllToAll, false, destinations);
    transfer.per_byte = named_number<term::kPlaces, R>(places) * transfer.per_byte;
    return transfer;
  };
  if (chip.network == Network::kTorus) return swap(experts_per_token, way.chips);
  const double inside = places_of(chip, way).domain.least.value();
  if (inside >= way.chips) return swap(experts_per_token, way.chips);
  const bool limited = nodes.value() > 0 && nodes < experts_per_token;
  auto transfer = swap(limited ? nodes : experts_per_token, way.chips / inside);
  if (inside > 1) {
    const auto one_byte = constant<kByte, R>(1);
    const auto copies = distinct_places(way.chips, experts_per_token);
    const auto domain = named_number<term::kFillLeast, R>(inside);
    const auto inner =
        one_byte * copies *
        ((domain - one<R>()) / domain / named_number<term::kWayChips, R>(way.chips)) /
        of_one_chip(chip.scale_up_bandwidth);
    transfer.per_byte = max(transfer.per_byte, inner / one_byte);
  }
  return transfer;
}

namespace {

/// `chip` at shares of its bandwidths.
template <class R>
Chip<R> slowed(Chip<R> chip, const Constant& scale_up, const Constant& scale_out) {
  chip.link_bandwidth = scalar<R>(scale_up) * chip.link_bandwidth;
  chip.scale_up_bandwidth = scalar<R>(scale_up) * chip.scale_up_bandwidth;
  if (chip.scale_out_bandwidth.present()) {
    chip.scale_out_bandwidth.value = scalar<R>(scale_out) * chip.scale_out_bandwidth.value;
  }
  return chip;
}

}  // namespace

template <class R>
StepTransfers<R> make_step_transfers(const Chip<R>& chip, const Model<R>& model,
                                     const Degrees<R>& layout, const Placement& placement,
                                     bool in_network_reduction, const NetworkShares* reached,
                                     const PlacedTransfers<R>* known) {
  using enum CollectiveKind;
  using Transfers = StepTransfers<R>;
  struct Move {
    Transfer<R> Transfers::*transfer;
    Way Placement::*way;
    CollectiveKind kind;
  };
  const auto context = [&] {
    if (layout.context_kind == ContextKind::kUlysses) return kAllToAll;
    return layout.context_kind == ContextKind::kRing ? kPointToPoint : kAllGather;
  };
  const Move moves[] = {
      {&Transfers::tensor, &Placement::tensor, layout.sequence_parallel ? kAllGather : kAllReduce},
      {&Transfers::context, &Placement::context, context()},
      {&Transfers::shard_gather, &Placement::shards, kAllGather},
      {&Transfers::shard_reduce, &Placement::shards, kAllReduce},
      {&Transfers::replica_reduce, &Placement::replicas, kAllReduce},
      {&Transfers::pipeline_hop, &Placement::pipeline, kPointToPoint},
      // Only experts have the transfers from here on.
      {&Transfers::expert_swap, &Placement::expert, kAllToAll},
      {&Transfers::expert_tensor_gather, &Placement::expert_tensor, kAllGather},
      {&Transfers::expert_shard_gather, &Placement::expert_shards, kAllGather},
      {&Transfers::expert_shard_reduce, &Placement::expert_shards, kAllReduce}};
  constexpr std::size_t kOfExperts = 4;
  Chip<R> slow{}, slow_swaps{};
  if (reached != nullptr) {
    slow = slowed(chip, reached->scale_up, reached->scale_out);
    slow_swaps = slowed(chip, reached->all_to_all, reached->scale_out);
  }
  StepTransfers<R> result{};
  for (const Move& move :
       std::span(moves).first(std::size(moves) - (model.sparse() ? 0 : kOfExperts))) {
    const Way& way = placement.*move.way;
    auto& transfer = result.*move.transfer;
    if (known != nullptr && known->placement.*move.way == way) {
      transfer = known->transfers.*move.transfer;
      continue;
    }
    const auto price = [&](const Chip<R>& on) {
      if (move.transfer == &Transfers::expert_swap) {
        return make_expert_swap(on, way, model.experts_per_token, layout.expert_nodes);
      }
      const bool in_network = move.kind == kAllReduce && in_network_reduction;
      return make_transfer(on, way, move.kind, in_network);
    };
    transfer = price(chip);
    if (reached == nullptr) continue;
    transfer.reached = price(move.kind == kAllToAll ? slow_swaps : slow).per_byte;
  }
  if (placement.slices > 1) {
    // The slices reduce among each other, each chip its own part.
    const auto reduce = [&](const Chip<R>& on) -> Transfer<R> {
      const auto one = Count<R>(R(1));
      const auto slices = named_number<term::kSlicesUsed, R>(placement.slices);
      const auto one_byte = constant<kByte, R>(1);
      const auto time =
          2.0 * (one_byte * ((slices - one) / slices)) / of_one_chip(on.scale_out_bandwidth.value);
      return {time / one_byte, 2.0 * tree_steps(placement.slices) * on.scale_out_latency, {}, {}};
    };
    result.slice_reduce = reduce(chip);
    if (reached != nullptr) result.slice_reduce.reached = reduce(slow).per_byte;
  }
  return result;
}

template Transfer<SCALING_REP> make_transfer(const Chip<SCALING_REP>&, const Way&, CollectiveKind,
                                             bool, Count<SCALING_REP>);
template Transfer<SCALING_REP> make_expert_swap(const Chip<SCALING_REP>&, const Way&,
                                                Count<SCALING_REP>, Count<SCALING_REP>);
template StepTransfers<SCALING_REP> make_step_transfers(
    const Chip<SCALING_REP>&, const Model<SCALING_REP>&, const Degrees<SCALING_REP>&,
    const Placement&, bool, const NetworkShares*, const PlacedTransfers<SCALING_REP>*);

}  // namespace scaling
