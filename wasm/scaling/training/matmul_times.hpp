// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "scaling/hardware/kernel_rates.hpp"

namespace scaling {

/// Times of the matmuls that layouts of a search share, on one chip with one software. Keeps
/// nothing on the heap.
class MatmulTimes {
 public:
  struct Sizes {
    double rows, contraction, output, copies;
    KernelFormat format;
    bool of_experts;

    bool operator==(const Sizes&) const = default;
  };
  struct Seconds {
    double forward, backward;
  };

  /// The times of a matmul of these sizes; `make` prices one that has not been asked for lately.
  template <class Make>
  Seconds find(const Sizes& sizes, Make make) {
    Row& row = rows_[hash_of(sizes) % kRows];
    for (std::size_t i = 0; i < kEntries; ++i) {
      if (row.sizes[i] == sizes) return row.times[i];
    }
    const Seconds times = make();
    const std::size_t place = row.next++ % kEntries;
    row.sizes[place] = sizes;
    row.times[place] = times;
    return times;
  }

 private:
  /// Any of the few entries of a row may hold a matmul; the one that came first gives way.
  static constexpr std::size_t kEntries = 4, kRows = 1024;
  struct Row {
    std::array<Sizes, kEntries> sizes;
    std::array<Seconds, kEntries> times;
    std::size_t next;
  };

  static std::size_t hash_of(const Sizes& sizes) {
    std::uint64_t hash = static_cast<std::uint64_t>(sizes.format) * 2 + sizes.of_experts;
    for (const double size : {sizes.rows, sizes.contraction, sizes.output, sizes.copies}) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &size, sizeof bits);
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }

  std::array<Row, kRows> rows_{};
};

}  // namespace scaling
