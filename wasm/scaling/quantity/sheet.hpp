// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "scaling/quantity/term.hpp"

namespace scaling {

/// The answers to one question: a value or the reason of its absence for each term listed. Values
/// and reasons lie in flat arrays, in the order of the list, so that they cross into JavaScript as
/// they are.
template <class R, const Term&... kTerms>
class Sheet {
 public:
  static constexpr std::size_t kSize = sizeof...(kTerms);
  static constexpr std::array<const Term*, kSize> kList = {&kTerms...};

  constexpr Sheet() { absences_.fill(Absence::kNotApplicable); }

  /// Names `quantity`, keeps it as the answer and returns it for further use.
  template <const Term& kTerm>
  Quantity<kTerm.dimension, R> put(Quantity<kTerm.dimension, R> quantity) {
    const auto result = named<kTerm>(quantity);
    constexpr std::size_t i = index<kTerm>();
    values_[i] = result.rep();
    absences_[i] = std::isfinite(result.value()) ? Absence::kPresent : Absence::kOutOfRange;
    return result;
  }

  template <const Term& kTerm>
  Maybe<Quantity<kTerm.dimension, R>> put(const Maybe<Quantity<kTerm.dimension, R>>& maybe) {
    if (maybe.present()) return put<kTerm>(maybe.value);
    absences_[index<kTerm>()] = maybe.absence;
    return maybe;
  }

  template <const Term& kTerm>
  Maybe<Quantity<kTerm.dimension, R>> get() const {
    constexpr std::size_t i = index<kTerm>();
    if (absences_[i] != Absence::kPresent) return absences_[i];
    return Quantity<kTerm.dimension, R>(values_[i]);
  }

  const std::array<R, kSize>& values() const { return values_; }
  const std::array<Absence, kSize>& absences() const { return absences_; }

 private:
  static constexpr std::size_t find(const Term* term) {
    std::size_t i = 0;
    while (i < kSize && kList[i] != term) ++i;
    return i;
  }

  template <const Term& kTerm>
  static constexpr std::size_t index() {
    constexpr std::size_t i = find(&kTerm);
    static_assert(i < kSize, "the question does not list this answer");
    return i;
  }

  std::array<R, kSize> values_{};
  std::array<Absence, kSize> absences_{};
};

}  // namespace scaling
