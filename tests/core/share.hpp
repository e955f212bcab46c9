// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace scaling::test {

/// Picks which of many alike cases a build runs. The native build runs all of them; builds with
/// sanitizers and for wasm run the same code several times slower, and take one in
/// SCALING_TESTS_ONE_IN. Which ones is a hash of their number, so that no inner loop falls in step
/// with it.
class Share {
 public:
  static constexpr std::uint32_t kOneIn = SCALING_TESTS_ONE_IN;

  bool takes() {
    const std::uint32_t hash = ++number_ * 2654435761U;
    return (hash >> 16) % kOneIn == 0;
  }

 private:
  std::uint32_t number_ = 0;
};

}  // namespace scaling::test
