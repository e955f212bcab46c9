// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "scaling/quantity/quantity.hpp"

namespace scaling {

/// Times that add to another, by what each of them is: an index of an enumeration.
template <class R, std::size_t N>
using PartsOf = std::array<Quantity<kSecond, R>, N>;

/// The index of the longest of the parts, which tells what it is compared with: those that take any
/// time. Of equal ones the first; `without`: is none of them.
template <class R, std::size_t N>
Count<R> longest_of(const PartsOf<R, N>& parts, std::size_t without = N) {
  std::size_t longest = without == 0 ? 1 : 0;
  for (std::size_t i = longest + 1; i < N; ++i) {
    if (i != without && parts[i].value() > parts[longest].value()) longest = i;
  }
  Quantity<kSecond, R> others{};
  std::size_t other = N;
  for (std::size_t i = 0; i < N; ++i) {
    if (i == longest || i == without || !(parts[i].value() > 0)) continue;
    others = other == N ? parts[i] : max(others, parts[i]);
    other = i;
  }
  if (other == N || !(others.value() < parts[longest].value())) {
    return Count<R>(R(static_cast<double>(longest)));
  }
  // A choice is 0 where its left side is no less.
  return longest == 0 ? choose_if_below(parts[0], others, other)
                      : choose_if_below(others, parts[longest], longest);
}

}  // namespace scaling
