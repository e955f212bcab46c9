// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <memory>

#include "catch.hpp"
#include "scaling/quantity/memo.hpp"

namespace scaling::test::memo_test {
namespace {

/// Asks for the negative of a number; whether it had to be made.
template <class Memo>
bool makes(Memo& memo, double number) {
  bool made = false;
  const double value = memo.find(number, [&] {
    made = true;
    return -number;
  });
  CHECK(value == -number);
  return made;
}

TEST_CASE("a memo of one row holds the values that were made last") {
  Memo<double, double, 1, 16> memo;
  CHECK(makes(memo, 36));
  CHECK_FALSE(makes(memo, 36));
  CHECK(makes(memo, 7));
  CHECK_FALSE(makes(memo, 36));
  // More numbers than it holds.
  for (double number = 101; number <= 200; ++number) CHECK(makes(memo, number));
  for (double number = 200; number > 184; --number) CHECK_FALSE(makes(memo, number));
  CHECK(makes(memo, 36));
}

TEST_CASE("a memo that forgets all makes each value anew") {
  Memo<double, double, 64, 2> memo;
  for (int round = 0; round < 3; ++round) {
    CHECK(makes(memo, 3));
    CHECK_FALSE(makes(memo, 3));
    memo.clear();
  }
}

TEST_CASE("small numbers spread over the rows of a memo, wherever they stand in a key") {
  constexpr std::size_t kRows = 1024;
  using Key = std::array<double, 4>;
  for (std::size_t at = 0; at < 4; ++at) {
    CAPTURE(at);
    const auto memo = std::make_unique<Memo<Key, double, kRows, 4>>();
    int made = 0;
    for (int round = 0; round < 2; ++round) {
      for (double number = 1; number <= kRows; ++number) {
        Key key{8, 64, 2, 16};
        key[at] = number;
        memo->find(key, [&] {
          ++made;
          return number;
        });
      }
    }
    // Few rows get more keys than they hold.
    CHECK(made < 1.1 * kRows);
  }
}

}  // namespace
}  // namespace scaling::test::memo_test
