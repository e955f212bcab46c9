// SPDX-License-Identifier: MIT
#include "scaling/hardware/transfer.hpp"

#include <iterator>

namespace scaling {
namespace {

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
      min(named_number<term::kPlacesLogarithm, R>(logarithm) * picks, Count<R>(R(kMost))));
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
Transfer<R> make_expert_exchange(const Chip<R>& chip, const Way& way,
                                 const ExpertExchange<R>& exchange, const ExchangeRates* reached) {
  if (way.chips <= 1) return {};
  using Time = Quantity<kSecond / kByte, R>;
  const auto& k = exchange.experts_per_token;
  if (chip.network == Network::kTorus) {
    // An AllToAll counts an array with a row for each token and each rank that it could go to.
    const auto destinations = min(k, distinct_places(way.chips, k));
    auto transfer = make_transfer(chip, way, CollectiveKind::kAllToAll, false, destinations);
    const auto ranks = named_number<term::kWayChips, R>(way.chips);
    transfer.per_byte = ranks * ranks * transfer.per_byte;
    if (reached != nullptr) {
      transfer.reached = transfer.per_byte / scalar<R>(reached->near);
      transfer.start = seconds_of<R>(reached->start);
    }
    return transfer;
  }
  const double inside = reach_of(chip, way).places.domain.least.value();
  const double domains = way.chips / inside;
  const bool limited = exchange.nodes.value() > 0 && exchange.nodes.value() < domains;
  const double used = limited ? exchange.nodes.value() : domains;
  const auto others = [](double of) {
    const auto places = named_number<term::kPlaces, R>(of);
    return (places - one<R>()) / places;
  };
  const auto out = [&](Count<R> copies) -> Time {
    if (domains <= 1) return {};
    const auto rate = of_one_chip(chip.scale_out_bandwidth.value);
    return copies * others(domains) / rate;
  };
  const auto link = [&](Count<R> copies, double among) -> Time {
    if (inside <= 1) return {};
    return copies * others(among) / of_one_chip(chip.scale_up_bandwidth);
  };
  const auto longer = [](const Time& far, const Time& near) {
    if (!(far.value() > 0)) return near;
    return near.value() > 0 ? max(far, near) : far;
  };
  const auto in_own = [&](Count<R> copies) {
    return domains > 1 ? copies / named_number<term::kPlaces, R>(domains) : copies;
  };
  const auto to_domains = domains > 1 ? distinct_places(used, k) : one<R>();
  Transfer<R> transfer{};
  transfer.latency = domains > 1 ? chip.scale_out_latency : chip.hop_latency;
  transfer.per_byte = longer(out(to_domains), link(in_own(distinct_places(way.chips, k)), inside));
  if (reached == nullptr) return transfer;
  const auto far = exchange.forwarded ? out(to_domains) : out(k);
  const auto near = exchange.forwarded ? link(distinct_places(used * inside, k), way.chips)
                                       : link(in_own(k), inside);
  transfer.reached = longer(far / scalar<R>(reached->far), near / scalar<R>(reached->near));
  transfer.start = max(seconds_of<R>(reached->start) - transfer.latency, Quantity<kSecond, R>{});
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
                                     bool in_network_reduction, const ExpertExchange<R>& exchange,
                                     const NetworkShares* reached, const ExchangeRates* rates,
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
      {&Transfers::expert_exchange, &Placement::expert, kAllToAll},
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
    if (move.transfer == &Transfers::expert_exchange) {
      transfer = make_expert_exchange(chip, way, exchange, rates);
      continue;
    }
    const auto price = [&](const Chip<R>& on) {
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

template <class R>
PlacedCollective<R> place(const Chip<R>& chip, const Mesh<R>& mesh,
                          const CollectiveRequest<R>& request) {
  PlacedCollective<R> placed{collective_cost(chip, mesh, request), {}, {}, false};
  const auto ranks = mesh.chips();
  // Each rank has its share of the array in an AllToAll, the whole of its own in other
  // collectives.
  const auto ways =
      request.kind == CollectiveKind::kAllToAll ? ranks * mesh.other_shards : mesh.other_shards;
  placed.kernel = {request.kind, request.bytes / ways, ranks, request.in_network_reduction};
  if (chip.network == Network::kTorus) return placed;
  const auto use = switch_use(chip, mesh);
  placed.beyond = use.domain.groups.value() > 1;
  placed.in_domain = places_of(chip, ranks, mesh.other_shards, use).domain.least;
  return placed;
}

template <class R>
PlacedCollective<R> place(const Chip<R>& chip, const Reach<R>& reach,
                          const CollectiveRequest<R>& request) {
  PlacedCollective<R> placed{collective_cost(chip, reach, request), {}, {}, false};
  const bool all_to_all = request.kind == CollectiveKind::kAllToAll;
  placed.kernel = {request.kind, all_to_all ? request.bytes / reach.chips : request.bytes,
                   reach.chips, request.in_network_reduction};
  if (chip.network == Network::kTorus) return placed;
  placed.in_domain = reach.places.domain.least;
  placed.beyond = placed.in_domain < reach.chips;
  return placed;
}

template <class R>
Maybe<Quantity<kSecond, R>> measured_time(const Chip<R>& chip, const KernelChip<R>& kernels,
                                          const PlacedCollective<R>& placed) {
  using Time = Quantity<kSecond, R>;
  const auto& cost = placed.cost;
  if (!cost.time.present()) return cost.time;
  const auto no_less = [&](const Time& time) { return max(time, cost.time.value); };
  const auto& of = kKernelConstants;
  auto kernel = placed.kernel;
  const auto ring_steps = [&] {
    const bool twice = kernel.kind == CollectiveKind::kAllReduce;
    return (twice ? 2.0 : 1.0) * (kernel.ranks - one<R>());
  };
  if (chip.network == Network::kTorus) {
    const auto& rates = kernels.rates->collective;
    const bool all_to_all = kernel.kind == CollectiveKind::kAllToAll;
    const auto share = scalar<R>(all_to_all ? rates.torus_all_to_all : rates.torus);
    const auto steps = placed.one_ring ? ring_steps() * chip.hop_latency : cost.latency_time;
    return no_less(steps + cost.bandwidth_time.value / share);
  }
  auto links = kernels;
  if (chip.network == Network::kPcie) {
    links.link = of_one_chip(chip.scale_up_bandwidth) * scalar<R>(of.host_link);
    if (!placed.beyond) {
      const auto moving = cost.bandwidth_time.value / scalar<R>(of.host_link);
      return no_less(seconds_of<R>(of.host_start) + ring_steps() * seconds_of<R>(of.host_step) +
                     moving);
    }
  }
  const bool asked = kernel.in_network;
  kernel.in_network = asked && chip.adds_up(true);
  if (!placed.beyond && chip.scale_up_bandwidth.value() > 0) {
    return no_less(kernel_time(links, kernel).expected);
  }
  Time near{}, far{};
  if (cost.domain_time.present()) near = cost.domain_time.value;
  for (const auto& level : {cost.leaf_time, cost.spine_time}) {
    if (level.present()) far = far.value() > 0 ? max(far, level.value) : level.value;
  }
  if (kernel.kind == CollectiveKind::kPointToPoint) far = cost.bandwidth_time.value;
  const auto out = placed.in_domain * of_one_chip(chip.scale_out_bandwidth.value);
  return no_less(
      kernel_time(links, FarCollectiveKernel<R>{kernel, placed.in_domain,
                                                asked && chip.adds_up(false), near, far, out})
          .expected);
}

template Transfer<SCALING_REP> make_transfer(const Chip<SCALING_REP>&, const Way&, CollectiveKind,
                                             bool, Count<SCALING_REP>);
template Transfer<SCALING_REP> make_expert_exchange(const Chip<SCALING_REP>&, const Way&,
                                                    const ExpertExchange<SCALING_REP>&,
                                                    const ExchangeRates*);
template StepTransfers<SCALING_REP> make_step_transfers(
    const Chip<SCALING_REP>&, const Model<SCALING_REP>&, const Degrees<SCALING_REP>&,
    const Placement&, bool, const ExpertExchange<SCALING_REP>&, const NetworkShares*,
    const ExchangeRates*, const PlacedTransfers<SCALING_REP>*);
template PlacedCollective<SCALING_REP> place(const Chip<SCALING_REP>&, const Mesh<SCALING_REP>&,
                                             const CollectiveRequest<SCALING_REP>&);
template PlacedCollective<SCALING_REP> place(const Chip<SCALING_REP>&, const Reach<SCALING_REP>&,
                                             const CollectiveRequest<SCALING_REP>&);
template Maybe<Quantity<kSecond, SCALING_REP>> measured_time(const Chip<SCALING_REP>&,
                                                             const KernelChip<SCALING_REP>&,
                                                             const PlacedCollective<SCALING_REP>&);

}  // namespace scaling
