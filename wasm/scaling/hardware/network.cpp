// SPDX-License-Identifier: MIT
#include "scaling/hardware/network.hpp"

#include "scaling/quantity/divisors.hpp"

namespace scaling {
namespace {

/// Links of the chip of a slice that has fewest: a line's end has one neighbour, a chip on a ring
/// two.
int fewest_links(const Lengths& shape, const std::array<bool, 3>& closed) {
  int links = 0;
  for (std::size_t i = 0; i < 3; ++i) links += shape[i] <= 1 ? 0 : closed[i] ? 2 : 1;
  return links;
}

}  // namespace

std::array<bool, 3> closed_axes(const Pod& pod, const Lengths& lengths, SingleChip single) {
  bool cubes = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool left_out = lengths[i] <= 1 && (single == SingleChip::kUnused || pod.lengths[i] <= 1);
    if (!left_out && !divides(4, lengths[i])) cubes = false;
  }
  std::array<bool, 3> closed{};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool full = pod.wraparound == Wraparound::kFullAxis && lengths[i] >= pod.lengths[i];
    const bool by_cubes = pod.wraparound == Wraparound::kCubes && cubes;
    closed[i] = lengths[i] > 2 && (full || by_cubes);
  }
  return closed;
}

Lengths slice_shape(const Pod& pod, double chips) {
  Lengths best{};
  int most_links = -1;
  double least_sum = 0;
  const Divisors divisors(chips,
                          std::fmax(pod.lengths[0], std::fmax(pod.lengths[1], pod.lengths[2])));
  for (const double x : divisors.items()) {
    if (x > pod.lengths[0]) break;
    for (const double y : divisors.items()) {
      if (y > pod.lengths[1]) break;
      if (!divides(y, chips / x)) continue;
      const Lengths shape{x, y, chips / x / y};
      if (shape[2] > pod.lengths[2]) continue;
      const int links = fewest_links(shape, closed_axes(pod, shape, SingleChip::kShort));
      const double sum = shape[0] + shape[1] + shape[2];
      if (links < most_links || (links == most_links && sum >= least_sum)) continue;
      best = shape;
      most_links = links;
      least_sum = sum;
    }
  }
  return best;
}

SliceAxes slice_axes(const Pod& pod, double chips) {
  const Lengths shape = slice_shape(pod, chips);
  const auto longer_than_one = [](const Lengths& lengths) {
    return (lengths[0] > 1) + (lengths[1] > 1) + (lengths[2] > 1);
  };
  if (shape[0] > 0) {
    const int axes = longer_than_one(shape);
    const auto closed = closed_axes(pod, shape, SingleChip::kShort);
    return {axes, fewest_links(shape, closed) == 2 * axes};
  }
  const int most = chips >= 8 ? 3 : chips >= 4 ? 2 : 1;
  return {std::min(longer_than_one(pod.lengths), most), false};
}

double tree_steps(double ranks) {
  double steps = 0;
  double reached = 1;
  while (reached < ranks) {
    reached *= 2;
    ++steps;
  }
  return steps;
}

}  // namespace scaling
