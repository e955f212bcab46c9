// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "scaling/input/issue.hpp"

namespace scaling {

/// How many requests have which lengths, as a text tells it.
///
///   list = [ bin { separator bin } ]
///   bin  = length [ "-" length ] [ ":" weight ]
///
/// Separators are commas, semicolons and white space. A bin of two lengths is even between them, so
/// that one alone is a uniform distribution; weights are relative, and 1 where they are left out.
/// Bins of the same lengths count as one. Empty: lengths are told otherwise.
struct LengthList {
  static constexpr std::size_t kMostBins = 32;
  static constexpr double kMostTokens = 1e8;  ///< of a length
  static constexpr double kMostWeight = 1e12;

  struct Bin {
    double from, to;  ///< tokens
    double share;     ///< of all requests
  };

  std::array<Bin, kMostBins> items{};
  std::size_t size = 0;
  double mean = 0;            ///< tokens
  double square = 1;          ///< mean of the squares over the square of the mean
  double longest = 0;         ///< tokens
  std::uint32_t letters = 0;  ///< 1 where there are bins

  bool empty() const { return size == 0; }
  std::span<const Bin> bins() const { return std::span(items).first(size); }

  /// The same with so many tokens more in each.
  LengthList longer_by(double tokens) const;

  /// Reads a text into `list`. Reports the fault of a wrong one, and returns false.
  static bool parse(std::string_view text, LengthList& list, TextFault& fault);
};

}  // namespace scaling
