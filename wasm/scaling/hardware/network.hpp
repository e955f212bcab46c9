// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "scaling/input/chip.hpp"
#include "scaling/input/mesh.hpp"

namespace scaling {

/// Lengths along the axes of a torus.
using Lengths = std::array<double, 3>;

/// The torus that slices are parts of: the lengths of a whole pod, and which axes close.
struct Pod {
  Lengths lengths;
  Wraparound wraparound;
};

template <class R>
Pod pod_of(const Chip<R>& chip) {
  return {{chip.torus_x.value(), chip.torus_y.value(), chip.torus_z.value()}, chip.wraparound};
}

/// The meaning of an axis of one chip: a slice that is so short, or one that a mesh does not use.
enum class SingleChip : std::uint8_t { kShort, kUnused };

/// The axes of a part of the torus that close to rings. The rule for full axes closes each axis of
/// the pod's length. The rule for cubes closes all or none: wraparound runs between whole 4x4x4
/// cubes, so a slice of 2x2x4 has none. Two chips have one link between them, closed or not.
/// Source: book ch. 2.
std::array<bool, 3> closed_axes(const Pod& pod, const Lengths& lengths, SingleChip single);

/// Lengths of a slice of `chips`: those whose worst-placed chip has most links, and of these the
/// most even; zeros where no slice has so many. Source: book ch. 2.
Lengths slice_shape(const Pod& pod, double chips);

/// The fewest slices of one size that `chips` on tori of `domain` chips come in; 0 where no number
/// near the fewest thinkable does.
double fewest_slices(const Pod& pod, double domain, double chips);

/// The axes of a slice as the closed forms of chapter 5 have them: so many, all alike; rings only
/// if all are.
struct SliceAxes {
  int axes;
  bool rings;
};

/// The axes of the slice that slice_shape finds; for a number of chips that no slice has, as many
/// lines as its size allows.
SliceAxes slice_axes(const Pod& pod, double chips);

/// The links between the chips along one axis of a torus.
enum class AxisShape : std::uint8_t { kLine, kRing, kOneWayRing };
inline constexpr const char* kAxisShapeNames[] = {"line", "ring", "oneWayRing"};

/// One axis of a mesh on a torus. Its chips lie `stride` apart; at stride s, s such axes share each
/// link.
template <class R>
struct Axis {
  Count<R> chips;
  AxisShape shape = AxisShape::kLine;
  Count<R> stride = Count<R>(R(1));
};

/// The axes of `mesh` on the torus of `chip`. An axis of one chip is not used: the mesh is a part
/// of a slice that may be longer there.
template <class R>
class TorusAxes {
 public:
  TorusAxes(const Chip<R>& chip, const Mesh<R>& mesh) : all_{{{mesh.x}, {mesh.y}, {mesh.z}}} {
    const auto closed = closed_axes(pod_of(chip), {mesh.x.value(), mesh.y.value(), mesh.z.value()},
                                    SingleChip::kUnused);
    const AxisShape ring =
        mesh.direction == Direction::kOneWay ? AxisShape::kOneWayRing : AxisShape::kRing;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      all_[i].shape = closed[i] ? ring : AxisShape::kLine;
      if (all_[i].chips.value() > 1) used_[size_++] = all_[i];
    }
  }

  /// The axes of more than one chip.
  std::span<const Axis<R>> items() const { return std::span(used_).first(size_); }
  /// X, Y and Z, used or not.
  const std::array<Axis<R>, 3>& all() const { return all_; }

 private:
  std::array<Axis<R>, 3> all_, used_{};
  std::size_t size_ = 0;
};

/// The number of members in a group of a level of switches: in the fullest group, in the emptiest,
/// and the number of groups.
template <class R>
struct Fill {
  Count<R> most, least, groups;

  friend bool operator==(const Fill& a, const Fill& b) {
    return a.most.value() == b.most.value() && a.least.value() == b.least.value() &&
           a.groups.value() == b.groups.value();
  }
};

/// The fill of groups of `size` chips by a layout: of domains, or of the chips below one leaf
/// switch. `nested` are the products of its degrees from the inside out, the last the number of all
/// chips. A product that fits into a group lies in one: the largest such product is a block. The
/// smallest product that does not fit takes as few groups as hold its blocks, and spreads them
/// evenly; groups are not shared beyond it. So the degrees divide what is used of a group wherever
/// they can: of 72 chips, 64 for 256 ways or for blocks of 64. The rest of a group is idle.
template <class R>
Fill<R> fill_groups(std::span<const Count<R>> nested, Count<R> size) {
  const Count<R> one(R(1));
  const Count<R>& all = nested.back();
  if (all <= size) return {all, all, one};
  Count<R> block = one;
  Count<R> outer = all;
  for (const Count<R>& product : nested) {
    if (product <= size && product > block) block = product;
    if (product > size && product < outer) outer = product;
  }
  const auto blocks = block.value() > 1 ? ceil(outer / block) : outer;
  const auto places = block.value() > 1 ? floor(size / block) : size;
  const auto groups = ceil(blocks / places);
  const auto each = blocks / groups;
  const double whole = std::floor(each.value());
  const auto in_all = outer.value() < all.value() ? ceil(all / outer) * groups : groups;
  if (each.value() == whole) return {block * each, block * each, in_all};
  return {block * ceil(each), block * floor(each), in_all};
}

