// SPDX-License-Identifier: MIT
#include "scaling/hardware/collective.hpp"

#include "scaling/hardware/network.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;
template <class R>
using Seconds = Quantity<kSecond, R>;
template <class R>
using Rate = Quantity<term::kCollectiveRate, R>;

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

/// Seconds of a gather: the bytes that the worst-placed chip receives, over its links. An axis has
/// its part of links that `stride` ways share.
template <class R>
Seconds<R> gather_time(std::span<const Axis<R>> axes, Count<R> chips, Bytes<R> bytes,
                       Quantity<kByte / kSecond, R> link) {
  Rate<R> rate{};
  bool even_rings = true;
  for (const Axis<R>& axis : axes) {
    const bool ring = axis.shape == AxisShape::kRing;
    const double half = std::floor(axis.chips.value() / 2);
    even_rings = even_rings && ring && 2 * half == axis.chips.value();
    const auto links = ring ? 2.0 * link : link;
    rate = rate + (axis.stride.value() > 1 ? links / axis.stride : links);
  }
  const auto received = even_rings ? bytes : bytes * ((chips - one<R>()) / chips);
  return received / named<term::kTorusRate>(rate);
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

/// Seconds of an AllToAll among `chips` on the busiest link of one axis, if all chips are sent to.
template <class R>
Seconds<R> all_to_all_axis_time(const Axis<R>& axis, Count<R> chips, Bytes<R> bytes,
                                Quantity<kByte / kSecond, R> link) {
  const auto share = times_stride(axis, all_to_all_share(axis));
  return bytes * (axis.chips / chips) * share / link;
}

/// The part of the array that an AllToAll with few destinations sends, of `groups` places.
template <class R>
Count<R> sent_share(const CollectiveRequest<R>& request, Count<R> groups) {
  if (request.destinations.value() <= 0) return one<R>();
  return min(request.destinations / groups, one<R>());
}

template <class R>
void cost_on_torus(CollectiveCost<R>& cost, const Chip<R>& chip, Count<R> chips,
                   std::span<const Axis<R>> axes, const CollectiveRequest<R>& request,
                   Bytes<R> bytes) {
  const auto link = of_one_chip(chip.link_bandwidth);
  Count<R> steps{};
  for (const Axis<R>& axis : axes) steps = steps + times_stride(axis, hops(axis));

  if (request.kind == CollectiveKind::kAllToAll) {
    Seconds<R> longest{};
    for (const Axis<R>& axis : axes) {
      const auto time = all_to_all_axis_time(axis, chips, bytes, link);
      longest = longest.value() > 0 ? max(longest, time) : time;
    }
    if (request.destinations.value() > 0) longest = longest * sent_share(request, chips);
    cost.bandwidth_time = longest;
    cost.steps = steps;
  } else {
    const auto gather = gather_time(axes, chips, bytes, link);
    const bool twice = request.kind == CollectiveKind::kAllReduce;
    cost.bandwidth_time = twice ? 2.0 * gather : gather;
    cost.steps = twice ? 2.0 * steps : steps;
  }
  cost.latency_time = cost.steps * chip.hop_latency;
}

/// Hops on the way along an axis, the shorter way around a ring that sends both ways.
template <class R>
Count<R> distance_hops(const Axis<R>& axis, Count<R> distance) {
  if (axis.shape != AxisShape::kRing) return distance;
  return min(distance, axis.chips - distance);
}

template <class R>
void send_on_torus(CollectiveCost<R>& cost, const Chip<R>& chip, const Mesh<R>& mesh,
                   const CollectiveRequest<R>& request) {
  const TorusAxes<R> axes(chip, mesh);
  const auto& [x, y, z] = axes.all();
  // Each axis that leads towards the goal gives a link of its own to start from.
  const double ports = (request.distance_x.value() > 0) + (request.distance_y.value() > 0) +
                       (request.distance_z.value() > 0);
  cost.steps = distance_hops(x, request.distance_x) + distance_hops(y, request.distance_y) +
               distance_hops(z, request.distance_z);
  cost.latency_time = cost.steps * chip.hop_latency;
  cost.bandwidth_time =
      ports > 0 ? request.bytes / (ports * of_one_chip(chip.link_bandwidth)) : Seconds<R>{};
}

/// Seconds that the links out of a level's groups need for an AllToAll among `n` chips: each chip
/// sends V / n^2 to each other. Inside a domain, links carry what stays there; above, all that
/// leaves the group.
template <class R>
Seconds<R> all_to_all_level_time(const Level<R>& level, bool in_domain, Count<R> n, Bytes<R> bytes,
                                 const CollectiveRequest<R>& request,
                                 Quantity<kByte / kSecond / kChip, R> bandwidth) {
  const auto others = in_domain ? level.degree - one<R>() : n - level.below;
  const auto share = sent_share(request, in_domain ? n : n / level.below);
  return bytes * others / (n * n) * share / of_one_chip(bandwidth);
}

/// Whether the switches of a level add up.
template <class R>
bool adds_up(const Chip<R>& chip, const CollectiveRequest<R>& request, bool in_domain) {
  return request.kind == CollectiveKind::kAllReduce && request.in_network_reduction &&
         chip.adds_up(in_domain);
}

/// Seconds at one level of switches, of a level that has something to do.
template <class R>
Seconds<R> level_time(const Level<R>& level, Count<R> other_shards,
                      const CollectiveRequest<R>& request, bool adds,
                      Quantity<kByte / kSecond / kChip, R> bandwidth) {
  const auto& d = level.degree;
  const auto others = (d - one<R>()) / d;
  const auto shared = max(other_shards, level.below) * of_one_chip(bandwidth);
  if (request.kind == CollectiveKind::kAllReduce) {
    return adds ? request.bytes / shared : 2.0 * (request.bytes * others / shared);
  }
  return request.bytes * others / shared;
}

/// Steps at a level, one after another: of a tree, up and down again for a sum, or once up through
/// switches that add.
template <class R>
double level_steps(const Level<R>& level, CollectiveKind kind, bool adds) {
  if (kind == CollectiveKind::kPointToPoint) return 1;
  if (kind != CollectiveKind::kAllReduce) return tree_steps(level.groups);
  return adds ? 1 : 2 * tree_steps(level.groups);
}

/// Adds up the steps of all levels and what they wait for.
template <class R>
void wait_on_switches(CollectiveCost<R>& cost, const Chip<R>& chip,
                      const std::array<Level<R>, 3>& levels, const CollectiveRequest<R>& request) {
  double steps = 0;
  for (const Level<R>& level : levels) {
    if (level.degree.value() <= 1) continue;
    const bool adds = adds_up(chip, request, &level == levels.data());
    const double own = level_steps(level, request.kind, adds);
    cost.latency_time = steps > 0 ? cost.latency_time + own * level.latency : own * level.latency;
    steps += own;
  }
  cost.steps = Count<R>(R(steps));
}

/// The longest of levels at once, of which the slowest holds all up; absent, where one has no time
/// that is needed.
template <class R>
Maybe<Seconds<R>> longest_level(const std::array<Maybe<Seconds<R>>, 3>& levels) {
  Maybe<Seconds<R>> longest = Absence::kNotApplicable;
  for (const auto& level : levels) {
    if (level.absence == Absence::kNotApplicable) continue;
    if (!level.present()) return level;
    longest = longest.present() ? Maybe<Seconds<R>>(max(longest.value, level.value)) : level;
  }
  return longest;
}

/// The time of a collective of chips beside `other_shards`, over `levels`.
template <class R>
void move_on_switches(CollectiveCost<R>& cost, const Chip<R>& chip,
                      const std::array<Level<R>, 3>& levels, Count<R> chips, Count<R> other_shards,
                      const CollectiveRequest<R>& request, Bytes<R> bytes) {
  const bool all_to_all = request.kind == CollectiveKind::kAllToAll;
  const auto time = [&](std::size_t i) -> Maybe<Seconds<R>> {
    const Level<R>& level = levels[i];
    if (level.degree.value() <= 1) return Absence::kNotApplicable;
    return when_present(
        [&](auto bandwidth) {
          return all_to_all ? all_to_all_level_time(level, i == 0, chips, bytes, request, bandwidth)
                            : level_time(level, other_shards, request,
                                         adds_up(chip, request, i == 0), bandwidth);
        },
        level.bandwidth);
  };
  const auto name_domain = [](auto t) { return named<term::kDomainTime>(t); };
  const auto name_leaf = [](auto t) { return named<term::kLeafTime>(t); };
  const auto name_spine = [](auto t) { return named<term::kSpineTime>(t); };
  cost.domain_time = when_present(name_domain, time(0));
  cost.leaf_time = when_present(name_leaf, time(1));
  cost.spine_time = when_present(name_spine, time(2));
  cost.bandwidth_time = longest_level<R>({cost.domain_time, cost.leaf_time, cost.spine_time});
}

/// The times of a message on the link of each level that it crosses.
template <class R>
std::array<Maybe<Seconds<R>>, 3> send_times(const std::array<Level<R>, 3>& levels,
                                            const CollectiveRequest<R>& request) {
  std::array<Maybe<Seconds<R>>, 3> times;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    times[i] = Absence::kNotApplicable;
    if (levels[i].degree.value() <= 1) continue;
    times[i] = when_present([&](auto bandwidth) { return request.bytes / of_one_chip(bandwidth); },
                            levels[i].bandwidth);
  }
  return times;
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
      return adds_up(chip, request, chip.domain_chips().value() > 1) ? bytes
                                                                     : 2.0 * (bytes * others);
    case CollectiveKind::kAllToAll:
      return bytes * others / n * sent_share(request, n);
    case CollectiveKind::kPointToPoint:
      break;
  }
  return request.bytes;
}

