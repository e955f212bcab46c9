// SPDX-License-Identifier: MIT
#include "scaling/collective.hpp"

#include "scaling/network.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;
template <class R>
using Seconds = Quantity<kSecond, R>;
template <class R>
using Rate = Quantity<term::kCollectiveRate, R>;

template <class R>
Count<R> one() {
  return Count<R>(R(1));
}

/// Steps in which a gather or an AllToAll crosses an axis.
template <class R>
Count<R> hops(const Axis<R>& axis) {
  return axis.shape == AxisShape::kRing ? floor(axis.chips / 2.0) : axis.chips - one<R>();
}

/// `quantity` of one axis, times those that share its links.
template <Dimension D, class R>
Quantity<D, R> times_stride(const Axis<R>& axis, Quantity<D, R> quantity) {
  return axis.stride.value() > 1 ? quantity * axis.stride : quantity;
}

/// Bytes of the whole array that an axis gathers in a second. In each hop a chip receives one
/// shard, V / X, over each link that leads to it.
template <class R>
Rate<R> gather_rate(const Axis<R>& axis, Rate<R> link) {
  return link * (axis.chips / times_stride(axis, hops(axis)));
}

/// Seconds that the busiest link of an axis needs for each byte of an AllToAll along it: of X x X
/// pieces, a quarter crosses the middle of a line; a ring has two middles; one way around, a piece
/// travels half the ring on average.
template <class R>
Count<R> all_to_all_share(const Axis<R>& axis) {
  const auto& x = axis.chips;
  switch (axis.shape) {
    case AxisShape::kLine:
      return floor(x * x / 4.0) / (x * x);
    case AxisShape::kRing:
      return floor(x * x / 4.0) / (2.0 * (x * x));
    case AxisShape::kOneWayRing:
      break;
  }
  return (x - one<R>()) / (2.0 * x);
}

/// The part of the array that an AllToAll with few destinations sends, of `groups` places.
template <class R>
Count<R> sent_share(const CollectiveRequest<R>& request, Count<R> groups) {
  if (request.destinations.value() <= 0) return one<R>();
  return min(request.destinations / groups, one<R>());
}

/// The chips that take part, as each kind of network sees them.
template <class R>
struct Members {
  Count<R> chips, other_shards;
  std::span<const Axis<R>> axes;
  std::array<Level<R>, 3> levels;
};

template <class R>
void cost_on_torus(CollectiveCost<R>& cost, const Chip<R>& chip, const Members<R>& members,
                   const CollectiveRequest<R>& request, Bytes<R> bytes) {
  const auto link = of_one_chip(chip.link_bandwidth);
  Count<R> steps{};
  for (const Axis<R>& axis : members.axes) steps = steps + times_stride(axis, hops(axis));

  if (request.kind == CollectiveKind::kAllToAll) {
    Seconds<R> longest{};
    for (const Axis<R>& axis : members.axes) {
      const auto share = times_stride(axis, all_to_all_share(axis));
      const auto time = bytes * (axis.chips / members.chips) * share / link;
      longest = longest.value() > 0 ? max(longest, time) : time;
    }
    if (request.destinations.value() > 0) longest = longest * sent_share(request, members.chips);
    cost.bandwidth_time = longest;
    cost.steps = steps;
    return;
  }
  Rate<R> rate{};
  for (const Axis<R>& axis : members.axes) rate = rate + gather_rate(axis, link);
  const auto gather = bytes / named<term::kTorusRate>(rate);
  const bool twice = request.kind == CollectiveKind::kAllReduce;
  cost.bandwidth_time = twice ? 2.0 * gather : gather;
  cost.steps = twice ? 2.0 * steps : steps;
}

/// Hops on the way along an axis, the shorter way around a ring that sends both ways.
template <class R>
Count<R> distance_hops(const Chip<R>& chip, const Mesh<R>& mesh, Count<R> distance, Count<R> chips,
                       Count<R> of_pod) {
  const bool both_ways = mesh.direction == Direction::kBidirectional;
  if (!both_ways || !TorusAxes<R>::closes(chip, chips, of_pod)) return distance;
  return min(distance, chips - distance);
}

template <class R>
void send_on_torus(CollectiveCost<R>& cost, const Chip<R>& chip, const Mesh<R>& mesh,
                   const CollectiveRequest<R>& request) {
  const auto along = [&](Count<R> distance, Count<R> chips, Count<R> of_pod) {
    return distance_hops(chip, mesh, distance, chips, of_pod);
  };
  // Each axis that leads towards the goal gives a link of its own to start from.
  const double ports = (request.distance_x.value() > 0) + (request.distance_y.value() > 0) +
                       (request.distance_z.value() > 0);
  cost.steps = along(request.distance_x, mesh.x, chip.torus_x) +
               along(request.distance_y, mesh.y, chip.torus_y) +
               along(request.distance_z, mesh.z, chip.torus_z);
  cost.bandwidth_time =
      ports > 0 ? request.bytes / (ports * of_one_chip(chip.link_bandwidth)) : Seconds<R>{};
}

