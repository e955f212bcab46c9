// SPDX-License-Identifier: MIT
#include "scaling/schedules/odd_round.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace scaling {
namespace {

constexpr std::size_t kMostOddStages = 512;
constexpr double kMostPasses = 1 << 18;

/// No more than a chunk of the odd round has in each of the others, nor than have no place in the
/// round before.
double most_late(double stages, double chunks, double missing) {
  return std::min((stages - missing) * (chunks - 2),
                  std::max(missing * (chunks - 1) - stages, 0.0));
}

/// Works the passes through.
double count_late(double stages, double chunks, double missing) {
  const std::size_t p = std::max<std::size_t>(static_cast<std::size_t>(stages), 1);
  const auto there = p - static_cast<std::size_t>(missing);
  const std::size_t round = p * static_cast<std::size_t>(chunks);
  // Places in the order of forward passes, of a full round and the odd one.
  const auto is_there = [&](std::size_t place) {
    return place < round || (place < 2 * round && place % p < there);
  };
  // The most forward passes on a way that ends with a backward pass, by its stage; and of the first
  // stage, by the micro-batch that goes on to the last stage's next chunk.
  std::array<std::size_t, kMostOddStages> met{};
  std::array<std::size_t, kMostOddStages> followed{};
  const std::size_t ahead = round - p + 1;
  // The odd round has no forward passes after its first chunk.
  for (std::size_t pass = 0; pass < round + there; ++pass) {
    for (std::size_t others = 0; others < p; ++others) {
      const std::size_t stage = p - 1 - others;
      // These come before the last stage's first backward pass, there and on the way to it.
      std::size_t most = stage == p - 1 ? ahead + stage : 0;
      if (pass > 0) most = met[stage] + (is_there(pass - 1 + ahead + 2 * others) ? 1 : 0);
      if (others > 0) {
        most = std::max(most, met[stage + 1]);
      } else if (pass >= p) {
        most = std::max(most, followed[pass % p]);
      }
      met[stage] = most;
    }
    followed[pass % p] = met[0];
  }
  const std::size_t all = (round + there * static_cast<std::size_t>(chunks)) + p - 1;
  return static_cast<double>(met[0] - all);
}

/// A count that was worked through.
struct Counted {
  double stages = 0, chunks = 0, missing = 0, late = 0;
};

/// Has one place for many: a search asks for few again and again.
std::array<Counted, 1024> counted;

}  // namespace

double late_passes(double stages, double chunks, double missing) {
  if (stages > static_cast<double>(kMostOddStages) || stages * stages * chunks > kMostPasses) {
    return most_late(stages, chunks, missing);
  }
  const double place = std::fmod(stages * 31 + chunks * 7 + missing, counted.size());
  Counted& kept = counted[static_cast<std::size_t>(place)];
  if (kept.stages != stages || kept.chunks != chunks || kept.missing != missing) {
    kept = {stages, chunks, missing, count_late(stages, chunks, missing)};
  }
  return kept.late;
}

}  // namespace scaling