/// The part of the array that the chips of the mesh share: others may have shards of it, too.
template <class R>
Bytes<R> own_bytes(const Mesh<R>& mesh, const CollectiveRequest<R>& request) {
  return mesh.other_shards.value() > 1 ? request.bytes / mesh.other_shards : request.bytes;
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
  cost.expected = Absence::kNotApplicable;
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
  cost.latency_time = named<term::kCollectiveLatencyTime>(cost.latency_time);
  cost.bandwidth_time = when_present(
      [](auto time) { return named<term::kCollectiveBandwidthTime>(time); }, cost.bandwidth_time);
  cost.expected = when_present(
      [&](auto time) { return named<term::kCollectiveExpected>(cost.latency_time + time); },
      cost.bandwidth_time);
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
SwitchUse<R> switch_use(const Chip<R>& chip, const Mesh<R>& mesh) {
  const auto all = mesh.other_shards.value() > 1 ? mesh.other_shards * mesh.chips() : mesh.chips();
  const Count<R> nested[] = {mesh.other_shards, all};
  return SwitchUse<R>(chip, nested);
}

template <class R>
CollectiveCost<R> collective_cost(const Chip<R>& chip, const Mesh<R>& mesh,
                                  const CollectiveRequest<R>& request) {
  CollectiveCost<R> cost = no_cost<R>();
  const auto chips = mesh.chips();
  if (chips.value() <= 1) return cost;
  const bool send = request.kind == CollectiveKind::kPointToPoint;
  const auto bytes = own_bytes(mesh, request);
  if (chip.network == Network::kTorus && send) {
    send_on_torus(cost, chip, mesh, request);
  } else if (chip.network == Network::kTorus) {
    const TorusAxes<R> axes(chip, mesh);
    cost_on_torus(cost, chip, chips, axes.items(), request, bytes);
  } else {
    const auto use = switch_use(chip, mesh);
    const auto levels = switch_levels(chip, chips, places_of(chip, chips, mesh.other_shards, use));
    if (send) {
      cost.bandwidth_time = longest_level<R>(send_times(levels, request));
    } else if (mesh.other_shards.value() > 1 && request.kind != CollectiveKind::kAllToAll) {
      // The book's D of a level counts all of its chips, those of other shards, too.
      const auto all = chips * mesh.other_shards;
      const auto of_all = switch_levels(chip, all, places_of(chip, all, one<R>(), use));
      move_on_switches(cost, chip, of_all, chips, mesh.other_shards, request, bytes);
    } else {
      move_on_switches(cost, chip, levels, chips, one<R>(), request, bytes);
    }
    wait_on_switches(cost, chip, levels, request);
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
      cost.latency_time = cost.steps * chip.hop_latency;
      cost.bandwidth_time = times_stride(axes[0], request.bytes / of_one_chip(chip.link_bandwidth));
    } else {
      cost_on_torus<R>(cost, chip, reach.chips, axes, request, request.bytes);
    }
  } else {
    const auto levels = switch_levels(chip, reach.chips, reach.places);
    if (send) {
      cost.bandwidth_time = longest_level<R>(send_times(levels, request));
    } else {
      move_on_switches(cost, chip, levels, reach.chips, one<R>(), request, request.bytes);
    }
    wait_on_switches(cost, chip, levels, request);
  }
  finish(cost, chip, reach.chips, request, request.bytes);
  return cost;
}

