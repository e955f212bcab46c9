// SPDX-License-Identifier: MIT
#pragma once

#include <array>

namespace scaling {

/// The unit of a number: the exponents of the base units. Hours stand beside seconds because chips
/// are paid by the hour, and kilowatt-hours beside joules because power is; the steps between them
/// (3600 s/h, 3.6 MJ/kWh) then show in the derivation.
struct Dimension {
  signed char flop = 0;
  signed char byte = 0;
  signed char param = 0;
  signed char token = 0;
  signed char dollar = 0;
  signed char joule = 0;
  signed char second = 0;
  signed char chip = 0;
  signed char hour = 0;
  signed char kilowatt_hour = 0;

  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

namespace detail {

using Exponents = std::array<signed char, 10>;

constexpr Exponents exponents(Dimension d) {
  return {d.flop,  d.byte,   d.param, d.token, d.dollar,
          d.joule, d.second, d.chip,  d.hour,  d.kilowatt_hour};
}

constexpr Dimension from_exponents(const Exponents& e) {
  return {e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8], e[9]};
}

constexpr Dimension combine(Dimension a, Dimension b, int sign) {
  Exponents left = exponents(a);
  const Exponents right = exponents(b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = static_cast<signed char>(left[i] + sign * right[i]);
  }
  return from_exponents(left);
}

}  // namespace detail

constexpr Dimension operator*(Dimension a, Dimension b) { return detail::combine(a, b, 1); }
constexpr Dimension operator/(Dimension a, Dimension b) { return detail::combine(a, b, -1); }

inline constexpr Dimension kOne{};
inline constexpr Dimension kFlop{.flop = 1};
inline constexpr Dimension kByte{.byte = 1};
inline constexpr Dimension kParam{.param = 1};
inline constexpr Dimension kToken{.token = 1};
inline constexpr Dimension kDollar{.dollar = 1};
inline constexpr Dimension kJoule{.joule = 1};
inline constexpr Dimension kSecond{.second = 1};
inline constexpr Dimension kChip{.chip = 1};
inline constexpr Dimension kHour{.hour = 1};
inline constexpr Dimension kKilowattHour{.kilowatt_hour = 1};
inline constexpr Dimension kWatt = kJoule / kSecond;

/// The unit's written name, e.g. "FLOPs/s/chip"; empty for a plain number.
class UnitName {
 public:
  constexpr explicit UnitName(Dimension dimension) {
    if (dimension.joule == 1 && dimension.second == -1) {
      append("W");
      dimension = dimension / kWatt;
    }
    constexpr const char* kMany[] = {"FLOPs", "B", "params", "tokens", "USD",
                                     "J",     "s", "chips",  "h",      "kWh"};
    constexpr const char* kSingular[] = {"FLOP", "B", "param", "token", "USD",
                                         "J",    "s", "chip",  "h",     "kWh"};
    const detail::Exponents exponents = detail::exponents(dimension);
    int factors = length_ > 0 ? 1 : 0;
    for (const signed char exponent : exponents) factors += exponent > 0 ? exponent : 0;
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      for (int n = 0; n < exponents[i]; ++n) {
        if (length_ > 0) append("·");
        append(factors > 1 && i == 7 ? kSingular[i] : kMany[i]);
      }
    }
    if (factors == 0 && dimension != kOne) append("1");
    for (std::size_t i = 0; i < exponents.size(); ++i) {
      for (int n = 0; n > exponents[i]; --n) {
        append("/");
        append(kSingular[i]);
      }
    }
  }

  constexpr const char* c_str() const { return text_.data(); }

 private:
  constexpr void append(const char* part) {
    while (*part != '\0' && length_ + 1 < text_.size()) text_[length_++] = *part++;
  }

  std::array<char, 48> text_{};
  std::size_t length_ = 0;
};

}  // namespace scaling
