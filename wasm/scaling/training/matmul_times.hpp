// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "scaling/hardware/kernel_rates.hpp"
#include "scaling/quantity/hash.hpp"

namespace scaling {

/// Times of the matmuls that layouts of a search share, on one chip with one software. Keeps
/// nothing on the heap.
class MatmulTimes {
 public:
  struct Sizes {
    double rows, contraction, output, copies;
    double kind;  ///< the format, negative for experts

    Sizes(double m, double k, double n, double copies_of, KernelFormat format, bool of_experts)
        : rows(m),
          contraction(k),
          output(n),
          copies(copies_of),
          kind((of_experts ? -1 : 1) * (1 + static_cast<double>(format))) {}
    Sizes() = default;
  };
  struct Seconds {
    double forward, backward;
  };

  /// The times of a matmul of these sizes; `make` prices one that has not been asked for lately.
  template <class Make>
  Seconds find(const Sizes& sizes, Make make) {
    Row& row = rows_[hash_bytes(&sizes, sizeof sizes) % kRows];
    for (std::size_t i = 0; i < kEntries; ++i) {
      if (same_bytes(&row.sizes[i], &sizes, sizeof sizes)) return row.times[i];
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

  std::array<Row, kRows> rows_{};
};

}  // namespace scaling