namespace {

/// The load of a link that carries bytes for so long.
template <class R>
LinkLoad<R> load_of(Maybe<Seconds<R>> time, Maybe<Rate<R>> rate) {
  const auto bytes = when_present([](auto t, auto w) { return t * w; }, time, rate);
  return {time, bytes, rate};
}

template <class R>
LinkLoads<R> loads_on_torus(const Chip<R>& chip, const Mesh<R>& mesh,
                            const CollectiveRequest<R>& request, const CollectiveCost<R>& cost) {
  const TorusAxes<R> axes(chip, mesh);
  const auto link = of_one_chip(chip.link_bandwidth);
  const auto chips = mesh.chips();
  const std::array<Count<R>, 3> distances{request.distance_x, request.distance_y,
                                          request.distance_z};
  LinkLoads<R> loads;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Axis<R>& axis = axes.all()[i];
    if (axis.chips.value() <= 1) continue;
    const auto time = [&]() -> Maybe<Seconds<R>> {
      switch (request.kind) {
        case CollectiveKind::kPointToPoint:
          if (distances[i].value() <= 0) return Absence::kNotApplicable;
          return cost.bandwidth_time;
        case CollectiveKind::kAllToAll: {
          const auto all = all_to_all_axis_time(axis, chips, own_bytes(mesh, request), link);
          return request.destinations.value() > 0 ? all * sent_share(request, chips) : all;
        }
        default:
          return cost.bandwidth_time;
      }
    };
    loads[i] = load_of<R>(time(), Rate<R>(link));
    loads[i].shape = Count<R>(R(static_cast<double>(axis.shape)));
  }
  return loads;
}

