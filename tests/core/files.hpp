// SPDX-License-Identifier: MIT
//
// Generated files, and where they differ from what they should be.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace scaling::test {

inline std::string text_of(const std::string& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The first line in which two texts differ, as each has it.
inline std::pair<std::string, std::string> difference(const std::string& one,
                                                      const std::string& other) {
  std::stringstream first(one), second(other);
  std::pair<std::string, std::string> lines;
  while (first || second) {
    lines = {};
    std::getline(first, lines.first);
    std::getline(second, lines.second);
    if (lines.first != lines.second) return lines;
  }
  return {};
}

}  // namespace scaling::test
