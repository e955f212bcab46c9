// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "scaling/quantity/dimension.hpp"
#include "scaling/quantity/logarithm.hpp"
#include "scaling/quantity/trace.hpp"

namespace scaling {

// The representation of a number: `double` for speed, `Traced` for the derivation. Every function
// below exists for both and rounds alike, so the two agree bit for bit.

constexpr double plain_value(double value) { return value; }
inline double plain_value(Traced value) { return value.value(); }

namespace detail {

/// The power of two that is nearest to `x` on a logarithmic scale; 1 for anything below.
constexpr double nearest_power_of_two(double x) {
  double power = 1;
  while (power < 0x1p1000 && std::numbers::sqrt2 * power < x) power *= 2;
  return power;
}

/// The largest power of two that is at most `x`; 1 for anything below.
constexpr double power_of_two_below(double x) {
  double power = 1;
  while (power < 0x1p1000 && 2 * power <= x) power *= 2;
  return power;
}

/// The cube root of x >= 1, the same to the bit on every machine: Newton's steps from above, where
/// each comes closer until rounding ends it.
constexpr double cube_root(double x) {
  double root = 1;
  while (root * root * root < x) root *= 2;
  for (int step = 0; step < 6; ++step) root -= (root - x / (root * root)) / 3;
  return root;
}

/// e^x - 1 of x >= 0, precise where x is small. The series of an x halved often enough makes it the
/// same to the bit on every machine.
constexpr double exp_minus_one(double x) {
  if (x > 700) return std::numeric_limits<double>::infinity();
  int halvings = 0;
  while (x > 0.25) {
    x /= 2;
    ++halvings;
  }
  double sum = 0;
  double power = x;
  for (int n = 2; n < 20; ++n) {
    sum += power;
    power *= x / n;
  }
  for (; halvings > 0; --halvings) sum *= sum + 2;  // e^2y - 1 = (e^y - 1)(e^y + 1)
  return sum;
}

}  // namespace detail

namespace rep {

inline double choose_if_below(double a, double b, double choice) { return a < b ? choice : 0; }
inline double square(double x) { return x * x; }
inline double sqrt(double x) { return std::sqrt(x); }
inline double cube_root(double x) { return detail::cube_root(x); }
inline double ceil(double x) { return std::ceil(x); }
inline double floor(double x) { return std::floor(x); }
inline double min(double a, double b) { return b < a ? b : a; }
inline double max(double a, double b) { return a < b ? b : a; }
inline double nearest_power_of_two(double x) { return detail::nearest_power_of_two(x); }
inline double power_of_two_below(double x) { return detail::power_of_two_below(x); }
inline double exp_minus_one(double x) { return detail::exp_minus_one(x); }
inline double logarithm(double x) { return scaling::logarithm(x); }
inline double power(double x, double y) { return 1 + exp_minus_one(y * logarithm(x)); }

Traced choose_if_below(Traced a, Traced b, double choice);
Traced square(Traced x);
Traced sqrt(Traced x);
Traced cube_root(Traced x);
Traced ceil(Traced x);
Traced floor(Traced x);
Traced min(Traced a, Traced b);
Traced max(Traced a, Traced b);
Traced nearest_power_of_two(Traced x);
Traced power_of_two_below(Traced x);
Traced exp_minus_one(Traced x);
Traced logarithm(Traced x);
Traced power(Traced x, Traced y);

template <Dimension D>
inline constexpr Dimension kUnit = D;  // has an address, for tapes to refer to

template <Dimension D, class R>
constexpr R number(double x) {
  if constexpr (std::is_same_v<R, double> || D == kOne) {
    return R(x);
  } else {
    return R(x, &kUnit<D>);
  }
}

}  // namespace rep

/// A number with a dimension that the compiler checks.
template <Dimension D, class R>
class Quantity {
 public:
  static constexpr Dimension kDimension = D;
  using Rep = R;

  constexpr Quantity() = default;
  constexpr explicit Quantity(R rep) : rep_(rep) {}

  constexpr R rep() const { return rep_; }
  constexpr double value() const { return plain_value(rep_); }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.rep_ + b.rep_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.rep_ - b.rep_); }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity(R(a) * b.rep_); }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity(a.rep_ * R(b)); }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity(a.rep_ / R(b)); }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value() < b.value(); }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value() <= b.value(); }
  friend constexpr bool operator>(Quantity a, Quantity b) { return b < a; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return b <= a; }

 private:
  R rep_{};
};

template <class R>
using Count = Quantity<kOne, R>;

/// The number 1, in formulas of either representation.
template <class R>
Count<R> one() {
  return Count<R>(R(1));
}