/// Seconds that the links out of a level's groups need for an AllToAll among `n` chips: each chip
/// sends V / n^2 to each other. Inside a domain, links carry what stays there; above, all that
/// leaves the group.
template <class R>
Seconds<R> all_to_all_level_time(const Level<R>& level, Count<R> n, Bytes<R> bytes,
                                 const CollectiveRequest<R>& request,
                                 Quantity<kByte / kSecond / kChip, R> bandwidth) {
  const bool inside = level.below.value() <= 1;
  const auto others = inside ? level.degree - one<R>() : n - level.below;
  const auto share = sent_share(request, inside ? n : n / level.below);
  return bytes * others / (n * n) * share / of_one_chip(bandwidth);
}

/// Seconds at one level of switches, of a level that has something to do.
template <class R>
Seconds<R> level_time(const Level<R>& level, Count<R> other_shards,
                      const CollectiveRequest<R>& request,
                      Quantity<kByte / kSecond / kChip, R> bandwidth) {
  const auto& d = level.degree;
  const auto others = (d - one<R>()) / d;
  const auto shared = max(other_shards, level.below) * of_one_chip(bandwidth);
  if (request.kind == CollectiveKind::kAllReduce) {
    return request.in_network_reduction ? request.bytes / shared
                                        : 2.0 * (request.bytes * others / shared);
  }
  return request.bytes * others / shared;
}

template <class R>
void cost_on_switches(CollectiveCost<R>& cost, const Members<R>& members,
                      const CollectiveRequest<R>& request, Bytes<R> bytes) {
  const bool all_to_all = request.kind == CollectiveKind::kAllToAll;
  const auto& levels = members.levels;
  double steps = 0;
  const auto time = [&](const Level<R>& level) -> Maybe<Seconds<R>> {
    if (level.degree.value() <= 1) return Absence::kNotApplicable;
    ++steps;
    return when_present(
        [&](auto bandwidth) {
          return all_to_all ? all_to_all_level_time(level, members.chips, bytes, request, bandwidth)
                            : level_time(level, members.other_shards, request, bandwidth);
        },
        level.bandwidth);
  };
  const auto name_domain = [](auto t) { return named<term::kDomainTime>(t); };
  const auto name_leaf = [](auto t) { return named<term::kLeafTime>(t); };
  const auto name_spine = [](auto t) { return named<term::kSpineTime>(t); };
  cost.domain_time = when_present(name_domain, time(levels[0]));
  cost.leaf_time = when_present(name_leaf, time(levels[1]));
  cost.spine_time = when_present(name_spine, time(levels[2]));
  cost.bandwidth_time = Absence::kNotApplicable;
  for (const auto& level : {cost.domain_time, cost.leaf_time, cost.spine_time}) {
    if (level.absence == Absence::kNotApplicable) continue;
    if (!level.present()) {
      cost.bandwidth_time = level;
      break;
    }
    cost.bandwidth_time = cost.bandwidth_time.present()
                              ? Maybe<Seconds<R>>(max(cost.bandwidth_time.value, level.value))
                              : level;
  }
  const bool twice = request.kind == CollectiveKind::kAllReduce && !request.in_network_reduction;
  cost.steps = Count<R>(R(twice ? 2 * steps : steps));
}

template <class R>
void send_on_switches(CollectiveCost<R>& cost, const std::array<Level<R>, 3>& levels,
                      const CollectiveRequest<R>& request) {
  cost.bandwidth_time = Absence::kNotApplicable;
  double steps = 0;
  for (const Level<R>& level : levels) {
    if (level.degree.value() <= 1) continue;
    ++steps;
    // Up to the last level that it crosses, whose links are the slowest on the way.
    cost.bandwidth_time = when_present(
        [&](auto bandwidth) { return request.bytes / of_one_chip(bandwidth); }, level.bandwidth);
  }
  cost.steps = Count<R>(R(steps));
}

template <class R>
Bytes<R> bytes_sent(const Chip<R>& chip, Count<R> n, const CollectiveRequest<R>& request,
                    Bytes<R> bytes) {
  const auto others = (n - one<R>()) / n;
  switch (request.kind) {
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
      return bytes * others;
    case CollectiveKind::kAllReduce:
      // No switch, no sums in it.
      return request.in_network_reduction && chip.network != Network::kTorus
                 ? bytes
                 : 2.0 * (bytes * others);
    case CollectiveKind::kAllToAll:
      return bytes * others / n * sent_share(request, n);
    case CollectiveKind::kPointToPoint:
      break;
  }
  return request.bytes;
}

