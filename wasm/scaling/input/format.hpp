// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/input/field.hpp"

namespace scaling {

/// Number formats. tf32 is one of computing only: in memory such numbers are fp32.
enum class Format : std::uint8_t { kFp32, kBf16, kFp16, kFp8, kInt8, kFp4, kInt4, kTf32 };

inline constexpr const char* kFormatNames[] = {"fp32", "bf16", "fp16", "fp8",
                                               "int8", "fp4",  "int4", "tf32"};
inline constexpr Choices kComputeFormats = kFormatNames;
inline constexpr Choices kStorageFormats = kComputeFormats.first(7);

/// Bytes of one number [B], or of each of what the numbers stand for [B/param, B/token]. Scales of
/// block formats are not counted.
template <class R, Dimension D = kByte>
constexpr Quantity<D, R> bytes_of(Format format) {
  constexpr double kBytes[] = {4, 2, 2, 1, 1, 0.5, 0.5, 4};
  return constant<D, R>(kBytes[static_cast<int>(format)]);
}

/// Bytes of a number in NVFP4, with its part of the byte that scales 16 of them.
inline constexpr double kNvfp4Width = 0.5 + 1.0 / 16;

}  // namespace scaling
