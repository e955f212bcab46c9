// SPDX-License-Identifier: MIT
#include "scaling/hardware/network.hpp"

#include <utility>

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

/// No slice of so many chips gives a chip more links.
int links_at_most(const Pod& pod, double chips) {
  int used = 0;
  double cubes = 1;
  for (const double length : pod.lengths) {
    if (length <= 1) continue;
    ++used;
    cubes *= 4;
  }
  if (pod.wraparound == Wraparound::kCubes) return divides(cubes, chips) ? 2 * used : used;
  if (pod.wraparound == Wraparound::kNever) return used;
  // Axes that can have their full lengths together close.
  int most = 0;
  for (unsigned full = 0; full < 8; ++full) {
    double product = 1;
    int closed = 0;
    for (unsigned i = 0; i < 3; ++i) {
      if ((full >> i & 1) == 0 || pod.lengths[i] <= 2) continue;
      product *= pod.lengths[i];
      ++closed;
    }
    if (divides(product, chips)) most = std::max(most, closed);
  }
  return used + most;
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
  // The longest axis takes what the two others leave: their lengths are few.
  std::array<std::size_t, 3> by_length{0, 1, 2};
  const auto in_order = [&](std::size_t i, std::size_t j) {
    if (pod.lengths[by_length[i]] > pod.lengths[by_length[j]]) {
      std::swap(by_length[i], by_length[j]);
    }
  };
  in_order(0, 1);
  in_order(1, 2);
  in_order(0, 1);
  const auto [i, j, k] = by_length;
  const Divisors divisors(chips, pod.lengths[j]);
  const int bound = links_at_most(pod, chips);
  Lengths best{};
  int most_links = -1;
  double least_sum = 0;
  for (const double a : divisors.items()) {
    if (a > pod.lengths[i]) break;
    const double rest = chips / a;
    // The more even, the smaller the sum.
    if (most_links == bound && a + 2 * std::sqrt(rest) > least_sum) continue;
    for (const double b : divisors.items()) {
      if (b > pod.lengths[j]) break;
      const double c = std::floor(rest / b);
      if (c * b != rest || c > pod.lengths[k]) continue;
      Lengths shape{};
      shape[i] = a;
      shape[j] = b;
      shape[k] = c;
      const double sum = a + b + c;
      if (most_links == bound && sum > least_sum) continue;
      const int links = fewest_links(shape, closed_axes(pod, shape, SingleChip::kShort));
      if (links < most_links) continue;
      if (links == most_links && (sum > least_sum || (sum == least_sum && shape > best))) continue;
      best = shape;
      most_links = links;
      least_sum = sum;
    }
  }
  return best;
}

double fewest_slices(const Pod& pod, double domain, double chips) {
  constexpr int kMore = 64;
  const double fewest = std::ceil(chips / domain);
  for (int more = 0; more <= kMore; ++more) {
    const double slices = fewest + more;
    if (divides(slices, chips) && slice_shape(pod, chips / slices)[0] > 0) return slices;
  }
  return 0;
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
