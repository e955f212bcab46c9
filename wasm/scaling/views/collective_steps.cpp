// SPDX-License-Identifier: MIT
#include "scaling/views/collective_steps.hpp"

#include <algorithm>

#include "scaling/hardware/network.hpp"

namespace scaling {
namespace {

using Id = std::size_t;
constexpr Id kMostChips = CollectiveSteps::kMostChips;
constexpr Id kMostSteps = CollectiveSteps::kMostSteps;
constexpr Id kNobody = kMostChips;

/// A round: who can send to whom at once.
struct Round {
  std::array<std::array<bool, kMostChips>, kMostChips> sends{};  ///< [from][to]
};

/// The rounds of a gather: along each axis of a torus as often as its ends are hops apart; at each
/// level of switches so often that what a chip holds, doubled each time, is all of the level's.
class Rounds {
 public:
  /// `by_level`: of switches that add, or that pass a message on, one round a level, among all that
  /// it joins.
  Rounds(const Chip<double>& chip, const Mesh<double>& mesh, bool by_level)
      : chips_(static_cast<Id>(mesh.chips().value())) {
    if (chip.network == Network::kTorus) {
      Id stride = 1;
      const TorusAxes<double> axes(chip, mesh);
      for (const Axis<double>& axis : axes.all()) add_axis(axis, stride);
      return;
    }
    const auto places = places_of(chip, mesh.chips(), mesh.other_shards, switch_use(chip, mesh));
    const auto domains = static_cast<Id>(places.domain.groups.value());
    const auto leaves = static_cast<Id>(places.leaf.groups.value());
    const auto domain_of = [&](Id place) { return place * domains / chips_; };
    const auto leaf_of = [&](Id place) { return domain_of(place) * leaves / domains; };
    add_level([](Id place) { return place; }, domain_of, by_level);
    add_level(domain_of, leaf_of, by_level);
    add_level(
        leaf_of, [](Id) { return Id{0}; }, by_level);
  }

  std::span<const Round> items() const { return std::span(items_).first(size_); }

 private:
  void add_axis(const Axis<double>& axis, Id& stride) {
    const auto length = static_cast<Id>(axis.chips.value());
    const bool ring = axis.shape != AxisShape::kLine;
    const bool one_way = axis.shape == AxisShape::kOneWayRing;
    Round round;
    for (Id from = 0; from < chips_; ++from) {
      const Id place = from / stride % length;
      const Id line = from - place * stride;
      const auto link = [&](Id to) { round.sends[from][line + to * stride] = true; };
      if (place + 1 < length) link(place + 1);
      if (ring && place + 1 == length) link(0);
      if (!one_way && place > 0) link(place - 1);
      if (ring && !one_way && place == 0) link(length - 1);
    }
    const Id hops = ring && !one_way ? length / 2 : length - 1;
    for (Id i = 0; i < hops; ++i) items_[size_++] = round;
    stride *= length;
  }

  /// Joins the units of each group: all at once, or each with the one that is 1, 2, 4 ... further.
  template <class Unit, class Group>
  void add_level(Unit unit_of, Group group_of, bool at_once) {
    // The unit of its group that each chip is in, and its place in the unit.
    std::array<Id, kMostChips> unit{}, rank{}, units{}, members{};
    Id most = 1;
    for (Id chip = 0; chip < chips_; ++chip) {
      for (Id other = 0; other < chips_; ++other) {
        if (group_of(other) != group_of(chip)) continue;
        const bool first = other == 0 || unit_of(other - 1) != unit_of(other);
        units[chip] += first ? 1 : 0;
        if (first && unit_of(other) < unit_of(chip)) ++unit[chip];
        if (unit_of(other) != unit_of(chip)) continue;
        ++members[chip];
        if (other < chip) ++rank[chip];
      }
      most = std::max(most, units[chip]);
    }
    const auto add = [&](auto joined) {
      Round round;
      for (Id from = 0; from < chips_; ++from) {
        for (Id to = 0; to < chips_; ++to) {
          round.sends[from][to] = from != to && group_of(from) == group_of(to) && joined(from, to);
        }
      }
      items_[size_++] = round;
    };
    if (at_once) {
      if (most > 1) add([](Id, Id) { return true; });
      return;
    }
    for (Id distance = 1; distance < most; distance *= 2) {
      add([&](Id from, Id to) {
        const Id wanted = (unit[to] + distance) % units[to];
        return unit[from] == wanted && wanted != unit[to] && rank[from] == rank[to] % members[from];
      });
    }
  }