template <Dimension A, Dimension B, class R>
constexpr auto operator*(Quantity<A, R> a, Quantity<B, R> b) {
  return Quantity<A * B, R>(a.rep() * b.rep());
}

template <Dimension A, Dimension B, class R>
constexpr auto operator/(Quantity<A, R> a, Quantity<B, R> b) {
  return Quantity<A / B, R>(a.rep() / b.rep());
}

/// A constant of a formula, with its unit.
template <Dimension D, class R>
constexpr Quantity<D, R> constant(double value) {
  return Quantity<D, R>(rep::number<D, R>(value));
}

/// The same of a constant that has a name; one of 0 is none of its kind, as any number of 0.
template <Dimension D, class R>
constexpr Quantity<D, R> constant(const Constant& named) {
  if constexpr (std::is_same_v<R, double>) {
    return Quantity<D, R>(named.value);
  } else {
    return Quantity<D, R>(R(named.value, D == kOne ? nullptr : &rep::kUnit<D>,
                            named.value == 0 ? ConstantId{} : named.name));
  }
}

/// A plain number in a formula.
template <class R>
constexpr Count<R> scalar(double value) {
  return constant<kOne, R>(value);
}

template <class R>
constexpr Count<R> scalar(const Constant& named) {
  return constant<kOne, R>(named);
}

/// A time in a formula [s].
template <class R>
constexpr Quantity<kSecond, R> seconds_of(double value) {
  return constant<kSecond, R>(value);
}

template <class R>
constexpr Quantity<kSecond, R> seconds_of(const Constant& named) {
  return constant<kSecond, R>(named);
}

/// The same number read in another unit: `as<kParam>(d * f)` counts the elements of a matrix as
/// parameters, `as<kOne>(tokens)` counts tokens as the rows of one. Nothing is computed, so
/// nothing is recorded.
template <Dimension To, Dimension From, class R>
constexpr Quantity<To, R> as(Quantity<From, R> quantity) {
  return Quantity<To, R>(quantity.rep());
}

/// The amount on one chip of a quantity that is given per chip.
template <Dimension D, class R>
constexpr auto of_one_chip(Quantity<D, R> per_chip) {
  return as<D * kChip>(per_chip);
}

template <Dimension D, class R>
constexpr Quantity<D * D, R> square(Quantity<D, R> x) {
  return Quantity<D * D, R>(rep::square(x.rep()));
}

/// Square root of a plain number.
template <class R>
Count<R> sqrt(Count<R> x) {
  return Count<R>(rep::sqrt(x.rep()));
}

/// Cube root of a plain number that is at least 1.
template <class R>
Count<R> cube_root(Count<R> x) {
  return Count<R>(rep::cube_root(x.rep()));
}

template <Dimension D, class R>
Quantity<D, R> ceil(Quantity<D, R> x) {
  return Quantity<D, R>(rep::ceil(x.rep()));
}

template <Dimension D, class R>
Quantity<D, R> floor(Quantity<D, R> x) {
  return Quantity<D, R>(rep::floor(x.rep()));
}

template <Dimension D, class R>
Quantity<D, R> min(Quantity<D, R> a, Quantity<D, R> b) {
  return Quantity<D, R>(rep::min(a.rep(), b.rep()));
}

template <Dimension D, class R>
Quantity<D, R> max(Quantity<D, R> a, Quantity<D, R> b) {
  return Quantity<D, R>(rep::max(a.rep(), b.rep()));
}

template <class R>
Count<R> nearest_power_of_two(Count<R> x) {
  return Count<R>(rep::nearest_power_of_two(x.rep()));
}

template <class R>
Count<R> power_of_two_below(Count<R> x) {
  return Count<R>(rep::power_of_two_below(x.rep()));
}

/// e^x - 1 of a number that is not negative.
template <class R>
Count<R> exp_minus_one(Count<R> x) {
  return Count<R>(rep::exp_minus_one(x.rep()));
}

/// ln of a number that is at least 1.
template <class R>
Count<R> logarithm(Count<R> x) {
  return Count<R>(rep::logarithm(x.rep()));
}

/// x^y of x >= 1 and y >= 0, the same to the bit on every machine.
template <class R>
Count<R> power(Count<R> x, Count<R> y) {
  return Count<R>(rep::power(x.rep(), y.rep()));
}

/// `choice` (an enumerator) where a < b, else the enumeration's first value: how bounds are
/// decided, as a number so that it can be traced and combined by min and max.
template <Dimension D, class R, class Enum>
Count<R> choose_if_below(Quantity<D, R> a, Quantity<D, R> b, Enum choice) {
  return Count<R>(rep::choose_if_below(a.rep(), b.rep(), static_cast<double>(choice)));
}

}  // namespace scaling
