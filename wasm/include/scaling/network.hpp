// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "scaling/chip.hpp"
#include "scaling/mesh.hpp"

namespace scaling {

/// Does a slice of `chips` close its axes to rings? Judged by its size: a whole pod always does
/// (unless its chips never do), a smaller slice only where the rule is by 4x4x4 cubes and it can be
/// made of them. Source: book ch. 2.
template <class R>
bool wraps_around(const Chip<R>& chip, Quantity<kChip, R> chips) {
  switch (chip.wraparound) {
    case Wraparound::kNever:
      return false;
    case Wraparound::kFullAxis:
      return chips >= chip.domain_chips();
    case Wraparound::kCubes:
      return chips.value() >= 64;
  }
  return false;
}

/// Axes of a torus slice: those of the pod, but two chips make no more than one, four no more than
/// two.
template <class R>
int slice_axes(const Chip<R>& chip, Quantity<kChip, R> chips) {
  const int most = chips.value() >= 8 ? 3 : chips.value() >= 4 ? 2 : 1;
  return std::min(chip.torus_axes(), most);
}

/// How the chips along one axis of a torus are joined.
enum class AxisShape : std::uint8_t { kLine, kRing, kOneWayRing };

/// One axis of a mesh on a torus. Of chips that are not next to each other, `stride` apart, as many
/// such axes share each link.
template <class R>
struct Axis {
  Count<R> chips;
  AxisShape shape;
  Count<R> stride = Count<R>(R(1));
};

/// The axes of `mesh` on the torus of `chip`, at most three; those of one chip are left out. An
/// axis closes to a ring where its length alone allows it: of the pod's full length, or of whole
/// 4x4x4 cubes. Source: book ch. 2.
template <class R>
class TorusAxes {
 public:
  TorusAxes(const Chip<R>& chip, const Mesh<R>& mesh) {
    add(chip, mesh, mesh.x, chip.torus_x);
    add(chip, mesh, mesh.y, chip.torus_y);
    add(chip, mesh, mesh.z, chip.torus_z);
  }

  std::span<const Axis<R>> items() const { return std::span(items_).first(size_); }

  static bool closes(const Chip<R>& chip, Count<R> chips, Count<R> of_pod) {
    switch (chip.wraparound) {
      case Wraparound::kNever:
        return false;
      case Wraparound::kFullAxis:
        return chips >= of_pod;
      case Wraparound::kCubes:
        return std::floor(chips.value() / 4) * 4 == chips.value();
    }
    return false;
  }

 private:
  void add(const Chip<R>& chip, const Mesh<R>& mesh, Count<R> chips, Count<R> of_pod) {
    if (chips.value() <= 1) return;
    const AxisShape ring =
        mesh.direction == Direction::kOneWay ? AxisShape::kOneWayRing : AxisShape::kRing;
    items_[size_++] = {chips, closes(chip, chips, of_pod) ? ring : AxisShape::kLine};
  }

  std::array<Axis<R>, 3> items_{};
  std::size_t size_ = 0;
};

/// A level of a network of switches: `degree` groups of `below` chips each, every chip with
/// `bandwidth` out of its group, one way.
template <class R>
struct Level {
  Count<R> degree, below;
  Maybe<Quantity<kByte / kSecond / kChip, R>> bandwidth;
};

/// How many of `ways` chips, `stride` apart, lie in a group of `size`, if groups are filled evenly:
/// the greatest common divisor of `ways` and of the places that the group has for them.
double ways_inside(double ways, double stride, double size);

/// The levels that `ways` chips span, of which `stride` - 1 others lie between two neighbours: the
/// ways of a layout inside others. A way that fills domains unevenly goes over the network above.
template <class R>
std::array<Level<R>, 3> strided_levels(const Chip<R>& chip, Count<R> ways, Count<R> stride) {
  using Bandwidth = Quantity<kByte / kSecond / kChip, R>;
  const double domain = chip.domain_chips().value();
  const double below_leaf = domain * chip.leaf_domains.value();
  const double inside = ways_inside(ways.value(), stride.value(), domain);
  const double in_leaf = ways_inside(ways.value(), stride.value(), below_leaf);
  const Count<R> one(R(1)), in_domain{R(inside)}, of_leaf{R(in_leaf / inside)},
      above = ways / Count<R>(R(in_leaf));
  const auto& out = chip.scale_out_bandwidth;
  return {
      Level<R>{in_domain, one, chip.scale_up_bandwidth}, Level<R>{of_leaf, in_domain, out},
      Level<R>{above, in_domain * of_leaf,
               when_present(
                   [&](auto bandwidth) -> Bandwidth { return bandwidth / chip.oversubscription; },
                   out)}};
}

/// The levels that `chips` span: the switched domain, the leaf switches that join domains, and what
/// joins those. A level of one group has nothing to do. Source: book ch. 12.
template <class R>
std::array<Level<R>, 3> switch_levels(const Chip<R>& chip, Count<R> chips) {
  using Bandwidth = Quantity<kByte / kSecond / kChip, R>;
  const Count<R> one(R(1));
  const auto domain = as<kOne>(chip.domain_chips());
  const auto inside = min(chips, domain);
  const auto domains = ceil(chips / domain);
  const auto leaf = min(domains, chip.leaf_domains);
  const auto above = ceil(domains / chip.leaf_domains);
  const auto& out = chip.scale_out_bandwidth;
  return {
      Level<R>{inside, one, chip.scale_up_bandwidth}, Level<R>{leaf, inside, out},
      Level<R>{above, inside * leaf,
               when_present(
                   [&](auto bandwidth) -> Bandwidth { return bandwidth / chip.oversubscription; },
                   out)}};
}

}  // namespace scaling
