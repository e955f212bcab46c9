// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scaling::evidence {

/// The fields of a line of CSV; a field in quotes may hold commas.
inline std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

/// A row by the names of its columns.
using CsvRow = std::map<std::string, std::string>;

/// The cell of a column; empty where the row has none.
inline std::string cell_of(const CsvRow& row, const std::string& column) {
  const auto found = row.find(column);
  return found == row.end() ? "" : found->second;
}

struct CsvTable {
  std::vector<std::string> names;  ///< empty: the file is
  std::vector<CsvRow> rows;        ///< without the fields that a short line lacks
};

inline CsvTable csv_table(std::istream& stream) {
  CsvTable table;
  std::string line;
  while (std::getline(stream, line)) {
    const auto cells = csv_fields(line);
    if (table.names.empty()) {
      table.names = cells;
      continue;
    }
    CsvRow row;
    for (std::size_t i = 0; i < table.names.size() && i < cells.size(); ++i) {
      row[table.names[i]] = cells[i];
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Whether a file holds CSV, by its name.
inline bool is_csv(std::string_view file) {
  return file.size() > 4 && file.substr(file.size() - 4) == ".csv";
}

}  // namespace scaling::evidence
