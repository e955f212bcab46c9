// SPDX-License-Identifier: MIT
//
// Definitions that the benchmark's parts share.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace scaling::bench {

/// Nanoseconds that `work` takes.
template <class Work>
double time_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

template <std::size_t kSize>
double median(std::array<double, kSize> values) {
  std::sort(values.begin(), values.end());
  return values[kSize / 2];
}

/// A search for the best layout of a training.
struct SearchFigures {
  const char* name;
  double best, all;  ///< nanoseconds until the best is known, and for the turn through all layouts
  double layouts;    ///< in that turn
  double sum;        ///< of the results: the same however it was compiled
};

/// LLaMA 3 405B on 16,384 H100 and on 8 pods of TPU v5p, DeepSeek-V3 on 2,048 H800; then
/// DeepSeek-V3 on 1,024 to 131,072, with as many sequences each.
std::array<SearchFigures, 11> measure_searches();

/// A search through the divisions of servers.
struct ServingFigures {
  const char* name;
  double median, p99;  ///< nanoseconds
  double grid;         ///< divisions, and batches, that were gone through
  double sum;          ///< of the results: the same however it was compiled
};

/// The frontier of time against throughput, of servers of 1 to 256 chips, and the best division of
/// some chips.
std::array<ServingFigures, 9> measure_serving();

}  // namespace scaling::bench
