// SPDX-License-Identifier: MIT
#include "scaling/hardware/placement.hpp"

#include <algorithm>
#include <cmath>

#include "scaling/hardware/transfer.hpp"
#include "scaling/quantity/divisors.hpp"

namespace scaling {
namespace {

double product(const Lengths& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

Lengths times(const Lengths& a, const Lengths& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}

Lengths over(const Lengths& a, const Lengths& b) { return {a[0] / b[0], a[1] / b[1], a[2] / b[2]}; }

/// Counts the splits of ways along axes that are looked at, up to a most: beyond it, on tori much
/// larger than any that is built, some stay untried. The first placement takes less than it: of
/// each of its six splits, at most 240 divisors (of a number up to 1e6) on two axes. No one can
/// break in, so the most takes about 10 ms.
class Tries {
 public:
  bool spend(double tries = 1) {
    spent_ += tries;
    return !over();
  }
  bool over() const { return spent_ > kMost; }
  double spent() const { return spent_; }

 private:
  static constexpr double kMost = 1 << 19;
  double spent_ = 0;
};

/// The cost of pricing a transfer, in tries.
constexpr double kPricing = 16;

/// Numbers that a search for divisors, which goes up to a root, checks in the time of a try.
constexpr double kNumbersInTry = 8;

/// A number of chips, and their possible places along an axis.
struct Splits {
  double ways;
  Divisors divisors;

  Splits(double count, const Lengths& room, Tries& tries)
      : ways(count), divisors(count, std::fmax(room[0], std::fmax(room[1], room[2]))) {
    tries.spend(std::sqrt(count) / kNumbersInTry);
  }
};

/// Calls `use` with all ways to lay them along the axes of `room`, as long as tries last.
template <class Use>
void for_each_split(const Splits& splits, const Lengths& room, Tries& tries, Use use) {
  for (const double x : splits.divisors.items()) {
    if (x > room[0]) break;
    if (!divides(x, room[0])) continue;
    const double rest = splits.ways / x;
    for (const double y : splits.divisors.items()) {
      if (y > rest || y > room[1]) break;
      if (!tries.spend()) return;
      if (!divides(y, rest) || !divides(y, room[1])) continue;
      const double z = rest / y;
      if (divides(z, room[2])) use(Lengths{x, y, z});
    }
  }
}

/// The torus of one slice: its lengths, and which of its axes close.
struct Torus {
  const Chip<double>& chip;
  Lengths shape;
  std::array<bool, 3> closed;
  WayTimes* times;
};

[[gnu::noinline]] Way way_on(const Torus& torus, const Lengths& lengths, const Lengths& strides) {
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

[[gnu::noinline]] double seconds_per_byte(const Torus& torus, const Lengths& lengths,
                                          const Lengths& strides, CollectiveKind kind) {
  const auto price = [&] {
    return make_transfer(torus.chip, way_on(torus, lengths, strides), kind).per_byte.value();
  };
  return torus.times ? torus.times->find({lengths, strides, kind}, price) : price();
}

/// The lengths of a way on a torus, and what its collective takes for a byte there.
struct PricedWay {
  Lengths lengths{1, 1, 1};
  double seconds = 0;
};

/// Finds the places of `ways` chips on which a collective is fastest. Remembers some, as placements
/// that differ in other ways ask for the same.
class FastestWays {
 public:
  FastestWays(const Torus& torus, double ways, CollectiveKind kind)
      : torus_(torus), ways_(ways), kind_(kind) {}

  /// The place in `room`, at `strides`. Spends as many tries whether it is remembered or not.
  const PricedWay& find(const Lengths& room, const Lengths& strides, Tries& tries) {
    const double before = tries.spent();
    const Found& found = found_.find({room, strides}, [&] {
      PricedWay best;
      for_each_split(Splits(ways_, room, tries), room, tries, [&](const Lengths& lengths) {
        tries.spend(kPricing);
        const double seconds = seconds_per_byte(torus_, lengths, strides, kind_);
        if (product(best.lengths) > 1 && seconds >= best.seconds) return;
        best = {lengths, seconds};
      });
      return Found{best, tries.spent() - before};
    });
    tries.spend(found.tries - (tries.spent() - before));
    return found.best;
  }

 private:
  struct Found {
    PricedWay best;
    double tries;
  };

  const Torus& torus_;
  double ways_;
  CollectiveKind kind_;
  Memo<std::array<Lengths, 2>, Found, 1, 32> found_;
};

/// Data ranks (with their context ranks) that share states.
double shard_ways(const Degrees<double>& layout, double data_ways) {
  const double group = layout.shard_group.value();
  return group > 0 ? std::fmin(group, data_ways) : data_ways;
}

Placement place_on_switches(const Chip<double>& chip, const Degrees<double>& layout,
                            double slice_chips, double slices, bool experts) {
  const double t = layout.tensor.value();
  const double c = layout.context.value();
  const double inner = slice_chips / layout.pipeline.value();
  const double data = inner / t;
  const double shards = shard_ways(layout, data);
  const double e = experts ? layout.expert.value() : 1;
  const double et = experts ? layout.expert_tensor.value() : 1;
  const auto count = [](double x) { return Count<double>(x); };
  const Count<double> nested[] = {count(t),      count(t * c), count(t * shards), count(et),
                                  count(et * e), count(inner), count(slice_chips)};
  const SwitchUse<double> use(chip, nested);
  const auto way = [&](double chips, double stride) {
    Way result;
    result.chips = chips;
    result.stride = stride;
    result.places = places_of(chip, count(chips), count(stride), use);
    return result;
  };
  Placement placement;
  placement.slices = slices;
  placement.tensor = way(t, 1);
  placement.context = way(c, t);
  placement.shards = way(shards, t);
  placement.replicas = way(data / shards, t * shards);
  placement.pipeline = way(layout.pipeline.value(), inner);
  if (experts) {
    placement.expert_tensor = way(et, 1);
    placement.expert = way(e, et);
    placement.expert_shards = way(inner / (e * et), e * et);
  }
  if (chip.network != Network::kTorus && slice_chips * slices > 1) {
    placement.domains = {slices * use.domain.groups.value(), use.domain.most.value(),
                         slices * use.idle.value()};
  }
  return placement;
}

}  // namespace

SliceBlock slice_block(const Chip<double>& chip, const Placement& placement) {
  SliceBlock block{};
  block.tensor = placement.tensor.lengths;
  block.context = placement.context.lengths;
  block.pipeline = placement.pipeline.lengths;
  // States are shared across context ranks, too.
  const Lengths ranks = times(placement.shards.lengths, placement.replicas.lengths);
  block.data = over(ranks, block.context);
  block.slice = times(times(block.tensor, ranks), block.pipeline);
  block.rings = closed_axes(pod_of(chip), block.slice, SingleChip::kShort);
  return block;
}

/// Adds what `make` makes, unless another is no worse.
template <class Make>
void Placements::add(const Score& score, Make make) {
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
  if (size_ == items_.size()) {
    complete_ = false;
    return;
  }
  items_[size_] = make();
  scores_[size_++] = score;
}

void Placements::place_on_torus(const Chip<double>& chip, const Degrees<double>& layout,
                                const Lengths& shape, double slices, bool experts,
                                WayTimes* times_of_ways) {
  if (shape[0] == 0) return;
  const Torus torus{chip, shape, closed_axes(pod_of(chip), shape, SingleChip::kShort),
                    times_of_ways};
  const Lengths one{1, 1, 1};
  const double et = layout.expert_tensor.value();
  Tries tries;
  const Splits tensors(layout.tensor.value(), shape, tries);
  const Splits contexts(layout.context.value(), shape, tries);
  const Splits pipelines(layout.pipeline.value(), shape, tries);
  using enum CollectiveKind;
  const double ranks = product(shape) / (layout.tensor * layout.pipeline).value();
  const double shards = shard_ways(layout, ranks);
  FastestWays groups(torus, shards, kAllGather);
  FastestWays expert_tensors(torus, et, kAllGather);
  FastestWays experts_at(torus, layout.expert.value(), kAllToAll);
  for_each_split(tensors, shape, tries, [&](const Lengths& t) {
    const Lengths room = over(shape, t);
    const double of_tensor = seconds_per_byte(torus, t, one, kAllGather);
    for_each_split(contexts, room, tries, [&](const Lengths& c) {
      const double of_context = seconds_per_byte(torus, c, t, kAllGather);
      for_each_split(pipelines, over(room, c), tries, [&](const Lengths& p) {
        const Lengths data = over(room, p);  // with the context ranks
        const Lengths block = times(t, data);
        const PricedWay shard = shards == ranks
                                    ? PricedWay{data, seconds_per_byte(torus, data, t, kAllGather)}
                                    : groups.find(data, t, tries);
        PricedWay expert;
        Lengths inside = one;
        if (experts) {
          const bool as_the_rest = et == layout.tensor.value();
          inside = as_the_rest ? t : expert_tensors.find(t, one, tries).lengths;
          expert = experts_at.find(over(block, inside), inside, tries);
        }
        tries.spend(4 * kPricing);
        if (tries.over()) return;  // its ways may not be the fastest, nor found at all
        add({{of_tensor, of_context, shard.seconds, expert.seconds}}, [&] {
          Placement placement;
          placement.slices = slices;
          placement.tensor = way_on(torus, t, one);
          placement.context = way_on(torus, c, t);
          placement.shards = way_on(torus, shard.lengths, t);
          if (shards != ranks) {
            placement.replicas = way_on(torus, over(data, shard.lengths), times(t, shard.lengths));
          }
          placement.pipeline = way_on(torus, p, block);
          if (experts) {
            placement.expert_tensor = way_on(torus, inside, one);
            placement.expert = way_on(torus, expert.lengths, inside);
            const Lengths used = times(inside, expert.lengths);
            placement.expert_shards = way_on(torus, over(block, used), used);
          }
          return placement;
        });
      });
    });
  });
  tries_ = tries.spent();
  if (tries.over()) complete_ = false;
}

void Placements::place(const Chip<double>& chip, const Degrees<double>& layout, const Slice& slice,
                       double slices, bool experts, WayTimes* times) {
  size_ = 0;
  complete_ = true;
  tries_ = 0;
  if (chip.network == Network::kTorus) {
    place_on_torus(chip, layout, slice.shape, slices, experts, times);
  } else {
    items_[size_++] = place_on_switches(chip, layout, slice.chips, slices, experts);
  }
}

}  // namespace scaling