template <class R>
LinkLoads<R> loads_on_switches(const Chip<R>& chip, const Mesh<R>& mesh,
                               const CollectiveRequest<R>& request, const CollectiveCost<R>& cost) {
  const auto chips = mesh.chips();
  const auto places = places_of(chip, chips, mesh.other_shards, switch_use(chip, mesh));
  const auto levels = switch_levels(chip, chips, places);
  const std::array<Maybe<Seconds<R>>, 3> shared{cost.domain_time, cost.leaf_time, cost.spine_time};
  const auto times =
      request.kind == CollectiveKind::kPointToPoint ? send_times(levels, request) : shared;
  LinkLoads<R> loads;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (times[i].absence == Absence::kNotApplicable) continue;
    const auto rate = when_present([](auto w) { return of_one_chip(w); }, levels[i].bandwidth);
    loads[i] = load_of<R>(times[i], rate);
  }
  return loads;
}

}  // namespace

template <class R>
LinkLoads<R> link_loads(const Chip<R>& chip, const Mesh<R>& mesh,
                        const CollectiveRequest<R>& request, const CollectiveCost<R>& cost) {
  return chip.network == Network::kTorus ? loads_on_torus(chip, mesh, request, cost)
                                         : loads_on_switches(chip, mesh, request, cost);
}

template LinkLoads<SCALING_REP> link_loads(const Chip<SCALING_REP>&, const Mesh<SCALING_REP>&,
                                           const CollectiveRequest<SCALING_REP>&,
                                           const CollectiveCost<SCALING_REP>&);
template SwitchUse<SCALING_REP> switch_use(const Chip<SCALING_REP>&, const Mesh<SCALING_REP>&);
template CollectiveCost<SCALING_REP> collective_cost(const Chip<SCALING_REP>&,
                                                     const Reach<SCALING_REP>&,
                                                     const CollectiveRequest<SCALING_REP>&);
template CollectiveCost<SCALING_REP> collective_cost(const Chip<SCALING_REP>&,
                                                     const Mesh<SCALING_REP>&,
                                                     const CollectiveRequest<SCALING_REP>&);

}  // namespace scaling
