// SPDX-License-Identifier: MIT
//
// Rows of numbers as they cross: each column has the name that JavaScript reads it by, so that no
// order and no width stands on both sides.
#pragma once

#include "bind.hpp"

namespace scaling {
namespace {

/// A column of rows: its name, and its number in a row.
template <class Row>
struct Column {
  const char* name;
  double (*number)(const Row&);
};

template <class Row, std::size_t N>
val column_names(const Column<Row> (&columns)[N]) {
  val list = val::array();
  unsigned index = 0;
  for (const Column<Row>& column : columns) list.set(index++, val(column.name));
  return list;
}

/// Writes the numbers of a row from `n` on; returns the end.
template <class Row, std::size_t N>
std::size_t put_row(const Column<Row> (&columns)[N], const Row& row, std::span<double> rows,
                    std::size_t n) {
  for (const Column<Row>& column : columns) rows[n++] = column.number(row);
  return n;
}

}  // namespace
}  // namespace scaling
