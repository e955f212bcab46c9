// SPDX-License-Identifier: MIT
#include "scaling/hardware/placement.hpp"

namespace scaling {
namespace {

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

}  // namespace

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

template Reach<SCALING_REP> reach_of(const Chip<SCALING_REP>&, const Way&);

}  // namespace scaling
