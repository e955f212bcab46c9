// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

namespace scaling {

/// The place of a name in the list of the names of constants; 0 for none.
using ConstantId = std::uint16_t;

/// A number that is measured or assumed, and the place of its name. Formulas calculate with it as
/// with any double; put into one by itself, it keeps its name in the derivation.
struct Constant {
  double value = 0;
  ConstantId name = 0;

  constexpr Constant() = default;
  constexpr explicit Constant(double number, ConstantId id = 0) : value(number), name(id) {}

  /// Another value under the same name, as a fit tries it.
  constexpr Constant& operator=(double number) {
    value = number;
    return *this;
  }

#ifdef __clang__
  /// It converts to no other type: `x ? constant : 1` would cut it to a whole number.
  template <std::same_as<double> Number>
  constexpr operator Number() const {  // NOLINT: it is a number
    return value;
  }
#else
  // g++ tries no template of a conversion for the language's own operators. What it would cut,
  // clang++ refuses, which compiles the same sources.
  constexpr operator double() const { return value; }  // NOLINT
#endif
};

/// The name of a constant.
struct ConstantName {
  const char* key;     ///< names its text in shared/text: "matmul.efficiency"
  const char* of;      ///< what it holds for, where there is one for each: "fp8"; else empty
  const char* symbol;  ///< as that of a Term
  const char* source;  ///< id of its source in shared/sources.json
};

}  // namespace scaling
