// SPDX-License-Identifier: MIT
//
// Shared by the modules' bindings: how inputs cross into the core, and issues and answers out of
// it. One call crosses for each question: its input lies in the module's memory, and out come
// issues or views of flat arrays, whose meaning `describe()` tells once. The views lie in the
// module's memory, too, and hold until the next call.
#pragma once

#include <emscripten/bind.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "scaling/questions/estimate.hpp"

namespace scaling {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

inline val string_list(std::span<const char* const> names) {
  val list = val::array();
  unsigned index = 0;
  for (const char* name : names) list.set(index++, val(name));
  return list;
}

// --- in ---

}  // namespace

/// The input of the next call, which JavaScript writes here: the numbers of each of the question's
/// groups, one of each field in the table's order (that of a text is not read), then the texts,
/// each ended by a zero. Field by field it would take two functions for each. Whatever lies here,
/// nothing beyond it is read.
alignas(double) extern std::array<unsigned char, 1u << 14> input_bytes;

namespace {

/// Reads what lies there, from its beginning.
class InputReader {
 public:
  void read(std::span<double> values) {
    const std::string_view bytes = rest_.substr(0, values.size_bytes());
    std::memcpy(values.data(), bytes.data(), bytes.size());
    rest_.remove_prefix(bytes.size());
  }

  Text text() {
    const std::string_view text = rest_.substr(0, rest_.find('\0'));
    rest_.remove_prefix(std::min(rest_.size(), text.size() + 1));
    return text;
  }

 private:
  std::string_view rest_{reinterpret_cast<const char*>(input_bytes.data()), input_bytes.size()};
};

template <class Question>
typename Question::Input read_input() {
  typename Question::Input input{};
  InputReader reader;
  Question::for_each_group(
      [&]<template <class> class Group>() { reader.read(raw_group<Group>(input).values); });
  Question::for_each_group([&]<template <class> class Group>() {
    for (Text& text : raw_group<Group>(input).texts) text = reader.text();
  });
  return input;
}

// --- out ---

/// Texts cross as Latin-1, which has the raised dot of units.
inline val unit_string(Dimension dimension) {
  const UnitName name(dimension);
  std::array<char, 48> latin{};
  std::size_t size = 0;
  for (const char* at = name.c_str(); *at != '\0' && size + 1 < latin.size(); ++at) {
    // The second of the dot's two UTF-8 bytes is its Latin-1 code.
    if (*at != '\xC2') latin[size++] = *at;
  }
  const char* const text = latin.data();
  return val(text);
}

inline val issue_list(const Issues& issues) {
  val list = val::array();
  unsigned index = 0;
  for (const Issue& issue : issues.items()) {
    const IssueName& name = kIssueNames[static_cast<std::size_t>(issue.code)];
    val arguments = val::object();
    for (std::size_t i = 0; i < name.arguments.size(); ++i) {
      if (name.arguments[i] != nullptr) arguments.set(name.arguments[i], issue.arguments[i]);
    }
    val item = val::object();
    item.set("code", val(name.code));
    item.set("group", val(issue.group));
    item.set("key", val(issue.field));
    item.set("arguments", arguments);
    list.set(index++, item);
  }
  return list;
}

/// `use` of the typed input, writing into what is returned; or {issues}.
template <class Question, class Use>
val with_input(Use use) {
  val object = val::object();
  Issues issues;
  Issues notices;
  auto checked = read_input<Question>();
  check<Question>(checked, issues, notices, [&](const auto& typed) { use(typed, object); });
  if (!issues.empty()) object.set("issues", issue_list(issues));
  return object;
}

template <class Question>
val estimate_question() {
  static typename Question::template Answers<double> answers;  // outlives the call, for the views
  const Outcome<Question> outcome = estimate<Question>(read_input<Question>());
  val result = val::object();
  if (!outcome.issues.empty()) {
    result.set("issues", issue_list(outcome.issues));
    return result;
  }
  answers = outcome.answers;
  const auto& values = answers.values();
  const auto& absences = answers.absences();
  using Byte = std::underlying_type_t<Absence>;
  result.set("values", typed_memory_view(values.size(), values.data()));
  result.set("absences",
             typed_memory_view(absences.size(), reinterpret_cast<const Byte*>(absences.data())));
  if (!outcome.notices.empty()) result.set("notices", issue_list(outcome.notices));
  return result;
}

}  // namespace
}  // namespace scaling