  Id chips_;
  std::array<Round, kMostChips - 1 + 3> items_{};
  std::size_t size_ = 0;
};

/// A gather of one part each: when each chip gets each part, and from whom.
struct Gather {
  std::array<std::array<Id, kMostChips>, kMostChips> step{};  ///< [chip][part], 0: its own
  std::array<std::array<Id, kMostChips>, kMostChips> from{};
};

Gather make_gather(const Rounds& rounds, Id chips) {
  constexpr Id kNever = kMostSteps + 1;
  Gather result;
  for (Id chip = 0; chip < chips; ++chip) {
    for (Id part = 0; part < chips; ++part) {
      result.step[chip][part] = chip == part ? 0 : kNever;
      result.from[chip][part] = kNobody;
    }
  }
  Id now = 0;
  for (const Round& round : rounds.items()) {
    ++now;
    for (Id to = 0; to < chips; ++to) {
      for (Id part = 0; part < chips; ++part) {
        if (result.step[to][part] < now) continue;
        for (Id from = 0; from < chips; ++from) {
          if (!round.sends[from][to] || result.step[from][part] >= now) continue;
          result.step[to][part] = now;
          result.from[to][part] = from;
          break;
        }
      }
    }
  }
  return result;
}

/// The parts that a gather brings, worth `worth` pieces each, from moment `first` on.
void tell_gather(CollectiveSteps& told, const Gather& gather, Id first, Id steps,
                 std::uint8_t worth) {
  const Id n = told.chips;
  for (Id step = 0; step <= steps; ++step) {
    const auto holds = told.moment(first + step);
    for (Id chip = 0; chip < n; ++chip) {
      for (Id part = 0; part < n; ++part) {
        holds[chip * n + part] = gather.step[chip][part] <= step ? worth : 0;
      }
    }
  }
}

/// The gather backwards: what a chip got from another, it now adds to that one's sum.
void tell_reduction(CollectiveSteps& told, const Gather& gather, Id steps) {
  const Id n = told.chips;
  const auto start = told.moment(0);
  std::fill(start.begin(), start.end(), std::uint8_t{1});
  for (Id step = 1; step <= steps; ++step) {
    const auto before = told.moment(step - 1);
    const auto holds = told.moment(step);
    std::copy(before.begin(), before.end(), holds.begin());
    const Id gathered_at = steps - step + 1;
    for (Id chip = 0; chip < n; ++chip) {
      for (Id part = 0; part < n; ++part) {
        if (gather.step[chip][part] != gathered_at) continue;
        const Id to = gather.from[chip][part];
        holds[to * n + part] =
            static_cast<std::uint8_t>(holds[to * n + part] + before[chip * n + part]);
        holds[chip * n + part] = 0;
      }
    }
  }
}

/// Switches add what comes up to them and send the sums back down: with each level a chip has those
/// of one more group around it.
void tell_sums_of_switches(CollectiveSteps& told, const Rounds& rounds) {
  const auto start = told.moment(0);
  std::fill(start.begin(), start.end(), std::uint8_t{1});
  for (const Round& round : rounds.items()) {
    const auto holds = told.moment(++told.steps);
    for (Id chip = 0; chip < told.chips; ++chip) {
      const auto others = std::count(round.sends[chip].begin(), round.sends[chip].end(), true);
      const auto parts = holds.subspan(chip * told.chips, told.chips);
      std::fill(parts.begin(), parts.end(), static_cast<std::uint8_t>(others + 1));
    }
  }
}

/// Each chip's pieces, one for each other, travel the ways that the parts of a gather come.
void tell_all_to_all(CollectiveSteps& told, const Gather& gather, Id steps) {
  const Id n = told.chips;
  for (Id source = 0; source < n; ++source) {
    for (Id goal = 0; goal < n; ++goal) {
      for (Id step = 0; step <= steps; ++step) {
        // The chip on the way to the goal that had the source's part by then.
        Id place = goal;
        while (gather.step[place][source] > step) place = gather.from[place][source];
        ++told.moment(step)[place * n + goal];
      }
    }
  }
}

}  // namespace

CollectiveSteps make_collective_steps(const Chip<double>& chip, const Mesh<double>& mesh,
                                      const CollectiveRequest<double>& request) {
  CollectiveSteps told;
  const double chips = mesh.chips().value();
  if (chips < 2 || chips > static_cast<double>(kMostChips)) return told;
  told.chips = static_cast<Id>(chips);
  const bool torus = chip.network == Network::kTorus;
  // Chips add up what some switches don't.
  const bool one_domain = chips <= chip.domain_chips().value();
  const bool adds = request.kind == CollectiveKind::kAllReduce && request.in_network_reduction &&
                    (one_domain || chip.adds_up(false)) &&
                    (chip.domain_chips().value() <= 1 || chip.adds_up(true));
  const Rounds rounds(chip, mesh, adds || request.kind == CollectiveKind::kPointToPoint);
  const Gather gather = make_gather(rounds, told.chips);
  const Id steps = rounds.items().size();
  const auto all = static_cast<std::uint8_t>(told.chips);
  told.steps = steps;
  switch (request.kind) {
    case CollectiveKind::kAllGather:
      tell_gather(told, gather, 0, steps, 1);
      break;
    case CollectiveKind::kReduceScatter:
      tell_reduction(told, gather, steps);
      break;
    case CollectiveKind::kAllReduce:
      if (adds && !torus) {
        told.steps = 0;
        tell_sums_of_switches(told, rounds);
        break;
      }
      tell_reduction(told, gather, steps);
      tell_gather(told, gather, steps, steps, all);
      told.steps = 2 * steps;
      break;
    case CollectiveKind::kAllToAll:
      tell_all_to_all(told, gather, steps);
      break;
    case CollectiveKind::kPointToPoint: {
      // The path leads from the first chip to the one at the distance, or on switches to the last
      // chip.
      const double goal = request.distance_x.value() +
                          mesh.x.value() * (request.distance_y.value() +
                                            mesh.y.value() * request.distance_z.value());
      Id place = torus ? static_cast<Id>(goal) : told.chips - 1;
      std::array<Id, kMostChips> way{};
      told.steps = 0;
      while (place != 0) {
        way[told.steps++] = place;
        place = gather.from[place][0];
      }
      for (Id step = 0; step <= told.steps; ++step) {
        const Id holder = step == 0 ? 0 : way[told.steps - step];
        told.moment(step)[holder * told.chips] = 1;
      }
      break;
    }
  }
  return told;
}

}  // namespace scaling
