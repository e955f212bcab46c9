// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

namespace scaling {

/// Kinds of something, in the order in which forms list them. Each is a type with a row of traits,
/// `kRow`, and what else is particular to it; fields and answers know it by its place, a `Number`.
template <class Number, class... Kind>
struct KindList {
  static constexpr std::common_type_t<decltype(Kind::kRow)...> kRows[] = {Kind::kRow...};

  /// The place of a kind.
  template <class Wanted>
  static consteval Number of() {
    static_assert((std::is_same_v<Wanted, Kind> || ...), "the list doesn't have it");
    std::size_t place = 0;
    (void)((std::is_same_v<Wanted, Kind> || (++place, false)) || ...);
    return static_cast<Number>(place);
  }

  static constexpr const auto& row_of(Number number) {
    return kRows[static_cast<std::size_t>(number)];
  }

  /// Calls `use` with the type of the kind at `number` as its template argument.
  template <class Use>
  static constexpr auto with(Number number, const Use& use) {
    return with_next<Use, Kind...>(number, use);
  }

 private:
  template <class Use, class First, class... Others>
  static constexpr auto with_next(Number number, const Use& use) {
    if constexpr (sizeof...(Others) > 0) {
      if (number != of<First>()) return with_next<Use, Others...>(number, use);
    }
    return use.template operator()<First>();
  }
};

}  // namespace scaling