/// The same of `ways` chips of the layout that lie `stride` apart, where groups of `size` are
/// filled as in `use`.
template <class R>
Fill<R> fill_ways(Count<R> ways, Count<R> stride, Count<R> size, const Fill<R>& use) {
  const Count<R> one(R(1));
  if (ways.value() * stride.value() <= size.value()) return {ways, ways, one};
  if (stride >= use.most) return {one, one, ways};
  const auto of = [&](Count<R> chips) {
    if (stride.value() <= 1) return chips;
    const auto places = chips / stride;
    return places.value() == std::floor(places.value()) ? places : max(floor(places), one);
  };
  const auto most = min(ways, of(use.most));
  const auto least = use.least.value() < use.most.value() ? min(most, of(use.least)) : most;
  return {most, least, ceil(ways / most)};
}

/// The placement of a layout on a network of switches.
template <class R>
struct SwitchUse {
  Fill<R> domain, leaf;  ///< chips in a domain, and below a group of leaf switches
  Count<R> idle;         ///< chips of these domains that have no part in it

  SwitchUse(const Chip<R>& chip, std::span<const Count<R>> nested)
      : domain(fill_groups(nested, as<kOne>(chip.domain_chips()))),
        leaf(fill_groups(nested, domain.most * chip.leaf_domains)),
        idle(domain.groups * as<kOne>(chip.domain_chips()) - nested.back()) {}
};

/// The places of one of a layout's ways in domains and below leaf switches.
template <class R>
struct SwitchPlaces {
  Fill<R> domain, leaf;

  bool operator==(const SwitchPlaces&) const = default;
};

template <class R>
SwitchPlaces<R> places_of(const Chip<R>& chip, Count<R> ways, Count<R> stride,
                          const SwitchUse<R>& use) {
  return {fill_ways(ways, stride, as<kOne>(chip.domain_chips()), use.domain),
          fill_ways(ways, stride, use.domain.most * chip.leaf_domains, use.leaf)};
}

/// A level of a network of switches: `degree` groups of `below` chips each, every chip with
/// `bandwidth` out of its group, one way. Where groups are filled unevenly, `below` is what the
/// emptiest has and `degree` all over that: the part that it must receive from others, over its own
/// links.
template <class R>
struct Level {
  Count<R> degree, below;
  Maybe<Quantity<kByte / kSecond / kChip, R>> bandwidth;
  double groups;                 ///< how many there are
  Quantity<kSecond, R> latency;  ///< of one step
};

/// The levels that `ways` chips span which lie at `places`: the switched domain, the leaf switches
/// that join domains, and what joins those. A level of one group has nothing to do. Source: book
/// ch. 12.
template <class R>
std::array<Level<R>, 3> switch_levels(const Chip<R>& chip, Count<R> ways,
                                      const SwitchPlaces<R>& places) {
  using Bandwidth = Quantity<kByte / kSecond / kChip, R>;
  const Count<R> one(R(1));
  const auto& [domain, leaf] = places;
  const auto& out = chip.scale_out_bandwidth;
  const double domains = std::ceil(leaf.most.value() / domain.most.value());
  const auto above = [&](double groups, Count<R> all, Count<R> below) {
    return groups <= 1 ? one : all / below;
  };
  return {
      Level<R>{domain.most, one, chip.scale_up_bandwidth, domain.most.value(), chip.hop_latency},
      Level<R>{above(domains, leaf.most, domain.least), domain.least, out, domains,
               chip.scale_out_latency},
      Level<R>{
          above(leaf.groups.value(), ways, leaf.least), leaf.least,
          when_present(
              [&](auto bandwidth) -> Bandwidth { return bandwidth / chip.oversubscription; }, out),
          leaf.groups.value(), chip.scale_out_latency}};
}

/// Steps in which `ranks` have all that each had: the share that a chip holds doubles with each. A
/// ring of few ranks takes no more steps than a rank has neighbours.
double tree_steps(double ranks);

}  // namespace scaling
