// SPDX-License-Identifier: MIT
//
// Shared by the fuzzers: inputs of a question made of any bytes, and the end where one is amiss.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "../core/inputs.hpp"

namespace scaling::fuzz {

[[noreturn]] inline void fail(const char* what, const char* where = "", double value = 0) {
  std::fprintf(stderr, "fuzz: %s: %s %.17g\n", what, where, value);
  std::abort();
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// A value that a field may have, is just about not allowed to have, or that nobody thought of.
inline double hostile_value(const FieldInfo& info, FuzzedDataProvider& data) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double values[] = {
      info.minimum,
      info.maximum,
      std::nextafter(info.minimum, -kInfinity),
      std::nextafter(info.maximum, kInfinity),
      info.minimum - 1,
      info.maximum + 1,
      info.minimum + 0.5,
      0.0,
      -0.0,
      1,
      -1,
      1.5,
      0x1p53 + 2,
      1e308,
      -1e308,
      std::numeric_limits<double>::denorm_min(),
      std::numeric_limits<double>::min(),
      std::numeric_limits<double>::quiet_NaN(),
      kInfinity,
      -kInfinity,
  };
  return values[data.ConsumeIntegralInRange<std::size_t>(0, std::size(values) - 1)];
}

inline double raw_double(FuzzedDataProvider& data) {
  return std::bit_cast<double>(data.ConsumeIntegral<std::uint64_t>());
}

/// Mostly a valid value.
inline double some_value(const FieldInfo& info, std::uint8_t way, FuzzedDataProvider& data) {
  if (way < 200) return inputs::spread(info, data.ConsumeIntegral<std::uint16_t>() / 65535.0);
  return way < 250 ? hostile_value(info, data) : raw_double(data);
}

/// Every field any double at all.
template <class Question>
typename Question::Input any_input(FuzzedDataProvider& data) {
  typename Question::Input input = inputs::base<Question>(0);
  inputs::visit_fields(input, [&](const FieldInfo&, double& value) { value = raw_double(data); });
  return input;
}

/// A valid input with some fields changed: most of these get past the check.
template <class Question>
typename Question::Input changed_input(FuzzedDataProvider& data, int most_changes = 1000) {
  typename Question::Input input = inputs::base<Question>(data.ConsumeIntegral<std::uint8_t>());
  const std::size_t last = inputs::kFieldsVisited<Question> - 1;
  for (int changes = 0; changes < most_changes && data.remaining_bytes() > 0; ++changes) {
    const auto changed = data.ConsumeIntegralInRange<std::size_t>(0, last);
    const auto way = data.ConsumeIntegral<std::uint8_t>();
    std::size_t i = 0;
    inputs::visit_fields(input, [&](const FieldInfo& info, double& value) {
      if (i++ == changed) value = some_value(info, way, data);
    });
  }
  return input;
}

}  // namespace scaling::fuzz
