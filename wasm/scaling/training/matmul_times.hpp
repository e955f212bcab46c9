// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/kernel_rates.hpp"
#include "scaling/quantity/memo.hpp"

namespace scaling {

struct MatmulSizes {
  double rows, contraction, output, copies;
  double kind;  ///< the format, negative for experts; of frozen weights, apart

  MatmulSizes(double m, double k, double n, double copies_of, KernelFormat format, bool of_experts,
              bool frozen = false)
      : rows(m),
        contraction(k),
        output(n),
        copies(copies_of),
        kind((of_experts ? -1 : 1) * static_cast<double>(1 + static_cast<std::size_t>(format) +
                                                         (frozen ? kKernelFormats : 0))) {}
  MatmulSizes() = default;
};

struct MatmulSeconds {
  double forward, backward;
};

/// Times of the matmuls that layouts of a search share, on one chip with one software.
struct MatmulTimes : Memo<MatmulSizes, MatmulSeconds, 1024, 4> {};

}  // namespace scaling
