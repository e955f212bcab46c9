// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
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

/// Whether a file holds CSV, by its name.
inline bool is_csv(std::string_view file) {
  return file.size() > 4 && file.substr(file.size() - 4) == ".csv";
}

}  // namespace scaling::evidence