/// A cost with nothing in it yet.
template <class R>
CollectiveCost<R> no_cost() {
  CollectiveCost<R> cost;
  cost.domain_time = Absence::kNotApplicable;
  cost.leaf_time = Absence::kNotApplicable;
  cost.spine_time = Absence::kNotApplicable;
  cost.bandwidth_time = Absence::kNotApplicable;
  cost.time = Absence::kNotApplicable;
  cost.bound = Absence::kNotApplicable;
  return cost;
}

/// Adds up what bandwidth and steps are known of.
template <class R>
void finish(CollectiveCost<R>& cost, const Chip<R>& chip, Count<R> chips,
            const CollectiveRequest<R>& request, Bytes<R> bytes) {
  const bool send = request.kind == CollectiveKind::kPointToPoint;
  cost.bytes_sent = named<term::kBytesSent>(bytes_sent(chip, chips, request, bytes));
  cost.steps = named<term::kCollectiveSteps>(cost.steps);
  cost.latency_time = named<term::kCollectiveLatencyTime>(cost.steps * chip.hop_latency);
  cost.bandwidth_time = when_present(
      [](auto time) { return named<term::kCollectiveBandwidthTime>(time); }, cost.bandwidth_time);
  cost.time = when_present(
      [&](auto time) {
        return named<term::kCollectiveTime>(send ? cost.latency_time + time
                                                 : max(cost.latency_time, time));
      },
      cost.bandwidth_time);
  cost.bound = when_present(
      [&](auto time) {
        return choose_if_below(time, cost.latency_time, CollectiveBound::kLatency);
      },
      cost.bandwidth_time);
}

}  // namespace

template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Mesh<R>& mesh,
                                  const CollectiveRequest<R>& request) {
  CollectiveCost<R> cost = no_cost<R>();
  const auto chips = mesh.chips();
  if (chips.value() <= 1) return cost;
  const bool send = request.kind == CollectiveKind::kPointToPoint;
  const auto bytes =
      mesh.other_shards.value() > 1 ? request.bytes / mesh.other_shards : request.bytes;
  if (chip.network == Network::kTorus && send) {
    send_on_torus(cost, chip, mesh, request);
  } else if (chip.network == Network::kTorus) {
    const TorusAxes<R> axes(chip, mesh);
    cost_on_torus(cost, chip, {chips, mesh.other_shards, axes.items(), {}}, request, bytes);
  } else if (send) {
    send_on_switches(cost, switch_levels(chip, chips), request);
  } else {
    const bool all_to_all = request.kind == CollectiveKind::kAllToAll;
    const auto levels = switch_levels(chip, all_to_all ? chips : chips * mesh.other_shards);
    cost_on_switches(cost, {chips, mesh.other_shards, {}, levels}, request, bytes);
  }
  finish(cost, chip, chips, request, bytes);
  return cost;
}

template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Reach<R>& reach,
                                  const CollectiveRequest<R>& request) {
  CollectiveCost<R> cost = no_cost<R>();
  if (reach.chips.value() <= 1) return cost;
  const bool send = request.kind == CollectiveKind::kPointToPoint;
  if (chip.network == Network::kTorus) {
    const auto axes = std::span(reach.axes).first(reach.axis_count);
    if (send) {
      cost.steps = axes[0].stride;
      cost.bandwidth_time = times_stride(axes[0], request.bytes / of_one_chip(chip.link_bandwidth));
    } else {
      cost_on_torus(cost, chip, {reach.chips, one<R>(), axes, {}}, request, request.bytes);
    }
  } else {
    const auto levels = strided_levels(chip, reach.chips, reach.stride);
    if (send) {
      send_on_switches(cost, levels, request);
    } else {
      cost_on_switches(cost, {reach.chips, one<R>(), {}, levels}, request, request.bytes);
    }
  }
  finish(cost, chip, reach.chips, request, request.bytes);
  return cost;
}

template CollectiveCost<SCALING_REP> collective_cost(const Chip<SCALING_REP>&,
                                                     const Reach<SCALING_REP>&,
                                                     const CollectiveRequest<SCALING_REP>&);
template CollectiveCost<SCALING_REP> collective_cost(const Chip<SCALING_REP>&,
                                                     const Mesh<SCALING_REP>&,
                                                     const CollectiveRequest<SCALING_REP>&);

}  // namespace scaling
