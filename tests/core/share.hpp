// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>

namespace scaling::test {

/// Picks which of many alike cases a run tries. The native run tries all of them; those with
/// sanitizers and as wasm run the same code several times slower, and try one in `one_in()`. Which
/// ones is a hash of their number, so that no inner loop falls in step with it.
class Share {
 public:
  /// SCALING_TESTS_ONE_IN of the environment, or else of the build: in wasm there is no
  /// environment.
  static std::uint32_t one_in() {
    static const std::uint32_t value = [] {
      const char* said = std::getenv("SCALING_TESTS_ONE_IN");
      const int number = said ? std::atoi(said) : 0;
      return static_cast<std::uint32_t>(number > 0 ? number : kUnlessSaid);
    }();
    return value;
  }

  bool takes() {
    const std::uint32_t hash = ++number_ * 2654435761U;
    return (hash >> 16) % one_in() == 0;
  }

 private:
#ifdef SCALING_TESTS_ONE_IN
  static constexpr int kUnlessSaid = SCALING_TESTS_ONE_IN;
#else
  static constexpr int kUnlessSaid = 1;
#endif

  std::uint32_t number_ = 0;
};

}  // namespace scaling::test
