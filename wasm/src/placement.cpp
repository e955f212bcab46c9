// SPDX-License-Identifier: MIT
#include "scaling/placement.hpp"

#include <cmath>

#include "scaling/divisors.hpp"

namespace scaling {
namespace {

using Lengths = std::array<double, 3>;

double product(const Lengths& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

Lengths times(const Lengths& a, const Lengths& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}

Lengths over(const Lengths& a, const Lengths& b) { return {a[0] / b[0], a[1] / b[1], a[2] / b[2]}; }

/// Calls `use` with all ways to lay `ways` chips along the axes of `room`, until it says no.
template <class Use>
bool for_each_split(double ways, const Lengths& room, Use use) {
  const Divisors divisors(ways);
  for (const double x : divisors.items()) {
    if (!divides(x, room[0])) continue;
    const double rest = ways / x;
    for (const double y : divisors.items()) {
      if (!divides(y, rest) || !divides(y, room[1])) continue;
      const double z = rest / y;
      if (divides(z, room[2]) && !use(Lengths{x, y, z})) return false;
    }
  }
  return true;
}

/// The torus of one slice: its lengths, and which of its axes close.
struct Torus {
  Lengths shape;
  std::array<bool, 3> closed;
};

std::array<bool, 3> closed_axes(const Chip<double>& chip, const Lengths& shape) {
  const Count<double> of_pod[] = {chip.torus_x, chip.torus_y, chip.torus_z};
  std::array<bool, 3> closed{};
  for (std::size_t i = 0; i < 3; ++i) {
    closed[i] = shape[i] > 1 && TorusAxes<double>::closes(chip, Count<double>(shape[i]), of_pod[i]);
  }
  return closed;
}

Way way_on(const Torus& torus, const Lengths& lengths, const Lengths& strides) {
  Way way;
  way.chips = product(lengths);
  way.lengths = lengths;
  way.strides = strides;
  for (std::size_t i = 0; i < 3; ++i) {
    // A part of an axis is a line, unless it is the outermost: then it goes all around.
    way.rings[i] = torus.closed[i] && lengths[i] * strides[i] == torus.shape[i];
  }
  return way;
}

double seconds_per_byte(const Chip<double>& chip, const Way& way, CollectiveKind kind) {
  return make_transfer(chip, way, kind).per_byte.value();
}

/// Of the ways to lay `ways` chips in `room`, the one that this collective is fastest on.
Way fastest_way(const Chip<double>& chip, const Torus& torus, double ways, const Lengths& room,
                const Lengths& strides, CollectiveKind kind) {
  Way best;
  double least = 0;
  for_each_split(ways, room, [&](const Lengths& lengths) {
    const Way way = way_on(torus, lengths, strides);
    const double seconds = seconds_per_byte(chip, way, kind);
    if (best.chips > 1 && seconds >= least) return true;
    best = way;
    least = seconds;
    return true;
  });
  return best;
}

Way strided(double chips, double stride) { return {.chips = chips, .stride = stride}; }

/// Data ranks (with their context ranks) that share states.
double shard_ways(const Layout<double>& layout, double data_ways) {
  const double group = layout.shard_group.value();
  return group > 0 ? std::fmin(group, data_ways) : data_ways;
}

Placement place_on_switches(const Layout<double>& layout, double slice_chips, double slices,
                            bool experts) {
  const double t = layout.tensor.value();
  const double c = layout.context.value();
  const double inner = slice_chips / layout.pipeline.value();
  const double data = inner / t;
  const double shards = shard_ways(layout, data);
  Placement placement;
  placement.slices = slices;
  placement.tensor = strided(t, 1);
  placement.context = strided(c, t);
  placement.shards = strided(shards, t);
  placement.replicas = strided(data / shards, t * shards);
  placement.pipeline = strided(layout.pipeline.value(), inner);
  if (experts) {
    const double e = layout.expert.value();
    const double et = layout.expert_tensor.value();
    placement.expert_tensor = strided(et, 1);
    placement.expert = strided(e, et);
    placement.expert_shards = strided(inner / (e * et), e * et);
  }
  return placement;
}

}  // namespace

std::array<double, 3> slice_shape(const Chip<double>& chip, double chips) {
  const Lengths pod{chip.torus_x.value(), chip.torus_y.value(), chip.torus_z.value()};
  Lengths best{};
  int most_rings = -1;
  double least_sum = 0;
  const Divisors divisors(chips);
  for (const double x : divisors.items()) {
    if (x > pod[0]) break;
    for (const double y : divisors.items()) {
      if (y > pod[1]) break;
      if (!divides(y, chips / x)) continue;
      const Lengths shape{x, y, chips / x / y};
      if (shape[2] > pod[2]) continue;
      int rings = 0;
      const auto closed = closed_axes(chip, shape);
      for (std::size_t i = 0; i < 3; ++i) rings += shape[i] <= 1 || closed[i] ? 1 : 0;
      const double sum = shape[0] + shape[1] + shape[2];
      if (rings < most_rings || (rings == most_rings && sum >= least_sum)) continue;
      best = shape;
      most_rings = rings;
      least_sum = sum;
    }
  }
  return best;
}

void Placements::add(const Placement& placement, const Score& score) {
  const auto no_worse = [](const Score& a, const Score& b) {
    for (std::size_t i = 0; i < a.seconds.size(); ++i) {
      if (a.seconds[i] > b.seconds[i]) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < size_; ++i) {
    if (no_worse(scores_[i], score)) return;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (no_worse(score, scores_[i])) continue;
    items_[kept] = items_[i];
    scores_[kept++] = scores_[i];
  }
  size_ = kept;
  if (size_ == items_.size()) return;
  items_[size_] = placement;
  scores_[size_++] = score;
}

void Placements::place_on_torus(const Chip<double>& chip, const Layout<double>& layout,
                                double slice_chips, double slices, bool experts) {
  const Lengths shape = slice_shape(chip, slice_chips);
  if (shape[0] == 0) return;
  const Torus torus{shape, closed_axes(chip, shape)};
  const Lengths one{1, 1, 1};
  const double et = layout.expert_tensor.value();
  // Beyond this, on tori much larger than any that is built, some stay untried.
  std::size_t tries = 4096;
  for_each_split(layout.tensor.value(), shape, [&](const Lengths& t) {
    const Lengths room = over(shape, t);
    return for_each_split(layout.context.value(), room, [&](const Lengths& c) {
      return for_each_split(layout.pipeline.value(), over(room, c), [&](const Lengths& p) {
        const Lengths data = over(room, p);  // with the context ranks
        const Lengths block = times(t, data);
        Placement placement;
        placement.slices = slices;
        placement.tensor = way_on(torus, t, one);
        placement.context = way_on(torus, c, t);
        const double shards = shard_ways(layout, product(data));
        if (shards == product(data)) {
          placement.shards = way_on(torus, data, t);
        } else {
          placement.shards = fastest_way(chip, torus, shards, data, t, CollectiveKind::kAllGather);
          const Lengths& s = placement.shards.lengths;
          placement.replicas = way_on(torus, over(data, s), times(t, s));
        }
        placement.pipeline = way_on(torus, p, block);
        if (experts) {
          const bool as_the_rest = et == layout.tensor.value();
          placement.expert_tensor =
              as_the_rest ? placement.tensor
                          : fastest_way(chip, torus, et, t, one, CollectiveKind::kAllGather);
          const Lengths inside = placement.expert_tensor.lengths;
          placement.expert = fastest_way(chip, torus, layout.expert.value(), over(block, inside),
                                         inside, CollectiveKind::kAllToAll);
          const Lengths used = times(inside, placement.expert.lengths);
          placement.expert_shards = way_on(torus, over(block, used), used);
        }
        using enum CollectiveKind;
        add(placement, {{seconds_per_byte(chip, placement.tensor, kAllGather),
                         seconds_per_byte(chip, placement.context, kAllGather),
                         seconds_per_byte(chip, placement.shards, kAllGather),
                         seconds_per_byte(chip, placement.expert, kAllToAll)}});
        return --tries > 0;
      });
    });
  });
}

Placements::Placements(const Chip<double>& chip, const Layout<double>& layout, double slice_chips,
                       double slices, bool experts) {
  if (chip.network == Network::kTorus) {
    place_on_torus(chip, layout, slice_chips, slices, experts);
  } else {
    items_[size_++] = place_on_switches(layout, slice_chips, slices, experts);
  }
}

}  // namespace scaling
