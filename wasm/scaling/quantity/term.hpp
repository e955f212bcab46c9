// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/quantity/quantity.hpp"

namespace scaling {

/// The reason why a quantity has no value.
enum class Absence : std::uint8_t {
  kPresent,        ///< it has one
  kNotListed,      ///< it needs a figure that the chip's preset does not give
  kNever,          ///< no value satisfies the condition (a batch that never gets compute-bound)
  kNotApplicable,  ///< the question does not arise (a network limit on a single chip)
  kOutOfRange,     ///< larger than a double holds
  kNotAllowed,     ///< a sweep's input is not valid there
};

inline constexpr const char* kAbsenceNames[] = {"present",       "notListed",  "never",
                                                "notApplicable", "outOfRange", "notAllowed"};

/// A quantity that may be missing, with the reason.
template <class Q>
struct Maybe {
  Q value{};
  Absence absence = Absence::kNotListed;

  constexpr Maybe() = default;
  constexpr Maybe(const Q& present)  // NOLINT: a quantity is a Maybe that is present
      : value(present), absence(Absence::kPresent) {}
  constexpr Maybe(Absence reason) : absence(reason) {}  // NOLINT: so is a reason, of one that isn't

  constexpr bool present() const { return absence == Absence::kPresent; }
};

/// `compute(values...)` where all are present, else the first reason why not.
template <class Compute, class... Q>
constexpr auto when_present(Compute compute, const Maybe<Q>&... maybe)
    -> Maybe<decltype(compute(maybe.value...))> {
  Absence absence = Absence::kPresent;
  ((absence = absence == Absence::kPresent ? maybe.absence : absence), ...);
  if (absence != Absence::kPresent) return absence;
  return compute(maybe.value...);
}

/// A value that others are divided by: nothing can be said where it is nothing.
template <class Q>
constexpr Maybe<Q> if_positive(const Maybe<Q>& maybe) {
  return maybe.present() && !(maybe.value.value() > 0) ? Maybe<Q>(Absence::kNotApplicable) : maybe;
}

/// Gives a value its name; on doubles nothing happens.
template <const Term& kTerm>
constexpr auto named(Quantity<kTerm.dimension, double> quantity) {
  return quantity;
}

template <const Term& kTerm>
auto named(Quantity<kTerm.dimension, Traced> quantity) {
  return Quantity<kTerm.dimension, Traced>(quantity.rep().named(kTerm));
}

/// A number that plain doubles have found, such as by a search, under its name. One of anything, or
/// none, says all by itself.
template <const Term& kTerm, class R>
auto named_number(double value) {
  const auto number = constant<kTerm.dimension, R>(value);
  return value != 0 && value != 1 ? named<kTerm>(number) : number;
}

}  // namespace scaling
