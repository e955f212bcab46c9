// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "scaling/hardware/kernel_rates.hpp"
#include "scaling/quantity/quantity.hpp"

namespace scaling {

/// Rows and columns of the result that one core works on at a time.
struct TileSize {
  double rows, columns;
};

/// The sizes among which libraries choose, as far as measurements tell them apart.
inline constexpr std::array<TileSize, 6> kTileSizes{
    {{16, 64}, {32, 64}, {64, 64}, {64, 128}, {128, 128}, {128, 256}}};

/// Units of a contraction that a tile takes at a time.
inline constexpr double kTileDepth = 64;

/// A matmul as its tiles see it, on plain numbers.
struct TileWork {
  double rows, columns, contraction, copies;
  double cores;
  double element_time;           ///< time of one core for one result and a unit of K [s]
  double row_time, column_time;  ///< time to load a row's and a column's number [s]
  double part_time;  ///< time of the sums that a part of the contraction writes and reads [s]
};

/// The chosen size of tiles, and the number of parts of the contraction.
struct TileChoice {
  TileSize size;
  double parts;
};

/// The fastest choice; of two alike, the one of smaller tiles and of fewer parts. The same wherever
/// it is called: formulas of either representation record what it returns.
TileChoice choose_tiles(const TileWork& work, const MatmulRates& rates);

/// ceil(x) of x >= 0, without a call into the library of mathematics that builds without SSE 4.1
/// would take.
inline double ceil_of(double x) {
  if (!(x < 0x1p62)) return x;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole < x ? whole + 1 : whole;
}

/// Share of `bytes` that stay in `room` bytes of L2 while they are read again and again: all of a
/// few, none of many.
template <class R>
Count<R> hot_share(Quantity<kByte, R> bytes, const Constant& room) {
  if (!(room > 0)) return {};
  const auto one = scalar<R>(1);
  return one / (one + square(square(square(bytes / constant<kByte, R>(room)))));
}

}  // namespace scaling
